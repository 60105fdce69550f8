import { WalletFollowLoop } from '../wallet-follows/copy-trades.ts';
import type { Areas } from './areas.ts';
import type { Base } from './base.ts';

/** Everything that decides over money: orders, rounds, transfers, withdrawals, triggers, followed wallets. */
export async function startEngine({ subscriptions, stops }: Base, areas: Areas): Promise<void> {
  const { market, trading, triggers, strategies, walletFollows } = areas;
  const { withdrawals, transfers } = areas.treasury;
  withdrawals.start();
  stops.push(() => withdrawals.stop());
  stops.push(subscriptions.slot(() => transfers.slotSeen()));
  transfers.start();
  stops.push(() => transfers.stop());
  const walletFollowLoop = new WalletFollowLoop(walletFollows);
  stops.push(market.store.onTrades((trades) => walletFollowLoop.traded(trades.map(({ wallet }) => wallet))));
  walletFollowLoop.start();
  stops.push(() => walletFollowLoop.stop());
  trading.start();
  stops.push(() => trading.stop());
  await triggers.start();
  stops.push(() => triggers.stop());
  strategies.start();
  stops.push(() => strategies.stop());
}
