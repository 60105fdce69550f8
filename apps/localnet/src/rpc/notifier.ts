// Turns what happens on the chain into notifications. Transactions are told at once to those who asked for the
// processed state, and again as their slot becomes confirmed and final to those who asked for that.

import type { Account, Commitment, LedgerTransaction } from '../chain/chain.ts';
import type { LedgerChain } from '../chain/ledger-chain.ts';
import { encodeAccount, tellTooLarge } from './account-encoding.ts';
import { API_VERSION } from './params.ts';
import { reaches } from './signature-status.ts';
import type { LiveSubscription, Subscriber } from './subscriber.ts';

type Executed = { transaction: LedgerTransaction; written: string[] };

export class Notifier {
  readonly #chain: LedgerChain;
  readonly #subscribers = new Set<Subscriber>();
  /** Executed but not final, by slot. */
  readonly #bySlot = new Map<number, Executed[]>();
  readonly #told: Record<'confirmed' | 'finalized', number>;
  readonly #stops: (() => void)[];

  constructor(chain: LedgerChain) {
    this.#chain = chain;
    this.#told = { confirmed: Number(chain.slot('confirmed')), finalized: Number(chain.slot('finalized')) };
    this.#stops = [
      chain.onExecuted((transaction, written) => this.#executed({ transaction, written })),
      chain.onSlot((slot) => this.#slotPassed(slot)),
    ];
  }

  add(subscriber: Subscriber): void {
    this.#subscribers.add(subscriber);
  }

  remove(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  /** A signature that has already come as far as was asked is told right away: nothing else would tell it. */
  catchUp(subscriber: Subscriber, subscription: LiveSubscription): void {
    const { what } = subscription;
    if (what.kind !== 'signature') return;
    const status = this.#chain.status(what.signature, true);
    if (status === null) return;
    if (what.wantsReceived) subscriber.notify(subscription, this.#context('processed', 'receivedSignature'));
    if (reaches(this.#chain, status.slot, what.commitment))
      this.#tellSignature(subscriber, subscription, status.err, status.slot);
  }

  #context(commitment: Commitment, value: unknown, slot = Number(this.#chain.slot(commitment))): object {
    return { context: { apiVersion: API_VERSION, slot }, value };
  }

  #tellSignature(subscriber: Subscriber, subscription: LiveSubscription, err: unknown, slot: number): void {
    subscriber.notify(subscription, { context: { apiVersion: API_VERSION, slot }, value: { err } });
    // A signature is told once; its subscription ends with that.
    subscriber.subscriptions.delete(subscription.id);
  }

  #executed(executed: Executed): void {
    const slot = Number(executed.transaction.slot);
    const list = this.#bySlot.get(slot);
    if (list === undefined) this.#bySlot.set(slot, [executed]);
    else list.push(executed);
    this.#tell([executed], 'processed', slot);
  }

  #slotPassed(event: { slot: bigint; parent: bigint; root: bigint }): void {
    const slot = { parent: Number(event.parent), root: Number(event.root), slot: Number(event.slot) };
    for (const subscriber of this.#subscribers) {
      for (const subscription of subscriber.subscriptions.values()) {
        if (subscription.what.kind === 'slot') subscriber.notify(subscription, slot);
        else if (subscription.what.kind === 'root') subscriber.notify(subscription, slot.root);
      }
    }
    this.#reached('confirmed');
    this.#reached('finalized');
  }

  #reached(commitment: 'confirmed' | 'finalized'): void {
    const newest = Number(this.#chain.slot(commitment));
    // Slots are visited through what they hold, so that a jump of the clock costs nothing.
    for (const [slot, executed] of this.#bySlot) {
      if (slot > newest) break;
      if (slot > this.#told[commitment]) this.#tell(executed, commitment, slot);
      if (commitment === 'finalized') this.#bySlot.delete(slot);
    }
    this.#told[commitment] = newest;
  }

  #tell(executed: Executed[], commitment: Commitment, slot: number): void {
    if (this.#subscribers.size === 0) return;
    const chain = this.#chain;
    const read = (address: string): Account | null => chain.accountAt(address, commitment);
    const written = new Set(executed.flatMap((entry) => entry.written));
    for (const subscriber of this.#subscribers) {
      for (const subscription of subscriber.subscriptions.values()) {
        const { what } = subscription;
        if (what.kind === 'slot' || what.kind === 'root') continue;
        if (what.kind === 'signature' && what.wantsReceived && commitment === 'processed') {
          if (executed.some(({ transaction }) => transaction.signature === what.signature)) {
            subscriber.notify(subscription, this.#context('processed', 'receivedSignature', slot));
          }
        }
        if (what.commitment !== commitment) continue;
        switch (what.kind) {
          case 'signature': {
            const found = executed.find(({ transaction }) => transaction.signature === what.signature);
            if (found !== undefined) this.#tellSignature(subscriber, subscription, found.transaction.err, slot);
            break;
          }
          case 'logs':
            for (const { transaction } of executed) {
              if (what.mention !== null && !transaction.accountKeys.includes(what.mention)) continue;
              const { signature, err, logMessages: logs } = transaction;
              subscriber.notify(subscription, this.#context(commitment, { err, logs, signature }, slot));
            }
            break;
          case 'account': {
            if (!written.has(what.address)) break;
            const account = read(what.address) ?? CLOSED;
            const value = encodeAccount(account, what.view, read, tellTooLarge);
            subscriber.notify(subscription, this.#context(commitment, value, slot));
            break;
          }
          case 'program':
            for (const pubkey of written) {
              const account = read(pubkey);
              if (account === null || account.owner !== what.program) continue;
              if (!what.filters.every((fits) => fits(account))) continue;
              const value = { account: encodeAccount(account, what.view, read, tellTooLarge), pubkey };
              subscriber.notify(subscription, this.#context(commitment, value, slot));
            }
            break;
        }
      }
    }
  }
}

/** How nodes show an account that is gone. */
const CLOSED: Account = {
  lamports: 0n,
  data: new Uint8Array(),
  owner: '11111111111111111111111111111111',
  executable: false,
};
