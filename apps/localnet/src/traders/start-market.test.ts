import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LedgerTransaction } from '../chain/chain.ts';
import type { LedgerChain } from '../chain/ledger-chain.ts';
import { createChain } from '../chain/open-chain.ts';
import { type RunningVenue, startVenue } from '../venue/start-venue.ts';
import { tokenAmountOf, withheldAmountOf } from '../venue/token-account-data.ts';
import { Launchpad } from './launchpad.ts';
import { SeededRandom } from '@hunter/domain/seeded-random';
import { WRAPPED_SOL_MINT } from '@hunter/solana/program-ids';
import { isOnCurve } from '../venue/listing.ts';
import type { Pool } from '../venue/pool.ts';
import { signedWire, splitSwapWire } from '../venue/swap-transaction.ts';
import { placeSwap } from './place-swap.ts';
import { createPopulation } from './population.ts';
import { startMarket } from './start-market.ts';

const SOL = 1_000_000_000n;

const dataDir = mkdtempSync(join(tmpdir(), 'hunter-market-'));
let chain: LedgerChain;
let venue: RunningVenue;
let market: { close(): Promise<void> };

async function start(seed = '5'): Promise<void> {
  chain = await createChain({ dataDir: join(dataDir, 'ledger') });
  venue = await startVenue({ chain, port: 0, dataDir: join(dataDir, 'venue'), seed, market: true });
  market = await startMarket({ chain, venue, seed, tradesPerSecond: 60, historyTrades: { min: 6, max: 10 } });
}
async function stop(): Promise<void> {
  await market.close();
  await venue.close();
  await chain.close();
}
beforeAll(() => start());
afterAll(async () => {
  await stop();
  rmSync(dataDir, { recursive: true, force: true });
});

function trades(count: number): Promise<LedgerTransaction[]> {
  const seen: LedgerTransaction[] = [];
  return new Promise((resolve) => {
    const unsubscribe = chain.onTransaction((transaction) => {
      seen.push(transaction);
      if (seen.length < count) return;
      unsubscribe();
      resolve(seen);
    });
  });
}

const aLaunchpad = () =>
  new Launchpad({
    chain,
    venue: venue.venue,
    population: createPopulation(venue.venue.seed),
    random: new SeededRandom('test'),
    seconds: Infinity,
  });
const get = async (path: string) => (await fetch(venue.url + path)).json() as Promise<Record<string, unknown>[]>;

