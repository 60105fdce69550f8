// Recomputes what a strategy's page says from the transactions on chain: amounts, fees, holdings, cost, win rate, equity and yield.
// From the product come the list of transactions, the capital, what left the strategy in kind at its end, and the
// accounts and constants of pools. Everything that is counted is read from the chain.

import type { Chain, Transaction } from './chain.ts';
import { creatorPart, isRound } from './creator-part.ts';
import { effectOn, isSignedBy, isSwap, type Effect } from './effect.ts';
import { parseUnits, printPercent, printUnits } from './exact.ts';
import { Pools, sellingReturns } from './pools.ts';
import type { Published, PublishedDetail, PublishedRow } from './published.ts';
import { apply, begin, type Recomputed } from './recompute.ts';
import { Report, type FigureKey } from './report.ts';

const SOL_DECIMALS = 9;
/** A market that moves between two questions makes figures differ; asked again in a quiet moment they must agree. */
const TRIES = 40;
const TRY_PAUSE_MS = 250;
/** Of a running strategy. */
const MOVED_BY_PRICES: ReadonlySet<FigureKey> = new Set(['equity', 'profit', 'yield']);
/** A trade may be on chain a moment before the product lists it; what differs in the same way this often is no such moment. */
const SETTLED_TRIES = 4;

export type Progress = { stage: 'record' | 'transactions' | 'compare'; done: number; total: number | null };

export type VerifyInput = {
  published: Published;
  chain: Chain;
  slug: string;
  onProgress?: (progress: Progress) => void;
};

export type StrategyReport = { name: string; slug: string; wallet: string; report: Report };

export async function verifyStrategy(input: VerifyInput): Promise<StrategyReport> {
  const pools = new Pools(input.published);
  let before = '';
  let seen = 0;
  for (let attempt = 1; ; attempt += 1) {
    const { detail, report, quiet } = await compareAll(input, pools);
    const settled = settledDifferences(report);
    seen = settled !== '' && settled === before ? seen + 1 : 1;
    before = settled;
    const isSettled = settled !== '' && (detail.status === 'ended' || seen === SETTLED_TRIES);
    if ((quiet && report.differences === 0) || isSettled || attempt === TRIES) {
      return { name: detail.name, slug: input.slug, wallet: detail.verify.wallet, report };
    }
    input.onProgress?.({ stage: 'compare', done: attempt, total: TRIES });
    await new Promise((resolve) => setTimeout(resolve, TRY_PAUSE_MS));
  }
}

/** The differences in figures that no price moves, as one text. */
function settledDifferences({ figures }: Report): string {
  return figures
    .filter(({ key, verdict }) => verdict === 'different' && !MOVED_BY_PRICES.has(key))
    .map(({ key, subject, published, recomputed }) => [key, subject, published, recomputed].join(' '))
    .join('\n');
}

type Compared = { detail: PublishedDetail; report: Report; quiet: boolean };

/** `quiet` is false where the product's own figures changed meanwhile. */
async function compareAll({ published, chain, slug, onProgress }: VerifyInput, pools: Pools): Promise<Compared> {
  const report = new Report();
  const detail = await published.detail(slug);
  const rows = await published.record(slug, (done) => onProgress?.({ stage: 'record', done, total: null }));
  const listed = rows.flatMap(({ txHash }) => txHash ?? []);
  const all = detail.verify.walletKind === 'strategy' ? await chain.signatures(detail.verify.wallet) : [];
  const transactions = await chain.transactions([...listed, ...all.map(({ signature }) => signature)], (done, total) =>
    onProgress?.({ stage: 'transactions', done, total }),
  );
  const effects = new Map<string, Effect>();
  for (const row of rows) {
    const found = row.txHash === null ? undefined : transactions.get(row.txHash);
    const effect = found && effectOf(row, detail.verify.wallet, found);
    if (effect) effects.set(row.txHash!, effect);
  }
  const place = new Map(all.map(({ signature }, index) => [signature, index]));
  const placeOf = ({ txHash }: PublishedRow): number => place.get(txHash ?? '') ?? 0;
  // In the order of the chain: its blocks know whole seconds only, so a buy and its sale may be published with one time. In a wallet
  // with other books the published order is all there is.
  const inOrder = rows.toSorted((left, right) => placeOf(left) - placeOf(right));
  const replayed = replay(inOrder, effects, report);
  if (detail.verify.walletKind === 'strategy') {
    const known = new Set(listed);
    const others = all.filter(({ signature }) => !known.has(signature));
    accountForOthers(
      detail.verify.wallet,
      others.flatMap(({ signature }) => transactions.get(signature) ?? []),
      replayed,
      report,
    );
  }
  if (detail.status === 'ended') compareEnd(detail, rows, replayed, report);
  else await compareRunning(detail, replayed, chain, pools, report);
  compareRecord(detail, replayed, report);
  const after = await published.detail(slug);
  const quiet =
    after.equity === detail.equity && after.closedTrades === detail.closedTrades && after.status === detail.status;
  return { detail, report, quiet };
}

