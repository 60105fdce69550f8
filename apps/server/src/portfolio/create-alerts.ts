import type { Address } from '@hunter/solana/address';
import { Alerts, type AlertSenders } from '../alerts/alerts.ts';
import { PriceAlerts } from '../alerts/price-alerts.ts';
import { loadPrices } from '../market/reads/prices.ts';
import type { StoredTrade } from '../market/stored-trade.ts';
import type { TokenFacts } from '../market/token-facts.ts';
import type { Clock } from '../platform/clock.ts';
import type { LiveBus } from '../platform/live-bus.ts';
import type { Log } from '../platform/log.ts';
import type { OutboxHandler } from '../platform/outbox.ts';
import type { Database } from '../platform/postgres.ts';
import type { TokenSymbols } from '../treasury/wallet-movements.ts';
import { alertTopics } from './alert-topics.ts';
import { tellRecentTrackedTrades, tellTrackedTrades } from './tracked-wallet-alerts.ts';

export type AlertDeps = {
  database: Database;
  bus: LiveBus;
  senders: AlertSenders;
  tokens: TokenFacts;
  symbols: TokenSymbols;
  onTrades: (listener: (trades: readonly StoredTrade[]) => void) => () => void;
  clock: Clock;
  log: Log;
};

/** Puts alerts together with what raises them from outside their own area. */
export function createAlerts(deps: AlertDeps): {
  alerts: Alerts;
  prices: PriceAlerts;
  topics: Record<string, OutboxHandler>;
  start(): void;
  stop(): Promise<void>;
} {
  const { database, tokens, symbols, clock, log } = deps;
  const alerts = new Alerts(deps);
  const pricesOf = async (mints: readonly Address[]) =>
    new Map((await loadPrices(database, mints, null)).map((row) => [row.tokenContractAddress, row.price]));
  const prices = new PriceAlerts({ database, pricesOf, clock, log });
  let stopListening = () => {};
  return {
    alerts,
    prices,
    topics: alertTopics({ database, tokens, alerts }),
    start: () => {
      alerts.start();
      prices.start();
      const failed = (error: unknown) =>
        log.warn({ err: error }, 'telling of tracked wallets failed; these trades are not told');
      stopListening = deps.onTrades((trades) => {
        prices.pricesMoved(trades.map(({ mint }) => mint));
        tellTrackedTrades({ database, symbols }, trades, clock.nowMs()).catch(failed);
      });
      tellRecentTrackedTrades({ database, symbols }, clock.nowMs()).catch(failed);
    },
    stop: async () => {
      stopListening();
      await Promise.all([alerts.stop(), prices.stop()]);
    },
  };
}
