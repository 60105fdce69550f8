import { type Address, address } from '@hunter/solana/address';
import { WALLET_CREATED_TOPIC, type WalletCreated } from '../ledger/wallets.ts';
import type { DepositWatch } from '../treasury/deposit-watch.ts';
import type { Areas } from './areas.ts';
import type { Base } from './base.ts';
import { startOutbox } from './outbox.ts';

/** Where several processes may share them. */
const DEPOSIT_PARTS = 4;
const NEW_WALLETS = 'wallet-created';

/** Keeps the market in memory, as every role needs it. */
export async function followMarket({ keeper, stops }: Base, { market }: Areas): Promise<void> {
  if (keeper) await market.follow();
  stops.push(() => market.stop());
}

/** Reads the chain: the market's trades, and what arrives at our wallets. */
export async function startIndexer(base: Base, areas: Areas): Promise<void> {
  await watchDeposits(base, areas);
  await base.ownership.job('indexer', () => areas.market.index());
}

/** A new wallet is told to whoever watches its part; where that is lost, the next sweep finds it. */
async function watchDeposits(base: Base, { treasury }: Areas): Promise<void> {
  const { config, keeper, ownership, processes, stops, log } = base;
  const watches: DepositWatch[] = [];
  const add = async (wallet: Address): Promise<void> => {
    for (const watch of watches) await watch.add(wallet);
  };
  const hear = (wallet: unknown): void => {
    add(wallet as Address).catch((error: unknown) =>
      log.warn({ wallet, err: error }, 'watching a new wallet failed; the next sweep finds it'),
    );
  };
  if (keeper) stops.push(processes.subscribe(NEW_WALLETS, hear));
  const of = keeper ? DEPOSIT_PARTS : 1;
  for (let index = 0; index < of; index += 1) {
    const name = `deposits-${index}`;
    await ownership.job(name, async () => {
      const watch = treasury.deposits(ownership.databaseOf(name), { index, of });
      await watch.start();
      stops.push(() => watch.stop());
      watches.push(watch);
      if (watches.length > 1) return;
      startOutbox(base, {
        [WALLET_CREATED_TOPIC]: async (wallet: WalletCreated) => {
          await add(address(wallet.address));
          if (keeper) processes.publish(NEW_WALLETS, wallet.address);
          if (config.local && wallet.kind !== 'strategy') await treasury.faucet.welcome(address(wallet.address));
        },
      });
    });
  }
}