/** Null where the wallet has no part in it, or the creator's part is not proven. */
function effectOf(row: PublishedRow, wallet: string, transaction: Transaction): Effect | null {
  const whole = effectOn(wallet, transaction);
  if (!whole || !row.allocation) return whole;
  const feeLamports = parseUnits(row.networkFee, SOL_DECIMALS);
  // Of a round that failed, the creator bears at most the fee; nothing was traded.
  if (whole.failed) return feeLamports <= whole.feeLamports ? { ...whole, feeLamports } : null;
  const decimals = whole.tokens.get(row.allocation.mint)?.decimals;
  if (decimals === undefined) return null;
  const lamports = parseUnits(row.solAmount, SOL_DECIMALS);
  const tokens = parseUnits(row.tokenAmount ?? '0', decimals);
  return creatorPart(whole, transaction, row.allocation, { lamports, tokens, feeLamports });
}

/**
 * The wallet's transactions that are not in the record. Rounds of followers who join or leave have the memo of a round; in a
 * transfer SOL and tokens leave together; any other exchange of one for the other is a swap that the record hides. Deposits of
 * token accounts are the creator's.
 */
function accountForOthers(wallet: string, others: readonly Transaction[], { state }: Replayed, report: Report): void {
  let rounds = 0;
  let hidden = 0;
  for (const transaction of others) {
    const effect = effectOn(wallet, transaction);
    // Whoever pays the fee: only the wallet's own signature lets something leave it.
    if (!effect || !isSignedBy(wallet, transaction)) continue;
    if (isRound(transaction)) rounds += 1;
    else if (isSwap(effect)) hidden += 1;
    else continue;
    state.cashLamports -= effect.depositLamports;
    state.depositLamports += effect.depositLamports;
  }
  report.computed('otherRounds', String(rounds));
  report.compare('hiddenSwaps', '0', String(hidden));
}

type Replayed = { state: Recomputed; decimals: ReadonlyMap<string, number>; flatDrawdown: Drawdown };

