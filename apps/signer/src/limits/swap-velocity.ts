import type { Denial } from '../denial.ts';
import type { CeilingWatch } from './ceiling-watch.ts';

export type SwapCeilings = { walletLamports: bigint; totalLamports: bigint };

/** What somebody signed within one hour; a total is kept under an owner of its own. */
export type SwapTurnover = { owner: string; hour: number; lamports: bigint };

/** No wallet can have this id. */
const EVERYBODY = '*';
const HOUR_MS = 60 * 60_000;
const WINDOW_HOURS = 24;
/** A turnover is written down each time it has grown by this part of its ceiling. */
const STEPS = 100n;
/** A wallet that moved more than this part of its ceiling may use half of the total only. */
const MUCH = 10n;

/** A way out is the sale of a strategy's wallet. */
export type SwapKind = 'buy' | 'sale' | 'way-out';

/**
 * The SOL that swaps moved within 24 hours, per wallet and over all wallets: the most that a server which trades badly on
 * purpose can lose before it is stopped. Every message that is signed counts, whether or not it lands. Counting is in
 * memory; a restart forgets at most the last hundredth of a ceiling.
 */
export class SwapVelocity {
  readonly #ceilings: SwapCeilings;
  readonly #watch: CeilingWatch;
  readonly #hours = new Map<string, Map<number, bigint>>();
  readonly #written = new Map<string, bigint>();

  /** `watch` is of the total. */
  constructor(ceilings: SwapCeilings, recorded: Iterable<SwapTurnover>, watch: CeilingWatch) {
    this.#ceilings = ceilings;
    this.#watch = watch;
    for (const { owner, hour, lamports } of recorded) this.#of(owner).set(hour, lamports);
    for (const owner of this.#hours.keys()) this.#written.set(owner, this.#sum(owner, -Infinity));
  }

  /**
   * Counts the swap, or says why it is not signed. No sale is stopped by the total, and a way out by no ceiling: a sale counts by the SOL it
   * brings, so what is refused are those that brought much. Of the total half is kept for wallets that moved little, or one person with
   * many wallets would stop everybody by moving his own SOL to and fro. `toRecord` must be durable before the signature leaves.
   */
  admit(
    walletId: string,
    lamports: bigint,
    now: number,
    kind: SwapKind = 'buy',
  ): { denied: Denial } | { toRecord: SwapTurnover[] } {
    const hour = Math.floor(now / HOUR_MS);
    const { walletLamports, totalLamports } = this.#ceilings;
    const ofWallet = this.#sum(walletId, hour - WINDOW_HOURS) + lamports;
    if (kind !== 'way-out' && ofWallet > walletLamports) return { denied: denialOf('this wallet') };
    const room = ofWallet > walletLamports / MUCH ? totalLamports / 2n : totalLamports;
    if (kind === 'buy' && this.#sum(EVERYBODY, hour - WINDOW_HOURS) + lamports > room) {
      return { denied: denialOf('all wallets') };
    }
    const owners = [
      { owner: walletId, ceiling: walletLamports },
      { owner: EVERYBODY, ceiling: totalLamports },
    ];
    const toRecord = owners.flatMap(({ owner, ceiling }) => this.#count(owner, hour, lamports, ceiling / STEPS));
    this.#watch.used(this.#sum(EVERYBODY, hour - WINDOW_HOURS), now);
    return { toRecord };
  }

  movedInDay(walletId: string, now: number): bigint {
    return this.#sum(walletId, Math.floor(now / HOUR_MS) - WINDOW_HOURS);
  }

  #count(owner: string, hour: number, lamports: bigint, step: bigint): SwapTurnover[] {
    const hours = this.#of(owner);
    for (const old of hours.keys()) if (old < hour - WINDOW_HOURS) hours.delete(old);
    const inHour = (hours.get(hour) ?? 0n) + lamports;
    hours.set(hour, inHour);
    const total = this.#sum(owner, -Infinity);
    const written = this.#written.get(owner) ?? 0n;
    // What left the window makes the total fall below what was written; from there it grows again.
    if (total < written) this.#written.set(owner, total);
    if (total - written < step) return [];
    this.#written.set(owner, total);
    return Array.from(hours, ([at, amount]) => ({ owner, hour: at, lamports: amount }));
  }

  #sum(owner: string, sinceHour: number): bigint {
    let sum = 0n;
    for (const [hour, lamports] of this.#hours.get(owner) ?? []) if (hour >= sinceHour) sum += lamports;
    return sum;
  }

  #of(owner: string): Map<number, bigint> {
    let hours = this.#hours.get(owner);
    if (hours === undefined) {
      hours = new Map();
      this.#hours.set(owner, hours);
    }
    return hours;
  }
}

function denialOf(whose: string): Denial {
  return { code: 'SWAP_CEILING', reason: `the swaps of ${whose} reached their ceiling of 24 hours` };
}

/** Records older than this no longer count. */
export function isInSwapWindow(hour: number, now: number): boolean {
  return hour >= Math.floor(now / HOUR_MS) - WINDOW_HOURS;
}
