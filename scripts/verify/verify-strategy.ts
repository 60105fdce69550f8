import { effectOn, type Chain } from './chain.ts';
import { parseUnits, printPercent, printUnits } from './exact.ts';
import { readDetail, readRecord, type PublishedDetail, type PublishedRow } from './published.ts';
import { apply, begin, sellingReturns, type Recomputed } from './recompute.ts';
import type { Venue } from './venue.ts';

const SOL_DECIMALS = 9;
/** A market that moves between two questions makes figures differ; asked again in a quiet moment they must agree. */
const TRIES = 40;
const TRY_PAUSE_MS = 250;

type Input = { web: string; slug: string; chain: Chain; venue: Venue };

class Report {
  differences = 0;
  readonly #lines: string[] = [];

  compare(name: string, product: string, chain: string): void {
    const same = product === chain;
    if (!same) this.differences += 1;
    this.#lines.push(`  ${same ? ' ' : '≠'} ${name.padEnd(28)} ${product.padStart(24)} ${chain.padStart(24)}`);
  }

  note(text: string): void {
    this.#lines.push(`    ${text}`);
  }

  print(title: string): void {
    process.stdout.write(
      `\n${title}\n    ${''.padEnd(28)} ${'product'.padStart(24)} ${'from the chain'.padStart(24)}\n`,
    );
    process.stdout.write(`${this.#lines.join('\n')}\n`);
  }
}

/** Answers how many figures differ. */
export async function verifyStrategy(input: Input): Promise<number> {
  let last: Report | null = null;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const report = new Report();
    const quiet = await compareAll(input, report);
    last = report;
    if (quiet && report.differences === 0) break;
    await new Promise((resolve) => setTimeout(resolve, TRY_PAUSE_MS));
  }
  last!.print(input.slug);
  return last!.differences;
}

/** False where the product's own figures changed meanwhile. */
async function compareAll({ web, slug, chain, venue }: Input, report: Report): Promise<boolean> {
  const before = await readDetail(web, slug);
  const rows = await readRecord(web, slug);
  const state = await replay(rows, before.verify.wallet, chain, report);
  const handedOver = rows.filter((row) => row.kind === 'flow' && row.side === 'out');
  if (before.status === 'ended') compareEnd(before, handedOver, state, report);
  else await compareRunning(before, state, chain, venue, report);
  report.compare('closed round trips', String(before.closedTrades), String(state.closedTrips));
  const winRate = state.closedTrips === 0 ? '-' : printPercent(BigInt(state.wonTrips), BigInt(state.closedTrips));
  report.compare('win rate %', before.winRate ?? '-', winRate);
  report.note(`realised ${sol(state.realisedLamports)} SOL, network fees ${sol(state.feeLamports)} SOL`);
  const after = await readDetail(web, slug);
  return after.equity === before.equity && after.closedTrades === before.closedTrades && after.status === before.status;
}

/** Every row against its own transaction, and all of them together into a state that only the chain has fed. */
async function replay(
  rows: readonly PublishedRow[],
  wallet: string,
  chain: Chain,
  report: Report,
): Promise<Recomputed> {
  const capital = rows.find((row) => row.kind === 'flow' && row.side === 'in' && row.txHash === null);
  const state = begin(parseUnits(capital?.solAmount ?? '0', SOL_DECIMALS));
  const seen = new Set<string>();
  let agreeing = 0;
  let transactions = 0;
  for (const row of rows) {
    if (row.txHash === null) continue;
    transactions += 1;
    const transaction = seen.has(row.txHash) ? null : await chain.transaction(row.txHash);
    seen.add(row.txHash);
    if (transaction === null) {
      report.compare(`transaction ${row.txHash.slice(0, 12)}…`, row.side, 'not found');
      continue;
    }
    const effect = effectOn(wallet, transaction);
    const mint = row.tokenContractAddress;
    if (row.kind === 'trade' && mint !== null && (await matches(row, mint, effect, chain, report))) agreeing += 1;
    if (row.kind === 'flow') agreeing += 1;
    apply(state, effect, row.kind === 'trade' ? mint : null);
  }
  report.compare('transactions that agree', String(transactions), String(agreeing));
  return state;
}