/** Every row against its own transaction, and all of them together into a state that only the chain has fed. */
function replay(rows: readonly PublishedRow[], effects: ReadonlyMap<string, Effect>, report: Report): Replayed {
  const capital = rows.find((row) => row.kind === 'flow' && row.side === 'in' && row.txHash === null);
  const state = begin(parseUnits(capital?.solAmount ?? '0', SOL_DECIMALS));
  const decimals = new Map<string, number>();
  const flatDrawdown = new Drawdown(state.cashLamports);
  const seen = new Set<string>();
  let agreeing = 0;
  let listed = 0;
  for (const row of rows) {
    if (row.txHash === null) continue;
    listed += 1;
    const effect = seen.has(row.txHash) ? undefined : effects.get(row.txHash);
    seen.add(row.txHash);
    if (!effect) continue;
    for (const [mint, token] of effect.tokens) decimals.set(mint, token.decimals);
    // A swap that is listed as a flow would count neither as won nor as lost.
    if (row.kind === 'flow' ? !isSwap(effect) : agrees(row, effect, report)) agreeing += 1;
    apply(state, effect, row.kind === 'trade' ? row.tokenContractAddress : null);
    if ([...state.holdings.values()].every(({ tokens }) => tokens === 0n)) {
      flatDrawdown.see(state.cashLamports + state.depositLamports);
    }
  }
  report.compare('transactions', String(listed), String(agreeing));
  return { state, decimals, flatDrawdown };
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

async function compareRunning(
  detail: PublishedDetail,
  { state, decimals }: Replayed,
  chain: Chain,
  pools: Pools,
  report: Report,
): Promise<void> {
  const held = [...state.holdings].filter(([, { tokens }]) => tokens > 0n);
  const onChain = await pools.load(
    chain,
    held.map(([mint]) => mint),
  );
  let equity: bigint | null = state.cashLamports + state.depositLamports;
  for (const [mint, { tokens, costLamports }] of held) {
    const pool = onChain.get(mint);
    equity = equity === null || !pool ? null : equity + sellingReturns(pool, tokens);
    const position = detail.positions.find((row) => row.tokenContractAddress === mint);
    const symbol = position?.tokenSymbol ?? mint;
    report.compare('held', position?.amount ?? '0', printUnits(tokens, decimals.get(mint)!), symbol);
    report.compare('cost', position?.cost ?? '-', sol(costLamports), symbol);
  }
  for (const [mint, { tokens }] of state.holdings) {
    // More was sold than the record says was bought.
    if (tokens < 0n) report.compare('held', '0', printUnits(tokens, decimals.get(mint)!), mint);
  }
  report.compare('coinsHeld', String(detail.positions.length), String(held.length));
  report.compare('freeSol', detail.freeSol, sol(state.cashLamports));
  compareEquity(detail, equity, report);
}

/** Null where a coin has no pool that could be read: then the figures stay as published. */
function compareEquity(detail: PublishedDetail, equity: bigint | null, report: Report): void {
  const capital = parseUnits(detail.capitalAmount, SOL_DECIMALS);
  const publishedProfit = sol(parseUnits(detail.equity, SOL_DECIMALS) - capital);
  if (equity === null) {
    report.published('equity', detail.equity);
    report.published('profit', publishedProfit);
    report.published('yield', detail.yieldRate);
    return;
  }
  report.compare('equity', detail.equity, sol(equity));
  report.compare('profit', publishedProfit, sol(equity - capital));
  report.compare('yield', detail.yieldRate, printPercent(equity - capital, capital));
}

function compareEnd(
  detail: PublishedDetail,
  rows: readonly PublishedRow[],
  { state, decimals }: Replayed,
  report: Report,
): void {
  const handedOver = rows.filter((row) => row.kind === 'flow' && row.side === 'out');
  const inKind = handedOver.filter((row) => row.tokenContractAddress !== null);
  for (const row of inKind) {
    const mint = row.tokenContractAddress!;
    const held = state.holdings.get(mint)?.tokens ?? 0n;
    const units = decimals.get(mint);
    // In none of the transactions there was anything of it.
    const found = units === undefined ? '0' : printUnits(held, units);
    report.compare('handedOver', row.tokenAmount ?? '0', found, row.tokenSymbol);
  }
  const returned = handedOver.find((row) => row.tokenContractAddress === null);
  const equity = state.cashLamports + state.depositLamports;
  report.compare('solReturned', returned?.solAmount ?? '0', sol(equity));
  // What tokens that left in kind were worth depends on pools as they were in that moment.
  if (inKind.length > 0) {
    report.published('yield', detail.yieldRate);
    return;
  }
  const capital = parseUnits(detail.capitalAmount, SOL_DECIMALS);
  report.compare('yield', detail.yieldRate, printPercent(equity - capital, capital));
}

function compareRecord(detail: PublishedDetail, { state, flatDrawdown }: Replayed, report: Report): void {
  report.compare('closedTrips', String(detail.closedTrades), String(state.closedTrips));
  const winRate = state.closedTrips === 0 ? '-' : printPercent(BigInt(state.wonTrips), BigInt(state.closedTrips));
  report.compare('winRate', detail.winRate ?? '-', winRate);
  report.computed('realized', sol(state.realizedLamports));
  report.computed('networkFees', sol(state.feeLamports));
  const drawdown = detail.maxDrawdown ?? '-';
  // Between buying and selling the drawdown depends on the pools' past; only without a coin it is the wallet's SOL alone.
  if (state.holdings.size === 0) report.compare('drawdown', drawdown, flatDrawdown.percent());
  else report.published('drawdown', drawdown);
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
