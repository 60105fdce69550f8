import type { RpcClient } from '@hunter/solana/rpc-client';
import type { SignatureStatus } from '@hunter/solana/rpc-replies';
import type { Clock } from '../platform/clock.ts';

type Watch = { deadlineMs: number; resolve: (landed: boolean) => void };

const POLL_MS = 120;
/** Most signatures asked about in one go; the client cuts it into calls of 256. */
const WATCHED_MAX = 20_000;

/**
 * Waits until transactions are confirmed. All of them are asked about together, at every slot the node announces and, where
 * it announces none, a few times a second. It never decides that something did not happen: past its deadline a
 * signature is left to recovery, which needs proof.
 */
export class Confirmations {
  readonly #chain: Pick<RpcClient, 'getSignatureStatuses'>;
  readonly #clock: Clock;
  readonly #watches = new Map<string, Watch>();
  #polling = false;
  #again = false;
  #wake: () => void = () => {};

  constructor(chain: Pick<RpcClient, 'getSignatureStatuses'>, clock: Clock) {
    this.#chain = chain;
    this.#clock = clock;
  }

  /** True once the chain has it at `confirmed`, failed or not; false when that was not seen in time. */
  wait(signature: string, timeoutMs: number): Promise<boolean> {
    if (this.#watches.size >= WATCHED_MAX) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#watches.set(signature, { deadlineMs: this.#clock.nowMs() + timeoutMs, resolve });
      this.#start();
    });
  }

  /** Something new may be confirmed. */
  poke(): void {
    this.#again = true;
    this.#wake();
  }

  #start(): void {
    if (this.#polling) return;
    this.#polling = true;
    void this.#loop();
  }

  async #loop(): Promise<void> {
    while (this.#watches.size > 0) {
      this.#again = false;
      const signatures = [...this.#watches.keys()];
      try {
        const { value } = await this.#chain.getSignatureStatuses(signatures);
        signatures.forEach((signature, index) => this.#seen(signature, value[index] ?? null));
      } catch {
        // No answer proves nothing; the next one may come.
      }
      this.#expire();
      if (this.#watches.size > 0 && !this.#again) await Promise.race([this.#clock.pause(POLL_MS), this.#poked()]);
    }
    // At once: whoever was told of the last one may wait for another before anything else happens.
    this.#polling = false;
  }

  #poked(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #seen(signature: string, status: SignatureStatus | null): void {
    if (status === null || status.confirmationStatus === 'processed') return;
    this.#watches.get(signature)?.resolve(true);
    this.#watches.delete(signature);
  }

  #expire(): void {
    const nowMs = this.#clock.nowMs();
    for (const [signature, watch] of this.#watches) {
      if (watch.deadlineMs > nowMs) continue;
      watch.resolve(false);
      this.#watches.delete(signature);
    }
  }
}
