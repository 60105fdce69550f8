import type { Areas } from './areas.ts';
import type { Base } from './base.ts';

/** Reads the chain: the market's trades, and what arrives at our wallets. */
export async function startIndexer({ stops }: Base, { market, treasury }: Areas): Promise<void> {
  await treasury.deposits.start();
  stops.push(() => treasury.deposits.stop());
  await market.start();
  stops.push(() => market.stop());
}
