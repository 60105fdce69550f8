import type { RpcClient } from '@hunter/solana/rpc-client';
import type { RpcSubscriptions } from '@hunter/solana/rpc-subscriptions';
import type { Bus } from '../platform/bus/bus.ts';
import { type Clock, wasInPast } from '../platform/clock.ts';
import type { LiveBus } from '../platform/live-bus.ts';
import type { Log } from '../platform/log.ts';
import type { Database } from '../platform/postgres.ts';
import type { IndexedVenue } from '../venue/venue.ts';
import { ChainSource } from './chain-source.ts';
import { creatorTransferReader } from './creator-transfers.ts';
import { HolderMix } from './holder-mix.ts';
import { HolderSnapshots } from './holder-snapshot.ts';
import { LiveMarket } from './live-market.ts';
import { Logos } from './logos/logos.ts';
import { MarketFeed } from './market-feed.ts';
import { MarketFollower } from './market-follower.ts';
import { MarketStore } from './market-store.ts';
import { displayNames, nameFlagsOf } from './name-flags.ts';
import { NoticeStore } from './notices/notice-store.ts';
import { NoticeHistory } from './notices/notice-history.ts';
import { NoticeWatch } from './notices/notice-watch.ts';
import { MarketReads } from './reads/market-reads.ts';
import { ReferencePrices } from './reference-prices.ts';
import { windowRefresher } from './refresh-windows.ts';
import { TokenSafetyIndex } from './safety/token-safety-index.ts';
import { SolUsd } from './sol-usd.ts';

/** Windows that were last written longer ago say nothing of now. */
const WINDOWS_OLD_MS = 30_000;

export type Market = {
  store: MarketStore;
  reads: MarketReads;
  solUsd: SolUsd;
  safety: TokenSafetyIndex;
  references: ReferencePrices;
  notices: NoticeStore;
  logos: Logos;
  /** How old what is known of the market is; null before any of it was stored. */
  lagMs: () => number | null;
  /** Reads the market as another process indexes it. */
  follow(): Promise<void>;
  /** Indexes it, from now on or from the start. */
  index(): Promise<void>;
  stop(): Promise<void>;
};

/** Puts the market together: one source fills the store, everything else reads it. */
export function createMarket(deps: {
  database: Database;
  /** What indexing writes goes here: nothing is written once another process has taken over. */
  indexing: Database;
  rpc: RpcClient;
  subscriptions: RpcSubscriptions;
  venue: IndexedVenue;
  bus: LiveBus;
  /** Where processes that follow the market hear of it. */
  processes: Bus;
  clock: Clock;
  log: Log;
}): Market {
  const { database, indexing, rpc, subscriptions, venue, bus, clock, log } = deps;
  const store = new MarketStore(database, nameFlagsOf, displayNames, indexing);
  const solUsd = new SolUsd({ venue, database, clock, log });
  const source = new ChainSource({ rpc, subscriptions, venue, sink: store, solUsd, clock, log });
  const onRead = (tokenId: number) => {
    reads.board.changed([tokenId]);
    mix.changed([tokenId]);
    feed.read([tokenId]);
  };
  const onRolled = async (tokenIds: readonly number[]) => {
    await safety.load(tokenIds);
    reads.board.changed(tokenIds);
    feed.changed(tokenIds);
  };
  const mix = new HolderMix({ database: indexing, clock, log, onRolled });
  const transfers = creatorTransferReader({ rpc, database: indexing, tokens: store.tokens, clock, log, onRead });
  const safety = new TokenSafetyIndex({ rpc, database, tokens: store.tokens, clock, log, onRead });
  const holders = new HolderSnapshots({ rpc, database: indexing, store, clock, log, onRead });
  const reads = new MarketReads({
    database,
    store,
    riskOf: (mint, nameFlags) => safety.levelOf(mint, nameFlags),
    lagMs: () => (areWindowsOld() ? null : lagMs()),
    clock,
    log,
  });
  const notices = new NoticeStore(database, bus, clock);
  const watch = new NoticeWatch({ database: indexing, store, notices, clock, log });
  const history = new NoticeHistory({
    database: indexing,
    tokens: store.tokens,
    clock,
    log,
    isCaughtUp: () => source.isCaughtUp,
    onStored: () => watch.gradeAll(),
  });
  /** When the process before this one last wrote the windows; null once they were written here. */
  let windowsOfMs: number | null = null;
  const areWindowsOld = () => windowsOfMs !== null && clock.nowMs() - windowsOfMs > WINDOWS_OLD_MS;
  const windows = windowRefresher({ database: indexing, lagMs: () => source.lagMs(), clock, log }, async (tokenIds) => {
    // Whoever hears of the change asks for the list at once.
    reads.board.changed(tokenIds);
    await reads.board.refresh();
    windowsOfMs = null;
    bus.publish('hot', 'all', { time: clock.nowMs() });
    feed.changed(tokenIds);
  });
  const live = new LiveMarket({
    store,
    database,
    bus,
    clock,
    log,
    isFollowed: (channel, key) => bus.isFollowed(channel, key),
    lagMs: reads.lagMs,
  });
  const feed = new MarketFeed({ bus: deps.processes, store, lagMs: () => source.lagMs(), clock, log });
  const follower = new MarketFollower({
    bus: deps.processes,
    store,
    safety,
    reads,
    clock,
    log,
    prepare: () => solUsd.start(),
  });
  const lagMs = () => (follower.isFollowing ? follower.lagMs() : source.lagMs());
  const startReads = async () => {
    await store.tokens.load();
    await safety.load();
    await reads.start();
  };
  return {
    store,
    reads,
    solUsd,
    safety,
    references: new ReferencePrices({ sql: database, tokens: store.tokens, clock, lagMs }),
    notices,
    logos: new Logos(store.tokens),
    lagMs,
    follow: async () => {
      await follower.start();
      await startReads();
    },
    index: async () => {
      // What can fail comes before anything is begun: whoever could not index is asked again.
      await source.prepare();
      if (follower.isFollowing) await follower.takeOver();
      else await startReads();
      windowsOfMs = clock.nowMs() - (source.lagMs() ?? clock.nowMs());
      feed.start();
      safety.start();
      // While a past is being made nobody looks; the next process sees all of it at once.
      if (!wasInPast()) {
        holders.start();
        transfers.start();
        store.onTrades((trades) => mix.changed(trades.map(({ tokenId }) => tokenId)));
        // What was rolled up before the last stop may be behind.
        mix.changed([...store.tokens.all()].map(({ id }) => id));
        mix.loop.start();
        live.start();
        watch.start();
        history.start();
      }
      windows.start();
      source.start();
    },
    stop: async () => {
      await source.stop();
      follower.stop();
      const others = [solUsd, live, reads, history, watch, windows, safety, holders, transfers, mix.loop, feed];
      await Promise.all(others.map((one) => one.stop()));
    },
  };
}
