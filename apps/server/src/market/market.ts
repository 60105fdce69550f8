import type { RpcClient } from '@hunter/solana/rpc-client';
import type { RpcSubscriptions } from '@hunter/solana/rpc-subscriptions';
import type { Clock } from '../platform/clock.ts';
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
import type { MarketSource } from './market-source.ts';
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

export type Market = {
  store: MarketStore;
  reads: MarketReads;
  solUsd: SolUsd;
  safety: TokenSafetyIndex;
  references: ReferencePrices;
  notices: NoticeStore;
  logos: Logos;
  source: MarketSource;
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** Puts the market together: one source fills the store, everything else reads it. */
export function createMarket(parts: {
  database: Database;
  rpc: RpcClient;
  subscriptions: RpcSubscriptions;
  venue: IndexedVenue;
  bus: LiveBus;
  clock: Clock;
  log: Log;
}): Market {
  const { database, rpc, subscriptions, venue, bus, clock, log } = parts;
  const store = new MarketStore(database, nameFlagsOf, displayNames);
  const solUsd = new SolUsd({ venue, database, clock, log });
  const source = new ChainSource({ rpc, subscriptions, venue, sink: store, solUsd, clock, log });
  const onRead = (tokenId: number) => {
    reads.board.changed([tokenId]);
    mix.changed([tokenId]);
  };
  const mix = new HolderMix({ database, clock, log, onRolled: (tokenIds) => reads.board.changed(tokenIds) });
  const transfers = creatorTransferReader({ rpc, database, tokens: store.tokens, clock, log, onRead });
  const safety = new TokenSafetyIndex({ rpc, database, tokens: store.tokens, clock, log, onRead });
  const holders = new HolderSnapshots({ rpc, database, store, clock, log, onRead });
  const reads = new MarketReads({
    database,
    store,
    riskOf: (mint, nameFlags) => safety.levelOf(mint, nameFlags),
    clock,
    log,
  });
  const notices = new NoticeStore(database, bus, clock);
  const watch = new NoticeWatch({ database, store, notices, clock, log });
  const history = new NoticeHistory({
    database,
    tokens: store.tokens,
    clock,
    log,
    isCaughtUp: () => source.lagMs() !== null,
    onStored: () => watch.gradeAll(),
  });
  const windows = windowRefresher({ database, clock, log }, async (tokenIds) => {
    // Whoever hears of the change asks for the list at once.
    reads.board.changed(tokenIds);
    await reads.board.refresh();
    bus.publish('hot', 'all', { time: clock.nowMs() });
  });
  const live = new LiveMarket({
    store,
    database,
    bus,
    clock,
    log,
    isFollowed: (channel, key) => bus.isFollowed(channel, key),
  });
  return {
    store,
    reads,
    solUsd,
    safety,
    references: new ReferencePrices({ sql: database, tokens: store.tokens, clock, lagMs: () => source.lagMs() }),
    notices,
    logos: new Logos(store.tokens),
    source,
    start: async () => {
      await store.tokens.load();
      await safety.start();
      await reads.start();
      holders.start();
      transfers.start();
      store.onTrades((trades) => mix.changed(trades.map(({ tokenId }) => tokenId)));
      // What was rolled up before the last stop may be behind.
      mix.changed([...store.tokens.all()].map(({ id }) => id));
      mix.loop.start();
      live.start();
      watch.start();
      history.start();
      windows.start();
      await source.start();
    },
    stop: async () => {
      await source.stop();
      const others = [solUsd, live, reads, history, watch, windows, safety, holders, transfers, mix.loop];
      await Promise.all(others.map((one) => one.stop()));
    },
  };
}
