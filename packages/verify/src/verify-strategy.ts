// Recomputes what a strategy's page says from the transactions on chain: amounts, fees, holdings, cost, win rate, equity and yield.
// From the product come the list of transactions, whose the first transfer is, what left the strategy in kind at its end, and the
// addresses and constants of pools. Everything that is counted is read from the chain; a capital without a transfer is taken as published.

import { ChainError, type Chain, type Transaction } from './chain.ts';
import { creatorPart, isRound } from './creator-part.ts';
import { effectOn, isSignedBy, type Effect } from './effect.ts';
import { parseUnits, printPercent, printUnits } from './exact.ts';
import { Pools, sellingReturns } from './pools.ts';
import type { Published, PublishedDetail, PublishedRow } from './published.ts';
import { replay, type Replayed } from './replay.ts';
import { countTrips, isUnsoldAtLoss } from './recompute.ts';
import { Report, type FigureKey } from './report.ts';

const SOL_DECIMALS = 9;
/** A market that moves between two questions makes figures differ; asked again in a quiet moment they must agree. */
const TRIES = 40;
const TRY_PAUSE_MS = 250;
/** The market moves the first four; a creator's round looks left out until the product has shared out its fill. */
const UNSETTLED: ReadonlySet<FigureKey> = new Set(['equity', 'profit', 'yield', 'unsoldAtLoss', 'missingRounds']);
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
    const { detail, report, quiet, unread } = await compareAll(input, pools);
    if (unread !== null && attempt >= SETTLED_TRIES) {
      throw new ChainError(`getTransaction: the node lists ${unread} and does not have it`);
    }
    const settled = settledDifferences(report);
    seen = settled !== '' && settled === before ? seen + 1 : 1;
    before = settled;
    const isSettled = settled !== '' && (detail.status === 'ended' || seen === SETTLED_TRIES);
    if (unread === null && ((quiet && report.differences === 0) || isSettled || attempt === TRIES)) {
      return { name: detail.name, slug: input.slug, wallet: detail.verify.wallet, report };
    }
    input.onProgress?.({ stage: 'compare', done: attempt, total: TRIES });
    await new Promise((resolve) => setTimeout(resolve, TRY_PAUSE_MS));
  }
}

/** The differences that do not go away by waiting, as one text. */
function settledDifferences({ figures }: Report): string {
  return figures
    .filter(({ key, verdict }) => verdict === 'different' && !UNSETTLED.has(key))
    .map(({ key, subject, published, recomputed }) => [key, subject, published, recomputed].join(' '))
    .join('\n');
}

type Compared = { detail: PublishedDetail; report: Report; quiet: boolean; unread: string | null };

/** `quiet` is false where the product's own figures changed meanwhile; `unread` may be a swap that the record hides. */
async function compareAll({ published, chain, slug, onProgress }: VerifyInput, pools: Pools): Promise<Compared> {
  const report = new Report();
  const detail = await published.detail(slug);
  const rows = await published.record(slug, (done) => onProgress?.({ stage: 'record', done, total: null }));
  const { wallet } = detail.verify;
  const all = (await chain.signatures(wallet)).map(({ signature }) => signature);
  const listed = rows.flatMap(({ txHash }) => txHash ?? []);
  const transactions = await chain.transactions([...listed, ...all], (done, total) =>
    onProgress?.({ stage: 'transactions', done, total }),
  );
  const effects = new Map<string, Effect>();
  const creatorId = rows.find(({ allocation }) => allocation)?.allocation?.followId;
  for (const row of rows) {
    const found = row.txHash === null ? undefined : transactions.get(row.txHash);
    // One book has made the record: a large part of what won and a small one of what lost would be those of two.
    if (row.allocation && row.allocation.followId !== creatorId) continue;
    const effect = found && effectOf(row, wallet, found);
    if (effect) effects.set(row.txHash!, effect);
  }
  const history = all.flatMap((signature) => transactions.get(signature) ?? []);
  const isShared = isSharedWallet(detail, history);
  const replayed = replay({ wallet, rows, effects, all, transactions, isShared, status: detail.status }, report);
  if (detail.status === 'ended') compareEnd(detail, rows, replayed, report);
  else await compareRunning(detail, replayed, chain, pools, report);
  compareRecord(detail, replayed, report);
  const after = await published.detail(slug);
  const quiet =
    after.equity === detail.equity && after.closedTrades === detail.closedTrades && after.status === detail.status;
  const unread = all.find((signature) => !transactions.has(signature)) ?? null;
  return { detail, report, quiet, unread };
}

/**
 * Whether other books may trade in the wallet, so that a swap outside the record proves nothing. That a product could say of any wallet,
 * so it is believed only of what such strategies are: ended by the upgrade that gave each one a wallet, and without rounds.
 */
function isSharedWallet({ verify: { wallet, walletKind }, status }: PublishedDetail, history: Transaction[]): boolean {
  if (walletKind === 'strategy' || status !== 'ended') return false;
  return !history.some((transaction) => isSignedBy(wallet, transaction) && isRound(transaction));
}

