// The week before the first start, with people in it. The ordinary chain, venue and server run on a clock that is wound
// forward through that week: the simulated market trades up to a moment, then time passes slot by slot while people act,
// then the market goes on. Nothing is written that chain and server would not write on any other day.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SeededRandom } from '@hunter/domain/seeded-random';
import { createChain } from '../chain/open-chain.ts';
import type { LedgerChain } from '../chain/ledger-chain.ts';
import { retentionOf } from '../chain/retention.ts';
import { ledgerFolder, venueFolder } from '../first-market.ts';
import { startRpcHttp } from '../rpc/http-server.ts';
import { startRpcWs } from '../rpc/ws-server.ts';
import { MarketStateFile, type MarketState } from '../traders/market-state.ts';
import { PAST_SECONDS } from '../traders/market-tokens.ts';
import { HISTORY_TRADES, type HistoryTrades } from '../traders/open-market.ts';
import { shareBefore } from '../traders/past-trades.ts';
import { startVenue } from '../venue/start-venue.ts';
import { PastClock, type ServerNews } from './past-clock.ts';
import { PastMarket } from './past-market.ts';
import { PastPeople } from './past-people.ts';

const SLOT_MS = 400;
const HOUR_SECONDS = 3_600;
/** By then every coin has the hour of trades that its reference price needs. */
const FIRST_MOMENT_SECONDS = -PAST_SECONDS + 2 * HOUR_SECONDS;
/** The server leaves after it: what the market trades then, a fifth of the week's trades, is read when the product has started. */
const LAST_MOMENT_SECONDS = -3 * HOUR_SECONDS;
/** Each costs the reading of the market and the marks of all strategies, however much is done at it. */
const MOMENT_EVERY_SECONDS = 17 * HOUR_SECONDS;
/** Slots that a moment may take after everybody has acted: what is unfinished then is carried on at the next one. */
const MOMENT_SLOTS_MAX = 600;
/** Slots without unfinished work after which a moment is over. */
const QUIET_SLOTS = 2;

export type PastOptions = {
  dataDir: string;
  port: number;
  venuePort: number;
  seed: string;
  /** Where the server is that runs on this past's clock. */
  web: string;
  historyTrades?: HistoryTrades;
  momentEverySeconds?: number;
  /** Chain, venue and clock answer; people do nothing before this has returned. */
  onReady: (urls: { rpc: string; rpcWs: string; venue: string; venueKey: string }) => void;
  onProgress: (progress: { percent: number; nowMs: number }) => void;
};

export async function makePast(options: PastOptions): Promise<void> {
  const { dataDir, seed, web, onProgress } = options;
  const genesisUnixSeconds = Math.floor(Date.now() / 1000);
  const clock = new PastClock((genesisUnixSeconds - PAST_SECONDS) * 1000);
  mkdirSync(venueFolder(dataDir), { recursive: true });
  const chain = await createChain({
    dataDir: ledgerFolder(dataDir),
    manualSlots: true,
    now: () => clock.nowMs,
    isFilingAwaited: true,
    retention: retentionOf(0),
  });
  const http = await startRpcHttp(chain, options.port);
  const ws = await startRpcWs(chain, http.port + 1);
  const venue = await startVenue({
    chain,
    port: options.venuePort,
    dataDir: venueFolder(dataDir),
    keyFile: join(dataDir, 'venue-key.pem'),
    seed,
    market: true,
    onPast: (body) => clock.answer(body),
  });
  const state: MarketState = {
    genesisUnixSeconds,
    genesisSlot: Number(chain.slot('processed')) + Math.ceil((PAST_SECONDS * 1000) / SLOT_MS),
    pausedSeconds: 0,
    lastSeenUnixSeconds: genesisUnixSeconds,
  };
  const historyTrades = options.historyTrades ?? HISTORY_TRADES;
  const market = new PastMarket({ chain, venue: venue.venue, state, historyTrades });
  await market.begin();
  const { url: rpc } = http;
  options.onReady({ rpc, rpcWs: ws.url, venue: venue.url, venueKey: venue.venue.certifier.publicKey() });

  const winding = new Winding(chain, clock, market, genesisUnixSeconds);
  const people = new PastPeople({ web, accountsFile: join(dataDir, 'people.json'), seed });
  const tell = (): void => onProgress({ percent: percentAt(winding.seconds), nowMs: clock.nowMs });
  await winding.goTo(FIRST_MOMENT_SECONDS);
  tell();
  await winding.during(people.register());
  while (!(await winding.during(people.areFunded()))) continue;
  for (const moment of moments(seed, options.momentEverySeconds ?? MOMENT_EVERY_SECONDS)) {
    await winding.goTo(moment);
    tell();
    await winding.during(people.act(moment));
  }
  await winding.end();
  await market.trade(winding.seconds, 0);
  clock.move(genesisUnixSeconds * 1000);
  await chain.advanceTo(market.slotAt(0) + 1);
  new MarketStateFile(venueFolder(dataDir)).save(state);
  await venue.close();
  await ws.close();
  await http.close();
  await chain.close();
}

