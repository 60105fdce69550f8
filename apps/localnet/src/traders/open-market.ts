import type { Address } from '@hunter/solana/address';
import type { Chain, LedgerTransaction } from '../chain/chain.ts';
import type { Venue } from '../venue/venue.ts';
import { LAUNCHPAD_LAMPORTS, launchpadKeypair } from './launchpad.ts';
import { allocate } from './market-setup.ts';
import type { MarketState, MarketStateFile } from './market-state.ts';
import { genesisTokens } from './market-tokens.ts';
import { PastWriter, type UnsignedPast } from './past-transaction.ts';
import { type PastTrade, pastTrades } from './past-trades.ts';
import { PastAccounts, type PastToken } from './past-accounts.ts';
import { circleOf, type SimulatedWallet } from './population.ts';
import { devKeypair } from './simulated-token.ts';

const DEV_LAMPORTS = 500_000_000_000n;
/** How many trades of the past a lively token gets, between these; others get fewer. */
export type HistoryTrades = { min: number; max: number };
/** Small enough that the trades of a week never stand in memory together. */
const SIGN_BATCH = 250;
/** The view compares the last day with the one before. */
const VIEW_SECONDS = 49 * 3_600;
export const HISTORY_TRADES: HistoryTrades = historyTradesFrom(375);

/** Lively tokens differ from each other: the busiest has this many times the trades of the calmest. */
export function historyTradesFrom(min: number): HistoryTrades {
  return { min, max: Math.round(min * 1.72) };
}

/** Brings the market up: a new one on a new ledger, the known one otherwise. */
export async function openMarket(input: {
  chain: Chain;
  venue: Venue;
  population: readonly SimulatedWallet[];
  file: MarketStateFile;
  historyTrades?: HistoryTrades;
}): Promise<MarketState> {
  const { chain, venue, file } = input;
  const now = chain.unixTimestamp();
  const known = chain.isFresh() ? null : file.load();
  const state: MarketState = known ?? {
    genesisUnixSeconds: now,
    genesisSlot: Number(chain.slot('processed')),
    pausedSeconds: 0,
    lastSeenUnixSeconds: now,
  };
  if (known !== null) state.pausedSeconds += Math.max(0, now - known.lastSeenUnixSeconds);
  file.save({ ...state, lastSeenUnixSeconds: now });
  // The list of tokens is written last, so its absence means that the market was never finished.
  if (venue.listings().length === 0) await createMarket(input, state, input.historyTrades ?? HISTORY_TRADES);
  return state;
}

async function createMarket(
  { chain, venue, population }: { chain: Chain; venue: Venue; population: readonly SimulatedWallet[] },
  state: MarketState,
  historyTrades: HistoryTrades,
): Promise<void> {
  const { seed } = venue;
  const { accounts, circles } = firstAccounts(seed, population, state.genesisUnixSeconds);
  const listings = accounts.tokens.map(({ token }) => token.listing);
  for (const listing of listings) venue.pools.add(listing);
  const balances = new Map<Address, bigint>();
  const writer = new PastWriter({
    seed,
    reference: venue.address,
    genesisUnixSeconds: state.genesisUnixSeconds,
    lamportsOf: (address) => {
      const known = balances.get(address) ?? chain.account(address)?.lamports ?? 0n;
      balances.set(address, known);
      return known;
    },
  });
  const { genesisUnixSeconds, genesisSlot } = state;
  const { min: tradesMin, max: tradesMax } = historyTrades;
  const trades = pastTrades({ seed, accounts, circles, genesisUnixSeconds, genesisSlot, tradesMin, tradesMax });
  const recorded = recordedPast(trades, writer, ({ seconds }, transaction) => {
    if (seconds > -VIEW_SECONDS) venue.view.record(transaction);
  });
  // A ledger that holds transactions already cannot take a past. One that was killed right here has most of it; the
  // rest is worked out again all the same, because the accounts below depend on it.
  if (chain.isFresh()) await chain.importPast(recorded);
  else for await (const _ of recorded) continue;
  await chain.setAccounts([...accounts.writes()]);
  // The venue answers while its past is being written; what somebody asked about before has no reserves yet.
  for (const pool of venue.pools.all()) pool.forgetReserves();
  venue.view.save();
  venue.list(listings);
}

type Signed = { taker: Uint8Array; pool: Uint8Array };
type SigningBatch = { trades: { trade: PastTrade; unsigned: UnsignedPast }[]; signatures: Promise<Signed[]> };

/** Trades are worked out on this thread while those before them are being signed on others. */
async function* recordedPast(
  trades: Iterable<PastTrade>,
  writer: PastWriter,
  record: (trade: PastTrade, transaction: LedgerTransaction) => void,
): AsyncGenerator<LedgerTransaction> {
  let signing: SigningBatch | null = null;
  for (const batch of signingBatches(trades, writer)) {
    if (signing !== null) yield* written(signing, writer, record);
    signing = batch;
  }
  if (signing !== null) yield* written(signing, writer, record);
}

function* signingBatches(trades: Iterable<PastTrade>, writer: PastWriter): Generator<SigningBatch> {
  let batch: SigningBatch['trades'] = [];
  let signatures: Promise<Signed>[] = [];
  for (const trade of trades) {
    const unsigned = writer.compile(trade);
    const { taker, pool } = writer.signers(trade);
    const both = [taker.signAside(unsigned.messageBytes), pool.signAside(unsigned.messageBytes)] as const;
    batch.push({ trade, unsigned });
    signatures.push(Promise.all(both).then(([first, second]) => ({ taker: first, pool: second })));
    if (batch.length < SIGN_BATCH) continue;
    yield { trades: batch, signatures: Promise.all(signatures) };
    batch = [];
    signatures = [];
  }
  yield { trades: batch, signatures: Promise.all(signatures) };
}

async function* written(
  { trades, signatures }: SigningBatch,
  writer: PastWriter,
  record: (trade: PastTrade, transaction: LedgerTransaction) => void,
): AsyncGenerator<LedgerTransaction> {
  const signed = await signatures;
  for (const [i, { trade, unsigned }] of trades.entries()) {
    const transaction = writer.write(trade, unsigned, signed[i]!);
    record(trade, transaction);
    yield transaction;
  }
}

/** Everybody and everything as it was before the first trade. */
export function firstAccounts(
  seed: string,
  population: readonly SimulatedWallet[],
  genesisUnixSeconds: number,
): { accounts: PastAccounts; circles: Map<PastToken, SimulatedWallet[]> } {
  const tokens = genesisTokens(seed, genesisUnixSeconds);
  const devs = tokens.map(({ listing }) => [devKeypair(seed, listing.index).address, DEV_LAMPORTS] as const);
  const traders = population.map(({ keypair, startLamports }) => [keypair.address, startLamports] as const);
  const accounts = new PastAccounts(seed, [...devs, ...traders, [launchpadKeypair(seed).address, LAUNCHPAD_LAMPORTS]]);
  const circles = new Map<PastToken, SimulatedWallet[]>();
  for (const token of tokens) {
    const circle = circleOf(seed, population, token.listing);
    const past = accounts.addToken(
      token,
      allocate(seed, token, population),
      circle.map(({ keypair }) => keypair.address),
    );
    circles.set(past, circle);
  }
  return { accounts, circles };
}