/** Null where the wallet has no part in it, or the creator's part is not proven. */
function effectOf(row: PublishedRow, wallet: string, transaction: Transaction): Effect | null {
  const whole = effectOn(wallet, transaction);
  if (!whole) return null;
  // Without a proof the followers' parts of a round could pass for the creator's.
  if (!row.allocation) return isRound(transaction) && !whole.failed ? null : whole;
  const feeLamports = parseUnits(row.networkFee, SOL_DECIMALS);
  // Of a round that failed, the creator bears at most the fee; nothing was traded.
  if (whole.failed) return feeLamports >= 0n && feeLamports <= whole.feeLamports ? { ...whole, feeLamports } : null;
  const decimals = whole.tokens.get(row.allocation.mint)?.decimals;
  if (decimals === undefined) return null;
  const lamports = parseUnits(row.solAmount, SOL_DECIMALS);
  const tokens = parseUnits(row.tokenAmount ?? '0', decimals);
  return creatorPart(whole, transaction, row.allocation, { lamports, tokens, feeLamports });
}

async function compareRunning(
  detail: PublishedDetail,
  { capitalLamports, state, decimals }: Replayed,
  chain: Chain,
  pools: Pools,
  report: Report,
): Promise<void> {
  const held = [...state.holdings].filter(([, { tokens }]) => tokens > 0n);
  const { found, foreign } = await pools.load(
    chain,
    held.map(([mint]) => mint),
  );
  let equity: bigint | null = state.cashLamports + state.depositLamports;
  let unsoldAtLoss = 0;
  for (const [mint, holding] of held) {
    const { tokens, costLamports } = holding;
    const pool = found.get(mint);
    const value = pool ? sellingReturns(pool, tokens) : null;
    equity = equity === null || value === null ? null : equity + value;
    if (value !== null && isUnsoldAtLoss(holding, value)) unsoldAtLoss += 1;
    const position = detail.positions.find((row) => row.tokenContractAddress === mint);
    const symbol = position?.tokenSymbol ?? mint;
    report.compare('held', position?.amount ?? '0', printUnits(tokens, decimals.get(mint)!), symbol);
    report.compare('cost', position?.cost ?? '-', sol(costLamports), symbol);
  }
  for (const [mint, { tokens }] of state.holdings) {
    // More was sold than the record says was bought.
    if (tokens < 0n) report.compare('held', '0', printUnits(tokens, decimals.get(mint)!), mint);
  }
  const published = found.size + foreign.length;
  if (published > 0) report.compare('poolVaults', String(published), String(found.size));
  report.compare('coinsHeld', String(detail.positions.length), String(held.length));
  report.compare('freeSol', detail.freeSol, sol(state.cashLamports));
  compareEquity(detail, equity, capitalLamports, report);
  if (equity === null) report.published('unsoldAtLoss', String(detail.unsoldAtLoss));
  else report.compare('unsoldAtLoss', String(detail.unsoldAtLoss), String(unsoldAtLoss));
}

/** Null where a coin has no pool that could be read: then the figures stay as published. */
function compareEquity(detail: PublishedDetail, equity: bigint | null, capital: bigint, report: Report): void {
  const publishedProfit = sol(parseUnits(detail.equity, SOL_DECIMALS) - parseUnits(detail.capitalAmount, SOL_DECIMALS));
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
  { capitalLamports, state, decimals }: Replayed,
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
  // With what the record says they counted when they left; a coin that it leaves out counted nothing.
  const values = new Map(inKind.map((row) => [row.tokenContractAddress, parseUnits(row.solAmount, SOL_DECIMALS)]));
  const atLoss = [...state.holdings].filter(([mint, holding]) => isUnsoldAtLoss(holding, values.get(mint) ?? 0n));
  report.compare('unsoldAtLoss', String(detail.unsoldAtLoss), String(atLoss.length));
  report.compare('solReturned', returned?.solAmount ?? '0', sol(equity));
  // What tokens that left in kind were worth depends on pools as they were in that moment.
  if (inKind.length > 0) {
    report.published('yield', detail.yieldRate);
    return;
  }
  report.compare('yield', detail.yieldRate, printPercent(equity - capitalLamports, capitalLamports));
}

function compareRecord(detail: PublishedDetail, { state, flatDrawdown }: Replayed, report: Report): void {
  const trips = countTrips(state);
  report.compare('closedTrips', String(detail.closedTrades), String(trips));
  const winRate = printPercent(BigInt(state.wonTrips), BigInt(trips));
  report.compare('winRate', detail.winRate ?? '-', winRate);
  report.computed('realized', sol(state.realizedLamports));
  report.computed('networkFees', sol(state.feeLamports));
  const drawdown = detail.maxDrawdown ?? '-';
  // Between buying and selling the drawdown depends on the pools' past; only without a coin it is the wallet's SOL alone.
  if (state.holdings.size === 0) report.compare('drawdown', drawdown, flatDrawdown.percent());
  else report.published('drawdown', drawdown);
}

function sol(lamports: bigint): string {
  return printUnits(lamports, SOL_DECIMALS);
}
