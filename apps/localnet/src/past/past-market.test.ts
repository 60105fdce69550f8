import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerTransaction } from '../chain/chain.ts';
import type { LedgerChain } from '../chain/ledger-chain.ts';
import { createChain } from '../chain/open-chain.ts';
import { PAST_SECONDS } from '../traders/market-tokens.ts';
import { derivedKeypair } from '../venue/derived-keypair.ts';
import type { Pool } from '../venue/pool.ts';
import { SOL, swap } from '../venue/venue-for-test.ts';
import { Venue } from '../venue/venue.ts';
import { PastMarket } from './past-market.ts';

const GENESIS = 1_800_000_000;
const HOUR = 3_600;
const stranger = derivedKeypair('past', 'stranger', 0);

let folder: string;
let chain: LedgerChain;
let venue: Venue;
let market: PastMarket;
let nowMs: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hunter-past-'));
  mkdirSync(join(folder, 'venue'));
  nowMs = (GENESIS - PAST_SECONDS) * 1000;
  chain = await createChain({ dataDir: join(folder, 'ledger'), manualSlots: true, now: () => nowMs });
  venue = new Venue({ chain, seed: 'past', dataDir: join(folder, 'venue') });
  const state = {
    genesisUnixSeconds: GENESIS,
    genesisSlot: Number(chain.slot('processed')) + Math.ceil(PAST_SECONDS / 0.4),
    pausedSeconds: 0,
    lastSeenUnixSeconds: GENESIS,
  };
  market = new PastMarket({ chain, venue, state, historyTrades: { min: 4, max: 6 } });
  await market.begin();
});

afterEach(async () => {
  venue.close();
  await chain.close();
  rmSync(folder, { recursive: true, force: true });
});

async function goTo(seconds: number): Promise<void> {
  await market.trade(nowMs / 1000 - GENESIS, seconds);
  nowMs = (GENESIS + seconds) * 1000;
  await chain.advanceTo(market.slotAt(seconds) + 1);
}

/** Oldest first. */
function historyOf(pool: Pool): LedgerTransaction[] {
  return chain.transactionsFor(pool.keypair.address).toReversed();
}

function lamportsOf(pool: Pool, { accountKeys, preBalances, postBalances }: LedgerTransaction): [bigint, bigint] {
  const place = accountKeys.indexOf(pool.keypair.address);
  return [preBalances[place]!, postBalances[place]!];
}

describe('the market of a past that is being made', () => {
  it('leaves one history with what others traded in it: each transaction begins where the one before it ended', async () => {
    await goTo(-3 * 24 * HOUR);
    await chain.airdrop(stranger.address, 50n * SOL);
    for (const { listing } of venue.pools.all().slice(0, 3)) {
      const done = await swap({ venue }, { taker: stranger, mint: listing.mint, side: 'buy', amount: SOL });
      expect(done['status']).toBe('Success');
    }
    await goTo(-1);
    let [seen, own] = [0, 0];
    for (const pool of venue.pools.all()) {
      let last: LedgerTransaction | null = null;
      for (const transaction of historyOf(pool)) {
        if (last !== null) {
          expect(lamportsOf(pool, transaction)[0]).toBe(lamportsOf(pool, last)[1]);
          expect(transaction.blockTime).toBeGreaterThanOrEqual(last.blockTime);
        }
        last = transaction;
        seen += 1;
        if (transaction.accountKeys.includes(stranger.address)) own += 1;
      }
      if (last !== null) expect(chain.account(pool.keypair.address)!.lamports).toBe(lamportsOf(pool, last)[1]);
    }
    expect(own).toBe(3);
    expect(seen).toBeGreaterThan(100);
  });
});
