import {
  loadTrackedName,
  loadTrackedWallets,
  TRACKED_WALLETS_MAX,
  trackWallet,
  untrackWallet,
} from '../../accounts/tracked-wallets.ts';
import type { MarketStore } from '../../market/market-store.ts';
import type { SolUsd } from '../../market/sol-usd.ts';
import type { TraderBoard } from '../../market/wallets/trader-board.ts';
import {
  firstDayOf,
  loadFigures,
  loadLastTrades,
  NO_FIGURES,
  printFigures,
} from '../../market/wallets/trader-figures.ts';
import { loadWalletHoldings } from '../../market/wallets/wallet-holdings.ts';
import { loadWalletProfile } from '../../market/wallets/wallet-profile.ts';
import { loadWalletTrades } from '../../market/wallets/wallet-trades.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/postgres.ts';
import { loadStrategiesOfWallets } from '../../portfolio/strategy-wallets.ts';
import type { Handlers } from '../handlers.ts';

export function walletHandlers(deps: {
  database: Database;
  store: MarketStore;
  traders: TraderBoard;
  solUsd: Pick<SolUsd, 'now'>;
  clock: Clock;
}) {
  const { database, store, traders, solUsd, clock } = deps;
  return {
    getWallet: async ({ address }, { session }) => {
      const [profile, strategies, trackedAs] = await Promise.all([
        loadWalletProfile(database, store.tokens, address, clock.nowMs()),
        loadStrategiesOfWallets(database, [address]),
        session ? loadTrackedName(database, session.userId, address) : null,
      ]);
      return { ...profile, labels: { ...profile.labels, strategy: strategies.get(address) ?? null }, trackedAs };
    },
    getWalletHoldings: ({ address, limit }) =>
      loadWalletHoldings(database, address, limit, solUsd.now()?.usdMicro ?? null),
    getWalletTrades: (request) => loadWalletTrades(database, store.tokens, request),
    getTraders: async ({ period, sortBy, limit }) => {
      const { atMs, rows } = await traders.list(period, sortBy, limit);
      const strategies = await loadStrategiesOfWallets(
        database,
        rows.map(({ address }) => address),
      );
      return {
        time: atMs,
        lists: rows.map((row) => ({
          address: row.address,
          ...printFigures(row),
          strategy: strategies.get(row.address) ?? null,
        })),
      };
    },
    getMyTrackedWallets: async (_request, { session }) => {
      const tracked = await loadTrackedWallets(database, session.userId);
      const addresses = tracked.map(({ address }) => address);
      const [week, lastTrades] = await Promise.all([
        loadFigures(database, addresses, firstDayOf('7d', clock.nowMs())),
        loadLastTrades(database, addresses),
      ]);
      return {
        max: TRACKED_WALLETS_MAX,
        lists: tracked.map(({ address, name, createdAt }) => ({
          address,
          name,
          createdAt: createdAt.getTime(),
          lastTrade: lastTrades.get(address) ?? null,
          week: printFigures(week.get(address) ?? NO_FIGURES),
        })),
      };
    },
    trackWallet: async ({ address, name }, { session }) => {
      await trackWallet(database, session.userId, address, name);
      return { address, name };
    },
    untrackWallet: async ({ address }, { session }) => {
      await untrackWallet(database, session.userId, address);
      return {};
    },
  } satisfies Partial<Handlers>;
}
