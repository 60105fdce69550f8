import { setTimeout as delay } from 'node:timers/promises';
import type { Chain } from '../ledger/chain.ts';
import type { RunningVenue } from '../venue/start-venue.ts';
import type { Venue } from '../venue/venue.ts';
import { LiveMarket } from './live-market.ts';
import { type MarketState, MarketStateFile } from './market-state.ts';
import { openMarket } from './open-market.ts';
import { createPopulation } from './population.ts';

const STATE_EVERY_MS = 5_000;
/** After a trade that failed for a reason of our own, so that a fault cannot spin. */
const FAULT_PAUSE_MS = 1_000;

/** Fills a new ledger with tokens and their past, then lets the traders trade until closed. */
export async function startMarket(options: {
  chain: Chain;
  venue: RunningVenue | Venue;
  seed: string;
  tradesPerSecond: number;
}): Promise<{ close(): Promise<void> }> {
  const { chain, tradesPerSecond, seed } = options;
  const venue = 'venue' in options.venue ? options.venue.venue : options.venue;
  const population = createPopulation(seed);
  const file = new MarketStateFile(venue.dataDir);
  const state = await openMarket({ chain, venue, population, file });
  const stopping = new AbortController();
  const market = new LiveMarket({
    chain,
    venue,
    population,
    genesisUnixSeconds: state.genesisUnixSeconds,
    runKey: String(state.lastSeenUnixSeconds - state.pausedSeconds),
  });
  const running = tradesPerSecond > 0 ? run(market, state, file, tradesPerSecond, stopping.signal) : Promise.resolve();
  return {
    async close() {
      stopping.abort();
      await running;
    },
  };
}

async function run(
  market: LiveMarket,
  state: MarketState,
  file: MarketStateFile,
  tradesPerSecond: number,
  signal: AbortSignal,
): Promise<void> {
  let savedAtMs = 0;
  let dueMs = Date.now();
  while (!signal.aborted) {
    const nowMs = Date.now();
    if (nowMs - savedAtMs >= STATE_EVERY_MS) {
      state.lastSeenUnixSeconds = Math.floor(nowMs / 1000);
      file.save(state);
      savedAtMs = nowMs;
    }
    // Never more than a second of arrears: after a stall the market goes on, it does not catch up.
    dueMs = Math.max(dueMs + market.nextDelaySeconds(tradesPerSecond) * 1000, nowMs - 1_000);
    try {
      if (dueMs > nowMs) await delay(dueMs - nowMs, undefined, { signal });
      await market.trade(Date.now() / 1000 - state.genesisUnixSeconds - state.pausedSeconds);
    } catch (error) {
      if (signal.aborted) break;
      process.stderr.write(`market: a trade failed: ${error instanceof Error ? error.stack : String(error)}\n`);
      await delay(FAULT_PAUSE_MS);
    }
  }
  state.lastSeenUnixSeconds = Math.floor(Date.now() / 1000);
  file.save(state);
}
