import { encodeBase58 } from '@hunter/solana/base58';
import { vi } from 'vitest';
import { allocationTree, type AllocationProof } from '../../../apps/server/src/trading/rounds/allocation-tree.ts';
import { Chain } from './chain.ts';
import { Published } from './published.ts';
import { verifyStrategy, type Progress } from './verify-strategy.ts';
import { aSwap, aWorld, MINT, WALLET, type World } from './world-for-test.ts';

/** With fake timers, which it runs. */
export async function verify(world: World, onProgress?: (progress: Progress) => void) {
  const chain = new Chain('http://node', world.fetch);
  const published = new Published('http://product', world.fetch);
  const running = verifyStrategy({ published, chain, slug: 'frogs', ...(onProgress ? { onProgress } : {}) });
  // A rejection is looked at by whoever awaits the result, after time has run.
  running.catch(() => undefined);
  await vi.runAllTimersAsync();
  const { report } = await running;
  const verdicts = Object.fromEntries(report.figures.map(({ key, verdict }) => [key, verdict]));
  const different = report.figures.filter(({ verdict }) => verdict === 'different').map(({ key }) => key);
  return { report, verdicts, different };
}

const CREATOR = '0196a1b2-c3d4-7e5f-8a9b-000000000001';
const FOLLOW = '0196a1b2-c3d4-7e5f-8a9b-000000000002';
export const memoData = (memo: string) => encodeBase58(Buffer.from(memo));

/** The same strategy in a wallet of its own: in each of its swaps a follower takes part with twice the creator's input. */
export function aSharedWorld(): World & { followersProofs: AllocationProof[] } {
  const world = aWorld();
  const followersProofs: AllocationProof[] = [];
  world.detail.verify.walletKind = 'strategy';
  const swaps = [
    { lamports: -1_000_000_000, deposit: 2_000_000, before: 0n, after: 1_000_000_000n },
    { lamports: 1_500_000_000, deposit: 0, before: 1_000_000_000n, after: 0n },
    { lamports: -500_000_000, deposit: 0, before: 0n, after: 200_000_000n },
  ];
  for (const [index, { lamports, deposit, before, after }] of swaps.entries()) {
    const row = world.rows[index + 1]!;
    const side = lamports < 0 ? ('buy' as const) : ('sell' as const);
    const own = side === 'buy' ? BigInt(-lamports) : before - after;
    const round = { wallet: WALLET, roundId: CREATOR, attempt: index + 1, side, mint: MINT };
    const tree = allocationTree(round, [
      { followId: CREATOR, salt: new Uint8Array(32).fill(1), amountIn: own, reason: 0 },
      { followId: FOLLOW, salt: new Uint8Array(32).fill(2), amountIn: own * 2n, reason: 0 },
    ]);
    const swap = { lamports: lamports * 3, deposit, before: before * 3n, after: after * 3n };
    world.transactions[row.txHash!] = aSwap({ ...swap, memo: memoData(tree.memo) });
    row.allocation = tree.proof(CREATOR);
    followersProofs.push(tree.proof(FOLLOW));
  }
  return Object.assign(world, { followersProofs });
}
