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
  const signatures = chain.signaturesFor(venue.address, { limit: 1_000 });
  expect(signatures.length).toBeGreaterThan(100);
  // The newest trade of each pool must have left it with exactly what it has now.
  const checked = new Set<string>();
  for (const signature of signatures) {
    const { accountKeys, postBalances, postTokenBalances } = chain.transaction(signature)!;
    const pool = venue.pools.ofAccount(accountKeys[1]!)!;
    if (checked.has(pool.listing.mint)) continue;
    checked.add(pool.listing.mint);
    expect(chain.account(pool.keypair.address)!.lamports).toBe(postBalances[1]);
    expect(pool.reserves().tokens - pool.listing.virtualTokens).toBe(postTokenBalances[1]!.amount);
  }
  expect(checked.size).toBeGreaterThanOrEqual(48);
  venue.close();
  await chain.close();
  rmSync(dataDir, { recursive: true, force: true });
});
