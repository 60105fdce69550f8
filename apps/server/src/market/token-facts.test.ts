import type { Address } from '@hunter/solana/address';
import { Keypair } from '@hunter/solana/keypair';
import { TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { afterEach, expect, it } from 'vitest';
import { systemClock, windSystemClock } from '../platform/clock.ts';
import type { Sql } from '../platform/postgres.ts';
import type { VenueToken } from '../venue/venue.ts';
import { aToken } from './market-for-test.ts';
import { StoredTokenFacts } from './token-facts.ts';

afterEach(() => windSystemClock(null));

it('does not ask the venue again and again for tokens that nobody knows', async () => {
  const [spam, listed] = [Keypair.generate().address, Keypair.generate().address];
  let nowMs = 1_790_000_000_000;
  windSystemClock({ ...systemClock, nowMs: () => nowMs });
  const listing: VenueToken = { ...aToken(), mint: listed, tokenProgram: TOKEN_PROGRAM };
  const asked: Address[][] = [];
  let answer: VenueToken[] = [];
  const venue = {
    tokens: async (mints: readonly Address[]) => {
      asked.push([...mints]);
      return answer.filter(({ mint }) => mints.includes(mint));
    },
  };
  const store = { query: async () => [] } as unknown as Sql;
  const facts = new StoredTokenFacts(store, venue);
  expect(await facts.load([spam, listed])).toEqual(new Map());
  expect(await facts.load([spam, listed])).toEqual(new Map());
  expect(asked).toEqual([[spam, listed]]);
  answer = [listing];
  nowMs += 30_000;
  expect([...(await facts.load([spam, listed])).keys()]).toEqual([listed]);
  expect([...(await facts.load([spam, listed])).keys()]).toEqual([listed]);
  expect(asked).toEqual([
    [spam, listed],
    [spam, listed],
  ]);
});
