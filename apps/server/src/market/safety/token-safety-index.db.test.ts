import { encodeBase58 } from '@hunter/solana/base58';
import { afterEach, expect, it } from 'vitest';
import { mintNamed } from '@hunter/domain/address-for-test';
import { windSystemClock } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import { loopRuns } from '../../platform/loop.ts';
import { SteppedClock } from '../../platform/stepped-clock.ts';
import { aMarketDatabase, aToken, aTrade } from '../market-for-test.ts';
import { TokenSafetyIndex } from './token-safety-index.ts';

const HOUR_MS = 3_600_000;
const market = aMarketDatabase();
const clock = new SteppedClock(Date.UTC(2026, 0, 5));

afterEach(() => windSystemClock(null));

/** Lets an hour pass, and the round that is due then. */
async function hour(): Promise<void> {
  const round = Promise.withResolvers<void>();
  const end = (): void => round.resolve();
  loopRuns.subscribe(end);
  clock.moveTo(clock.nowMs() + HOUR_MS);
  await round.promise;
  loopRuns.unsubscribe(end);
}

it('reads a token of a past again until its holders are known, and then no more', async () => {
  windSystemClock(clock);
  const store = await market.emptyStore();
  await store.storeTokens([aToken({ supply: 1_000n })]);
  const mint = { parsed: { type: 'mint', info: { mintAuthority: null, freezeAuthority: null, supply: '1000' } } };
  const rpc = {
    getParsedAccountInfo: async () => ({ value: mint }),
    getTokenAccountsByOwner: async () => ({ value: [] }),
  };
  let reads = 0;
  const index = new TokenSafetyIndex({
    rpc: rpc as never,
    database: market.database,
    tokens: store.tokens,
    clock,
    log: createLog('silent'),
    onRead: () => (reads += 1),
  });
  const levelOfHolders = async (): Promise<unknown> => {
    const { badges } = await index.badgesOf(store.tokens.get(mintNamed('MintA'))!);
    return badges.find(({ key }) => key === 'top-10-share')?.level;
  };
  index.start();
  await hour();
  expect([reads, await levelOfHolders()]).toEqual([1, 'unknown']);
  const wallet = encodeBase58(Buffer.alloc(32, 1));
  await store.storeTrades([aTrade({ wallet, walletUnitsAfter: 100n })], 'test', {});
  await hour();
  expect([reads, await levelOfHolders()]).toEqual([2, 'ok']);
  await hour();
  expect(reads).toBe(2);
  const stopped = index.stop();
  clock.close();
  await stopped;
});
