import { address } from '@hunter/solana/address';
import { WALLET_CREATED_TOPIC, type WalletCreated } from '../ledger/wallets.ts';
import type { Areas } from './areas.ts';
import type { Base } from './base.ts';
import { startOutbox } from './outbox.ts';

/** Keeps the market in memory, as every role needs it. */
export async function followMarket({ keeper, stops }: Base, { market }: Areas): Promise<void> {
  if (keeper) await market.follow();
  stops.push(() => market.stop());
}

/** Reads the chain: the market's trades, and what arrives at our wallets. */
export async function startIndexer(base: Base, { market, treasury }: Areas): Promise<void> {
  const { config, ownership, stops } = base;
  const { deposits, faucet } = treasury;
  await ownership.job('deposits', async () => {
    startOutbox(base, {
      [WALLET_CREATED_TOPIC]: async (wallet: WalletCreated) => {
        await deposits.add(address(wallet.address));
        if (config.local && wallet.kind !== 'strategy') await faucet.welcome(address(wallet.address));
      },
    });
    await deposits.start();
    stops.push(() => deposits.stop());
  });
  await ownership.job('indexer', () => market.index());
}
