import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ensureMarket, ledgerFolder, venueFolder } from './first-market.ts';
import { createChain } from './chain/open-chain.ts';
import { Venue } from './venue/venue.ts';

const FEW = { min: 3, max: 4 };
let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hunter-first-market-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

it('leaves a folder that opens with a market and its past, and makes it once', async () => {
  await ensureMarket(dataDir, '9', FEW);
  const chain = await createChain({ dataDir: ledgerFolder(dataDir), manualSlots: true });
  const venue = new Venue({ chain, seed: 'another', dataDir: venueFolder(dataDir) });
  expect(venue.seed).toBe('9');
  expect(venue.listings().length).toBeGreaterThanOrEqual(48);
  const transactionCount = chain.transactionCount();
  expect(transactionCount).toBeGreaterThan(100n);
  for (const pool of venue.pools.all()) expect(pool.reserves().lamports).toBeGreaterThan(0n);
  // The folder is open, so a second process could not even start on it.
  await ensureMarket(dataDir, '9', FEW);
  expect(chain.transactionCount()).toBe(transactionCount);
  venue.close();
  await chain.close();
});

it('says so where the market cannot be made', async () => {
  const chain = await createChain({ dataDir: ledgerFolder(dataDir), manualSlots: true });
  await expect(ensureMarket(dataDir, '9', FEW)).rejects.toThrow('the first market could not be made');
  await chain.close();
});
