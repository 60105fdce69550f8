import { afterEach, beforeEach, expect, it } from 'vitest';
import { LocalBus } from '../platform/bus/local-bus.ts';
import { systemClock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import { MARKET_SUBJECT, MarketFeed, type MarketNews } from './market-feed.ts';
import { MarketFollower } from './market-follower.ts';
import type { MarketStore } from './market-store.ts';
import type { MarketReads } from './reads/market-reads.ts';
import type { TokenSafetyIndex } from './safety/token-safety-index.ts';
import type { StoredTrade } from './stored-trade.ts';

const log = createLog('silent');
const trade = (seq: bigint) => ({ seq }) as StoredTrade;
let bus: LocalBus;
let done: string[];
let follower: MarketFollower;
let nowMs: number;
const clock = { ...systemClock, nowMs: () => nowMs };

beforeEach(async () => {
  bus = new LocalBus();
  done = [];
  nowMs = 1_000;
  const note = async (what: string) => void done.push(what);
  const store = {
    tokens: {
      load: () => note('tokens'),
      reload: (ids: number[]) => (ids.length > 0 ? note(`saved ${ids.join()}`) : Promise.resolve()),
    },
    tell: (trades: StoredTrade[]) =>
      void (trades.length > 0 && done.push(`trades ${trades.map(({ seq }) => seq).join()}`)),
    reset: () => void done.push('reset'),
  } as unknown as MarketStore;
  const safety = {
    load: (ids?: number[]) => note(ids ? `safety ${ids.join()}` : 'safety'),
  } as unknown as TokenSafetyIndex;
  const reads = { board: { changed: () => {} } } as unknown as MarketReads;
  follower = new MarketFollower({ bus, store, safety, reads, clock, log, prepare: () => new Promise(() => {}) });
  await follower.start();
});
afterEach(() => follower.stop());

let sequence = 0;
function say(news: Partial<MarketNews>): void {
  sequence = news.sequence ?? sequence + 1;
  const empty = { lagMs: 100, saved: [], changed: [], read: [], trades: [] };
  bus.publish(MARKET_SUBJECT, { feed: 'a', previous: sequence - 1, sequence, ...empty, ...news });
}

it('reads everything at the first word, then follows what is told, tokens before their trades', async () => {
  say({});
  say({ saved: [7], read: [8], trades: [trade(5n)] });
  await expect.poll(() => done).toEqual(['tokens', 'safety', 'reset', 'saved 7', 'safety 8', 'trades 5']);
  nowMs += 50;
  expect(follower.lagMs()).toBe(150);
});

it('reads everything again where a number is missing, and where another indexer speaks', async () => {
  say({});
  say({ sequence: sequence + 2, trades: [trade(5n)] });
  await expect.poll(() => done.filter((what) => what === 'reset')).toHaveLength(2);
  say({ trades: [trade(6n)] });
  await expect.poll(() => done).toContain('trades 6');
  say({ feed: 'b', trades: [trade(7n)] });
  await expect.poll(() => done.filter((what) => what === 'reset')).toHaveLength(3);
  expect(done).not.toContain('trades 5');
  expect(done).not.toContain('trades 7');
});

it('reads everything once more when its process takes over: the last trades may have been stored and never told', async () => {
  say({});
  await expect.poll(() => done).toEqual(['tokens', 'safety', 'reset']);
  await follower.takeOver();
  expect(done).toEqual(['tokens', 'safety', 'reset', 'tokens', 'safety', 'reset']);
  expect(follower.isFollowing).toBe(false);
  say({ trades: [trade(9n)] });
  expect(done).not.toContain('trades 9');
});

it('is told by the indexer with the number before, which a reset leaves out', async () => {
  const heard: MarketNews[] = [];
  bus.subscribe(MARKET_SUBJECT, (message) => heard.push(message as MarketNews));
  let tellTrades = (_trades: StoredTrade[]) => {};
  let reset = () => {};
  const store = {
    onTrades: (listener: typeof tellTrades) => ((tellTrades = listener), () => {}),
    onReset: (listener: () => void) => ((reset = listener), () => {}),
    tokens: { onSaved: () => () => {} },
  } as unknown as MarketStore;
  const feed = new MarketFeed({
    bus,
    store,
    lagMs: () => 5,
    clock: { ...clock, pause: () => new Promise(() => {}) },
    log,
  });
  feed.start();
  tellTrades([trade(1n)]);
  reset();
  tellTrades([trade(2n)]);
  const numbers = heard.filter(({ trades }) => trades.length > 0).map((news) => [news.previous, news.sequence]);
  expect(numbers[0]![1]! - numbers[0]![0]!).toBe(1);
  expect(numbers[1]![0]! - numbers[0]![1]!).toBe(1);
});
