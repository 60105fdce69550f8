import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Chain } from '../chain/chain.ts';
import { createChain } from '../chain/open-chain.ts';
import { Venue } from '../venue/venue.ts';
import { MarketStateFile } from './market-state.ts';
import { openMarket } from './open-market.ts';
import { createPopulation } from './population.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The chain as a process sees it that dies right before it writes the accounts. */
function dyingBeforeAccounts(chain: Chain): Chain {
  return new Proxy(chain, {
    get(target, name) {
      if (name === 'setAccounts') return () => Promise.reject(new Error('the process died here'));
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

it('ends a first start that died between the past and the accounts as if nothing had happened', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hunter-market-'));
  const chain = await createChain({ dataDir: join(dataDir, 'ledger'), manualSlots: true });
  const file = new MarketStateFile(dataDir);
  const open = async (seen: Chain): Promise<Venue> => {
    const venue = new Venue({ chain: seen, seed: '9', dataDir });
    const population = createPopulation('9');
    await openMarket({ chain: seen, venue, population, file, historyTrades: { min: 3, max: 4 } }).catch(
      (error: unknown) => {
        venue.close();
        throw error;
      },
    );
    return venue;
  };
  await expect(open(dyingBeforeAccounts(chain))).rejects.toThrow('died here');
  expect(chain.isFresh()).toBe(false);

  const venue = await open(chain);
  expect(venue.listings().length).toBeGreaterThanOrEqual(48);
  const trades = chain.transactionsFor(venue.address);
  expect(trades.length).toBeGreaterThan(100);
  // The newest trade of each pool must have left it with exactly what it has now.
  const checked = new Set<string>();
  for (const { accountKeys, postBalances, postTokenBalances } of trades) {
    const pool = venue.pools.ofAccount(accountKeys[1]!)!;
    if (checked.has(pool.listing.mint)) continue;
    checked.add(pool.listing.mint);
    expect(chain.account(pool.keypair.address)!.lamports).toBe(postBalances[1]);
    expect(pool.reserves().tokens - pool.listing.virtualTokens).toBe(postTokenBalances[1]!.amount);
  }
  expect(checked.size).toBeGreaterThanOrEqual(48);
  // Each trade counts once, though the start that died saw it too. Days are counted in whole hours.
  const nowMs = chain.unixTimestamp() * 1000;
  const counted = venue.listings().map(({ mint }) => venue.view.stats(mint).window(nowMs, DAY_MS));
  expect(counted.reduce((sum, { numBuys, numSells }) => sum + numBuys + numSells, 0)).toBeLessThanOrEqual(
    trades.filter(({ blockTime }) => blockTime * 1000 > nowMs - DAY_MS - HOUR_MS).length,
  );
  venue.close();
  await chain.close();
  rmSync(dataDir, { recursive: true, force: true });
});
