import { encodeBase58 } from '@hunter/solana/base58';
import { describe, expect, it } from 'vitest';
import { address } from '@hunter/solana/address';
import { allocationTree } from '../../../apps/server/src/trading/rounds/allocation-tree.ts';
import { Chain } from './chain.ts';
import { verifyCopy, type CopyProof } from './verify-copy.ts';
import { aSwap, aWorld, MINT, WALLET, type World } from './world-for-test.ts';

const ids = [1, 2, 3].map((n) => `0196a1b2-c3d4-7e5f-8a9b-00000000000${n}`) as [string, string, string];
const leaves = [
  { followId: ids[0], salt: new Uint8Array(32).fill(1), amountIn: 600_000_000n, reason: 0 },
  { followId: ids[1], salt: new Uint8Array(32).fill(2), amountIn: 400_000_000n, reason: 0 },
  { followId: ids[2], salt: new Uint8Array(32).fill(3), amountIn: 0n, reason: 13 },
];
const tree = allocationTree({ wallet: WALLET, roundId: ids[0], attempt: 1, side: 'buy', mint: MINT }, leaves);
const swap = { lamports: -1_000_000_000, before: 0n, after: 5n };

function aRound(memo: string | undefined = tree.memo, change: Partial<typeof swap> = {}): World {
  const world = aWorld();
  const data = memo === undefined ? {} : { memo: encodeBase58(Buffer.from(memo)) };
  world.transactions['round'] = aSwap({ ...swap, ...change, ...data });
  return world;
}

function check(world: World, change: Partial<CopyProof> = {}, followId = ids[1]) {
  return verifyCopy(new Chain('http://node', world.fetch), { ...tree.proof(followId), txHash: 'round', ...change });
}

describe('verifying a copy', () => {
  it('proves the own input and the sum of all of them against the memo and the swap on chain', async () => {
    const proven = { ok: true, memo: tree.memo, sum: 1_000_000_000n, count: 3, decimals: 9 };
    expect(await check(aRound())).toEqual({ ...proven, amountIn: 400_000_000n });
    expect(await check(aRound(), {}, ids[2])).toEqual({ ...proven, amountIn: 0n });
  });

  it('refuses a proof whose amount, transaction, wallet or memo is another one', async () => {
    expect(await check(aRound(), { amountIn: '500000000' })).toMatchObject({ problem: 'other-memo' });
    expect(await check(aRound(), { txHash: 'nowhere' })).toMatchObject({ problem: 'not-found' });
    expect(await check(aRound(), { wallet: 'other' })).toMatchObject({ problem: 'other-wallet' });
    expect(await check(aRound(), { salt: '?' })).toMatchObject({ problem: 'unreadable-proof' });
    expect(await check(aRound('hello'))).toMatchObject({ problem: 'no-memo' });
    const long = aRound();
    long.transactions['round']!.transaction.message.instructions[0]!.data = '2'.repeat(2_001);
    expect(await check(long)).toMatchObject({ problem: 'no-memo' });
  });

  it('refuses a swap that spent something else than the inputs of all', async () => {
    expect(await check(aRound(tree.memo, { lamports: -999_999_999 }))).toMatchObject({ problem: 'other-sum' });
  });

  it('refuses a sale in whose transaction nothing of the token is', async () => {
    const anotherMint = address('Vote111111111111111111111111111111111111111');
    const nothing = leaves.map((leaf) => ({ ...leaf, amountIn: 0n }));
    const sale = allocationTree(
      { wallet: WALLET, roundId: ids[0], attempt: 1, side: 'sell', mint: anotherMint },
      nothing,
    );
    const proof = { ...sale.proof(ids[1]), txHash: 'round' };
    const chain = new Chain('http://node', aRound(sale.memo).fetch);
    expect(await verifyCopy(chain, proof)).toMatchObject({ problem: 'other-sum' });
  });

  it('refuses a transaction that failed: nothing was bought in it', async () => {
    const world = aRound();
    world.transactions['round']!.meta.err = { InstructionError: [0, 'Custom'] };
    expect(await check(world)).toMatchObject({ problem: 'failed' });
  });
});