describe('the market', () => {
  it('starts with tokens of every kind, at plausible prices, each with holders and a past', async () => {
    const all = await get('/tokens/v2/toptraded/24h?limit=100');
    const tokens = all.filter(({ tags }) => !(tags as string[]).includes('launch'));
    expect(tokens.length).toBeGreaterThanOrEqual(48);
    for (const { mcap, holderCount } of tokens) {
      expect(Number(mcap)).toBeGreaterThan(5_000);
      expect(Number(mcap)).toBeLessThan(200_000_000);
      expect(Number(holderCount)).toBeGreaterThan(20);
    }
    const symbols = tokens.map(({ symbol }) => symbol as string);
    expect(symbols).toContain('\u0412\u041ENK');
    expect(symbols).toContain('<b>PWN</b>');
    const oldest = chain.transactionsFor(venue.address).at(-1)!;
    expect(oldest.blockTime).toBeLessThan(chain.unixTimestamp() - 6 * 86_400);
  });

  it('trades through the venue by many wallets, and nothing fails', async () => {
    const seen = await trades(150);
    expect(seen.filter(({ err }) => err !== null)).toEqual([]);
    const swaps = seen.filter(({ accountKeys }) => accountKeys.includes(venue.address));
    expect(swaps.length).toBeGreaterThan(140);
    expect(new Set(seen.map(({ accountKeys }) => accountKeys[0])).size).toBeGreaterThan(30);
  });

  it('launches new tokens that can be traded, with nobody left to mint more', async () => {
    // Its own launches would come in between.
    await market.close();
    const before = venue.venue.listings().length;
    await aLaunchpad().launch();
    const [newest] = await get('/tokens/v2/recent');
    expect(venue.venue.listings()).toHaveLength(before + 1);
    expect(newest).toMatchObject({
      tags: ['launch'],
      audit: { mintAuthorityDisabled: true, freezeAuthorityDisabled: true },
    });
    expect(venue.venue.pools.get(String(newest!['id']))!.quote('buy', 1_000_000_000n)).toBeGreaterThan(0n);
  });

  it('moves a launch into a pool once its curve has collected its SOL, at the same price and with nothing left behind', async () => {
    const { venue: own } = venue;
    const listing = own.listings().findLast(isOnCurve)!;
    const curve = own.pools.get(listing.mint)!;
    const whale = createPopulation(own.seed).find(({ skill }) => skill === 'whale')!;
    while (curve.holds().lamports < listing.curve.targetLamports) {
      const missing = listing.curve.targetLamports - curve.holds().lamports;
      const amount = missing < 9n * SOL ? missing + 1n : 8n * SOL;
      expect(await placeSwap(own, listing.mint, { wallet: whale, side: 'buy', amount })).toBe(true);
    }
    const priceOf = (pool: Pool) => Number(pool.reserves().lamports) / Number(pool.reserves().tokens);
    const [held, price] = [curve.holds(), priceOf(curve)];
    const late = own.swaps.order({
      inputMint: WRAPPED_SOL_MINT,
      outputMint: listing.mint,
      amount: SOL,
      taker: whale.keypair.address,
      slippageBps: 5_000n,
    });
    await aLaunchpad().tick(0);
    const pool = own.pools.get(listing.mint)!;
    expect(pool.keypair.address).not.toBe(curve.keypair.address);
    expect([curve.holds(), pool.holds()]).toEqual([{ lamports: 0n, tokens: 0n }, held]);
    expect(priceOf(pool) / price).toBeCloseTo(1, 1);
    expect(own.listings().find(({ mint }) => mint === listing.mint)!.curve!.graduatedAtMs).not.toBeNull();

    // Who has signed against the curve trades nothing; who asks now trades with the pool.
    const { messageBytes } = splitSwapWire(Buffer.from(String(late['transaction']), 'base64'))!;
    const signed = signedWire(messageBytes, whale.keypair.sign(messageBytes), new Uint8Array(64));
    expect(await own.swaps.execute(String(late['requestId']), signed)).toMatchObject({ status: 'Failed' });
    expect(await placeSwap(own, listing.mint, { wallet: whale, side: 'buy', amount: SOL })).toBe(true);
    expect(pool.holds().lamports).toBeGreaterThan(held.lamports);
  });

  it('accounts for the whole supply of every token', async () => {
    for (const { mint, supply } of venue.venue.listings()) {
      const held = chain
        .tokenAccountsOfMint(mint, 'processed')
        .reduce((sum, [, { data }]) => sum + tokenAmountOf(data) + withheldAmountOf(data), 0n);
      expect({ mint, held }).toEqual({ mint, held: supply });
    }
  });

  it('goes on where it stopped after a restart, whatever seed it is given then', async () => {
    const before = {
      address: venue.address,
      listings: venue.venue.listings().map(({ mint }) => mint),
      slot: chain.slot('processed'),
    };
    await stop();
    await start('another seed');
    expect(venue.address).toBe(before.address);
    expect(venue.venue.listings().map(({ mint }) => mint)).toEqual(before.listings);
    expect(chain.slot('processed')).toBeGreaterThanOrEqual(before.slot);
    const isInPool = venue.venue.listings().find(({ curve }) => curve !== undefined && curve.graduatedAtMs !== null)!;
    expect(venue.venue.pools.get(isInPool.mint)!.holds().lamports).toBeGreaterThan(80n * SOL);
    expect((await trades(20)).every(({ err }) => err === null)).toBe(true);
    const [token] = await get('/tokens/v2/toptraded/24h?limit=1');
    expect((token!['stats24h'] as { numTraders: number }).numTraders).toBeGreaterThan(1);
  });
});
