// The first market of a ledger is worked out by a process of its own: a week of trades leaves hundreds of megabytes
// behind that a running node would never give back.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createChain } from './chain/open-chain.ts';
import { MarketStateFile } from './traders/market-state.ts';
import { HISTORY_TRADES, type HistoryTrades, openMarket } from './traders/open-market.ts';
import { createPopulation } from './traders/population.ts';
import { LISTINGS_FILE } from './venue/listing-store.ts';
import { Venue } from './venue/venue.ts';

export const ledgerFolder = (dataDir: string): string => join(dataDir, 'ledger');
export const venueFolder = (dataDir: string): string => join(dataDir, 'venue');

/** What the other process is told. */
export type MarketOrder = { dataDir: string; seed: string; historyTrades: HistoryTrades };

/** Returns once the data folder holds a market. Only before the folder is opened: the other process opens it too. */
export async function ensureMarket(dataDir: string, seed: string, historyTrades = HISTORY_TRADES): Promise<void> {
  const isThere = existsSync(ledgerFolder(dataDir)) && existsSync(join(venueFolder(dataDir), LISTINGS_FILE));
  if (isThere) return;
  const order: MarketOrder = { dataDir, seed, historyTrades };
  const file = fileURLToPath(new URL('./first-market-process.ts', import.meta.url));
  const child = spawn(process.execPath, [file, JSON.stringify(order)], { stdio: ['pipe', 'ignore', 'inherit'] });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (code !== 0) throw new Error(`the first market could not be made (${signal ?? `exit code ${code}`})`);
}

export async function makeMarket({ dataDir, seed, historyTrades }: MarketOrder): Promise<void> {
  mkdirSync(venueFolder(dataDir), { recursive: true });
  const chain = await createChain({ dataDir: ledgerFolder(dataDir), isFilingAwaited: true });
  try {
    const venue = new Venue({ chain, seed, dataDir: venueFolder(dataDir) });
    const file = new MarketStateFile(venue.dataDir);
    await openMarket({ chain, venue, population: createPopulation(venue.seed), file, historyTrades });
    venue.close();
  } finally {
    await chain.close();
  }
}