async function matches(
  row: PublishedRow,
  mint: string,
  effect: ReturnType<typeof effectOn>,
  chain: Chain,
  report: Report,
): Promise<boolean> {
  const differencesBefore = report.differences;
  const decimals = await decimalsOf(chain, mint);
  const tokens = effect.tokens.get(mint) ?? 0n;
  const check = (name: string, product: string, found: string): void => {
    if (product !== found) report.compare(`${row.txHash!.slice(0, 8)}… ${name}`, product, found);
  };
  const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
  check('tokens', row.tokenAmount ?? '0', printUnits(magnitude(tokens), decimals));
  check('SOL', row.solAmount, sol(effect.failed ? 0n : magnitude(effect.swapLamports)));
  check('fee', row.networkFee, sol(effect.feeLamports));
  if (!effect.failed) check('side', row.side, tokens > 0n ? 'buy' : 'sell');
  return report.differences === differencesBefore;
}

const decimalsKnown = new Map<string, number>();
async function decimalsOf(chain: Chain, mint: string): Promise<number> {
  const known = decimalsKnown.get(mint) ?? (await chain.decimals(mint));
  decimalsKnown.set(mint, known);
  return known;
}

async function compareRunning(
  product: PublishedDetail,
  state: Recomputed,
  chain: Chain,
  venue: Venue,
  report: Report,
): Promise<void> {
  let equity = state.cashLamports + state.depositLamports;
  const held = [...state.holdings].filter(([, { tokens }]) => tokens > 0n);
  for (const [mint, { tokens, costLamports }] of held) {
    equity += sellingReturns(await venue.pool(chain, mint), tokens);
    const position = product.positions.find((row) => row.tokenContractAddress === mint);
    const name = position?.tokenSymbol ?? mint.slice(0, 8);
    report.compare(`${name} held`, position?.amount ?? '0', printUnits(tokens, await decimalsOf(chain, mint)));
    report.compare(`${name} cost`, position?.cost ?? '-', sol(costLamports));
  }
  report.compare('coins held', String(product.positions.length), String(held.length));
  report.compare('free SOL', product.freeSol, sol(state.cashLamports));
  compareMoney(product, equity, report);
}

function compareEnd(
  product: PublishedDetail,
  handedOver: readonly PublishedRow[],
  state: Recomputed,
  report: Report,
): void {
  const inKind = handedOver.filter((row) => row.tokenContractAddress !== null);
  for (const row of inKind) {
    const held = state.holdings.get(row.tokenContractAddress!)?.tokens ?? 0n;
    const decimals = decimalsKnown.get(row.tokenContractAddress!) ?? 0;
    report.compare(`${row.tokenSymbol} handed over`, row.tokenAmount ?? '0', printUnits(held, decimals));
  }
  const returned = handedOver.find((row) => row.tokenContractAddress === null);
  const equity = state.cashLamports + state.depositLamports;
  report.compare('SOL returned', returned?.solAmount ?? '0', sol(equity));
  // The value of tokens that left in kind depends on pools as they were in that moment; it is taken as published.
  const value = inKind.reduce((sum, row) => sum + parseUnits(row.solAmount, SOL_DECIMALS), 0n);
  if (inKind.length > 0) report.note(`tokens worth ${sol(value)} SOL left in kind, valued as published`);
  const capital = parseUnits(product.capitalAmount, SOL_DECIMALS);
  report.compare('yield %', product.yieldRate, printPercent(equity + value - capital, capital));
}

function compareMoney(product: PublishedDetail, equity: bigint, report: Report): void {
  const capital = parseUnits(product.capitalAmount, SOL_DECIMALS);
  report.compare('equity SOL', product.equity, sol(equity));
  report.compare('profit SOL', sol(parseUnits(product.equity, SOL_DECIMALS) - capital), sol(equity - capital));
  report.compare('yield %', product.yieldRate, printPercent(equity - capital, capital));
}

function sol(lamports: bigint): string {
  return printUnits(lamports, SOL_DECIMALS);
}
