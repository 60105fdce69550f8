import type { Transaction } from './chain.ts';
import { isRound } from './creator-part.ts';
import { balancesAfter, effectOn, isSignedBy, isSwap, type Effect } from './effect.ts';
import { parseUnits, printPercent, printUnits } from './exact.ts';
import type { PublishedRow } from './published.ts';
import { apply, begin, type Recomputed } from './recompute.ts';
import type { Report } from './report.ts';

const SOL_DECIMALS = 9;

export type ReplayInput = {
  wallet: string;
  rows: readonly PublishedRow[];
  /** What a listed transaction did for the creator; missing where that is not proven. */
  effects: ReadonlyMap<string, Effect>;
  /** Every transaction of the wallet, oldest first. */
  all: readonly string[];
  transactions: ReadonlyMap<string, Transaction>;
  isShared: boolean;
  status: string;
};

export type Replayed = {
  /** As the record says; whose it was, nothing on chain tells. */
  capitalLamports: bigint;
  state: Recomputed;
  decimals: ReadonlyMap<string, number>;
  flatDrawdown: Drawdown;
};

/**
 * Every row against its own transaction, and all of them together into a state that only the chain has fed. In the order of the chain:
 * its blocks know whole seconds only, so a buy and its sale may be published with one time.
 */
export function replay(input: ReplayInput, report: Report): Replayed {
  const { wallet, rows, effects, all, transactions, isShared, status } = input;
  const capital = rows.find((row) => row.kind === 'flow' && row.side === 'in' && solOf(row) > 0n);
  const capitalLamports = capital ? solOf(capital) : 0n;
  const state = begin(capitalLamports);
  const decimals = new Map<string, number>();
  const flatDrawdown = new Drawdown(state.cashLamports);
  const others = new Others(wallet, state);
  const seen = new Set<string>();
  let agreeing = 0;
  let listed = 0;
  const steps = inOrder(rows, all);
  const lastListed = steps.findLastIndex(({ row }) => row !== null && row.txHash !== null);
  for (const [index, { signature, row }] of steps.entries()) {
    if (signature === null) continue;
    const transaction = transactions.get(signature);
    if (row === null) {
      if (transaction) others.see(transaction, isShared);
    } else {
      listed += 1;
      const effect = seen.has(signature) ? undefined : effects.get(signature);
      seen.add(signature);
      if (!effect) continue;
      for (const [mint, token] of effect.tokens) decimals.set(mint, token.decimals);
      if (row === capital) {
        if (isTransferOf(capitalLamports, effect)) agreeing += 1;
        continue;
      }
      if (row.kind === 'flow' && !isDepositAlone(effect)) continue;
      if (row.kind === 'flow' || agrees(row, effect, report)) agreeing += 1;
      apply(state, effect, row.kind === 'trade' ? row.tokenContractAddress : null);
      if ([...state.holdings.values()].every(({ tokens }) => tokens === 0n)) {
        flatDrawdown.see(state.cashLamports + state.depositLamports);
      }
    }
    // After the last listed one a strategy that ends returns what the creator has.
    if (transaction && (status === 'running' || index <= lastListed)) others.cover(transaction);
  }
  report.compare('transactions', String(listed), String(agreeing));
  if (isShared) {
    report.computed('otherSwaps', String(others.swaps));
  } else {
    report.computed('otherRounds', String(others.rounds));
    report.compare('hiddenSwaps', '0', String(others.swaps));
    report.compare('missingRounds', '0', String(others.missing));
  }
  return { capitalLamports, state, decimals, flatDrawdown };
}

type Step = { signature: string | null; row: PublishedRow | null };

function inOrder(rows: readonly PublishedRow[], all: readonly string[]): Step[] {
  const place = new Map(all.map((signature, index) => [signature, index]));
  const placeOf = ({ signature }: Step): number => place.get(signature ?? '') ?? 0;
  const listed = new Set(rows.map(({ txHash }) => txHash));
  const steps = [
    ...rows.map((row) => ({ signature: row.txHash, row })),
    ...all.filter((signature) => !listed.has(signature)).map((signature) => ({ signature, row: null })),
  ];
  return steps.toSorted((left, right) => placeOf(left) - placeOf(right));
}

