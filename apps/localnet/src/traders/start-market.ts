import { setTimeout as delay } from 'node:timers/promises';
import type { Chain } from '../chain/chain.ts';
import type { RunningVenue } from '../venue/start-venue.ts';
import type { Venue } from '../venue/venue.ts';
import { LiveMarket } from './live-market.ts';
import { Launchpad } from './launchpad.ts';
import { MarketStateFile } from './market-state.ts';
import { MoneyFlow } from './money-flow.ts';
import { type HistoryTrades, openMarket } from './open-market.ts';
import { createPopulation } from './population.ts';
import { Rugs } from './rugs.ts';
import { SeededRandom } from '@hunter/domain/seeded-random';

const STATE_EVERY_MS = 5_000;
/** After a trade that failed for a reason of our own, so that a fault cannot spin. */
const FAULT_PAUSE_MS = 1_000;

/** Fills a new ledger with tokens and their past, then lets the traders trade until closed. */
export async function startMarket(options: {
  chain: Chain;
  venue: RunningVenue | Venue;
  /** Only the venue's own seed counts: it is the one the ledger was begun with. */
  seed: string;
  tradesPerSecond: number;
  /** For tests, which need no week of candles. */
  historyTrades?: HistoryTrades;
}): Promise<{ close(): Promise<void> }> {
  const { chain, tradesPerSecond } = options;
  const venue = 'venue' in options.venue ? options.venue.venue : options.venue;
  const { seed } = venue;
  const population = createPopulation(seed);
  const file = new MarketStateFile(venue.dataDir);
  const state = await openMarket({
    chain,
    venue,
    population,
    file,
    ...(options.historyTrades === undefined ? {} : { historyTrades: options.historyTrades }),
  });
  const stopping = new AbortController();
  const seconds = (): number => Date.now() / 1000 - state.genesisUnixSeconds - state.pausedSeconds;
  // Each start draws its own luck, but the same luck whenever the market's time is the same.
  const random = new SeededRandom(
    `${seed}:live:${state.lastSeenUnixSeconds - state.genesisUnixSeconds - state.pausedSeconds}`,
  );
  const market = new LiveMarket({ chain, venue, population, genesisUnixSeconds: state.genesisUnixSeconds, random });
  const launchpad = new Launchpad({ chain, venue, population, random, seconds: seconds() });
  const moneyFlow = new MoneyFlow(chain, population);
  const rugs = new Rugs({ chain, venue, genesisUnixSeconds: state.genesisUnixSeconds });
  const step = async (): Promise<void> => {
    await launchpad.tick(seconds());
    await moneyFlow.tick(seconds());
    await rugs.tick(seconds());
    await market.trade(seconds());
  };
  const save = (): void => file.save({ ...state, lastSeenUnixSeconds: Math.floor(Date.now() / 1000) });
  const nextDelayMs = (): number => market.nextDelaySeconds(tradesPerSecond) * 1000;
  const running = tradesPerSecond > 0 ? run({ step, save, nextDelayMs, signal: stopping.signal }) : Promise.resolve();
  return {
    async close() {
      stopping.abort();
      await running;
    },
  };
}

async function run(loop: {
  step: () => Promise<void>;
  save: () => void;
  nextDelayMs: () => number;
  signal: AbortSignal;
}): Promise<void> {
  const { signal } = loop;
  let savedAtMs = 0;
  let dueMs = Date.now();
  while (!signal.aborted) {
    const nowMs = Date.now();
    if (nowMs - savedAtMs >= STATE_EVERY_MS) {
      loop.save();
      savedAtMs = nowMs;
    }
    // Never more than a second of arrears: after a stall the market goes on, it does not catch up.
    dueMs = Math.max(dueMs + loop.nextDelayMs(), nowMs - 1_000);
    try {
      if (dueMs > nowMs) await delay(dueMs - nowMs, undefined, { signal });
      await loop.step();
    } catch (error) {
      if (signal.aborted) break;
      process.stderr.write(`market: a trade failed: ${error instanceof Error ? error.stack : String(error)}\n`);
      await delay(FAULT_PAUSE_MS);
    }
  }
  loop.save();
}
