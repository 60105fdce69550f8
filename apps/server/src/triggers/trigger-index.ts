import { sizeOf } from '@hunter/domain/triggers/trigger';
import { TokenWatch } from '@hunter/domain/triggers/token-watch';
import type { Address } from '@hunter/solana/address';
import type { Trigger } from './trigger.ts';

/**
 * The triggers that can fire, by token, in memory. It follows the store: whoever changes a trigger tells it after the commit, and a
 * start reads them all. It only says whom to ask; that one may fire is decided by its row, locked.
 */
export class TriggerIndex {
  readonly #tokens = new Map<Address, TokenWatch>();
  readonly #mints = new Map<string, Address>();

  get size(): number {
    return this.#mints.size;
  }

  has(mint: Address): boolean {
    return this.#tokens.has(mint);
  }

  of(mint: Address): TokenWatch | undefined {
    return this.#tokens.get(mint);
  }

  mints(): Address[] {
    return [...this.#tokens.keys()];
  }

  /** Those with levels in dollars, which move with the price of SOL. */
  mintsInDollars(): Address[] {
    return this.mints().filter((mint) => this.#tokens.get(mint)!.hasDollars());
  }

  /** Those in which a trigger waits for a sale of the creator. */
  mintsWaitingForCreators(): Address[] {
    return this.mints().filter((mint) =>
      [...this.#tokens.get(mint)!.all()].some(({ rule }) => rule.kind === 'creator-sells'),
    );
  }

  /** Those that cannot fire are left out or taken away. `held` is what the book has of the token. */
  put(trigger: Trigger, heldUnits: bigint): void {
    const { id, mint, rule } = trigger;
    if (trigger.state !== 'open' || trigger.retryAt !== null) return this.remove(id);
    const watch = this.#tokens.get(mint) ?? new TokenWatch();
    watch.set({ id, rule, size: sizeOf(rule, heldUnits) });
    this.#tokens.set(mint, watch);
    this.#mints.set(id, mint);
  }

  remove(id: string): void {
    const mint = this.#mints.get(id);
    if (mint === undefined) return;
    this.#mints.delete(id);
    const watch = this.#tokens.get(mint)!;
    watch.delete(id);
    if (watch.size === 0) this.#tokens.delete(mint);
  }
}