/** Half of the work is the market's trades, which lie close together towards the end, and half what people do all week. */
function percentAt(seconds: number): number {
  return Math.min(99, Math.floor(50 * (1 + seconds / PAST_SECONDS) + 50 * shareBefore(seconds)));
}

function* moments(seed: string, everySeconds: number): Generator<number> {
  const random = new SeededRandom(`${seed}:moments`);
  for (let at = FIRST_MOMENT_SECONDS + 120; at < LAST_MOMENT_SECONDS; at += everySeconds * random.between(0.6, 1.4)) {
    yield Math.round(at);
  }
  yield LAST_MOMENT_SECONDS;
}

/** Moves chain, market and server through the past together. */
class Winding {
  readonly #chain: LedgerChain;
  readonly #clock: PastClock;
  readonly #market: PastMarket;
  readonly #genesisMs: number;

  constructor(chain: LedgerChain, clock: PastClock, market: PastMarket, genesisUnixSeconds: number) {
    this.#chain = chain;
    this.#clock = clock;
    this.#market = market;
    this.#genesisMs = genesisUnixSeconds * 1000;
  }

  /** Seconds of market life. */
  get seconds(): number {
    return (this.#clock.nowMs - this.#genesisMs) / 1000;
  }

  /** Lets the market trade up to a moment, and waits until the server has read it. */
  async goTo(seconds: number): Promise<void> {
    await this.#market.trade(this.seconds, seconds);
    this.#clock.move(this.#genesisMs + seconds * 1000);
    await this.#chain.advanceTo(this.#market.slotAt(seconds) + 1);
    const { nowMs } = this.#clock;
    await this.#clock.tell();
    for (let slots = 0; slots < MOMENT_SLOTS_MAX; slots += 1) {
      const { marketAtMs } = await this.#slot();
      if (marketAtMs !== null && marketAtMs >= nowMs) return;
    }
    throw new Error('the server does not read the market of the past');
  }

  /** Lets slots pass while somebody works, and until what that began is over. */
  async during<T>(work: Promise<T>): Promise<T> {
    const state = { isDone: false };
    const done = work.finally(() => {
      state.isDone = true;
    });
    done.catch(() => undefined);
    let [quiet, rest] = [0, MOMENT_SLOTS_MAX];
    // Whoever works may wait for time to pass, so it passes as long as that takes.
    while (!state.isDone || (quiet < QUIET_SLOTS && rest > 0)) {
      const { unfinished } = await this.#slot();
      quiet = state.isDone && unfinished === 0 ? quiet + 1 : 0;
      if (state.isDone) rest -= 1;
    }
    return done;
  }

  /**
   * Ends the past for the server. What it has begun needs slots to be confirmed, so they pass until it has left: on a chain that
   * stands still it would wait in vain, a minute and a half for every order.
   */
  async end(): Promise<void> {
    let news = await this.#clock.end();
    while (news.hasLeft !== true) news = await this.#slot();
  }

  async #slot(): Promise<ServerNews> {
    this.#clock.move(this.#clock.nowMs + SLOT_MS);
    await this.#chain.advanceSlots(1);
    return this.#clock.tell();
  }
}