/**
 * The wallet's transactions that are not in the record. Rounds of followers who join or leave have the memo of a round; in a
 * transfer SOL and tokens leave together; any other exchange of one for the other is a swap that the record hides. Deposits of
 * token accounts are the creator's.
 *
 * The memo does not tell a round of followers alone from one of the creator's that the record leaves out. But followers who join buy
 * only what the creator holds in that moment, and what he has by the record is in the wallet beside what is theirs.
 */
class Others {
  rounds = 0;
  swaps = 0;
  missing = 0;
  readonly #wallet: string;
  readonly #state: Recomputed;

  constructor(wallet: string, state: Recomputed) {
    this.#wallet = wallet;
    this.#state = state;
  }

  see(transaction: Transaction, isShared: boolean): void {
    const effect = effectOn(this.#wallet, transaction);
    // Whoever pays the fee: only the wallet's own signature lets something leave it.
    if (!effect || !isSignedBy(this.#wallet, transaction)) return;
    if (isRound(transaction)) {
      this.rounds += 1;
      const isJoin = [...effect.tokens].every(([mint, { change }]) => change <= 0n || this.#held(mint) > 0n);
      if (!isJoin) this.missing += 1;
    } else if (isSwap(effect)) this.swaps += 1;
    else return;
    if (isShared) return;
    this.#state.cashLamports -= effect.depositLamports;
    this.#state.depositLamports += effect.depositLamports;
  }

  /** Counts a moment in which the wallet had less than the creator by the record. */
  cover(transaction: Transaction): void {
    if (!isSignedBy(this.#wallet, transaction)) return;
    const { lamports, tokens } = balancesAfter(this.#wallet, transaction);
    const isCovered =
      lamports >= this.#state.cashLamports && [...tokens].every(([mint, amount]) => amount >= this.#held(mint));
    if (!isCovered) this.missing += 1;
  }

  #held(mint: string): bigint {
    return this.#state.holdings.get(mint)?.tokens ?? 0n;
  }
}

function solOf({ solAmount }: PublishedRow): bigint {
  return parseUnits(solAmount, SOL_DECIMALS);
}

/** Nothing but this SOL, and the fee was the sender's. */
function isTransferOf(lamports: bigint, { swapLamports, depositLamports, feeLamports, tokens }: Effect): boolean {
  return swapLamports === lamports && depositLamports === 0n && feeLamports === 0n && tokens.size === 0;
}

/**
 * The deposit of a token account that came back, and its fee. A swap that is listed as a flow would count neither as won nor as lost,
 * and what somebody sends to the wallet is no gain of its creator.
 */
function isDepositAlone({ swapLamports, tokens }: Effect): boolean {
  return swapLamports === 0n && [...tokens.values()].every(({ change }) => change === 0n);
}

function agrees(row: PublishedRow, effect: Effect, report: Report): boolean {
  const before = report.differences;
  const token = effect.tokens.get(row.tokenContractAddress ?? '');
  const compare = (
    key: 'tradeTokens' | 'tradeSol' | 'tradeFee' | 'tradeSide',
    published: string,
    found: string,
  ): void => {
    if (published !== found) report.compare(key, published, found, row.txHash);
  };
  compare('tradeTokens', row.tokenAmount ?? '0', token ? printUnits(magnitude(token.change), token.decimals) : '0');
  compare('tradeSol', row.solAmount, sol(effect.failed ? 0n : magnitude(effect.swapLamports)));
  compare('tradeFee', row.networkFee, sol(effect.feeLamports));
  if (!effect.failed) compare('tradeSide', row.side, token && token.change > 0n ? 'buy' : 'sell');
  return report.differences === before;
}

class Drawdown {
  #peak: bigint;
  #worst = { low: 1n, peak: 1n };

  constructor(start: bigint) {
    this.#peak = start;
  }

  see(equity: bigint): void {
    if (equity > this.#peak) this.#peak = equity;
    if (equity * this.#worst.peak < this.#worst.low * this.#peak) this.#worst = { low: equity, peak: this.#peak };
  }

  percent(): string {
    return printPercent(this.#worst.peak - this.#worst.low, this.#worst.peak);
  }
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function sol(lamports: bigint): string {
  return printUnits(lamports, SOL_DECIMALS);
}
