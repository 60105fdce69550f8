import { describe, expect, it } from 'vitest';
import { balanceChanges, lamportDelta, tokenDelta } from './balance-changes.ts';
import { Keypair } from './keypair.ts';
import type { ChainTransaction } from './rpc-replies.ts';

const [taker, pool, takerTokens, poolTokens, mint] = Array.from({ length: 5 }, () => Keypair.generate().address) as [
  ReturnType<typeof Keypair.generate>['address'],
  ReturnType<typeof Keypair.generate>['address'],
  ReturnType<typeof Keypair.generate>['address'],
  ReturnType<typeof Keypair.generate>['address'],
  ReturnType<typeof Keypair.generate>['address'],
];

function aBuy(overrides: Partial<ChainTransaction> = {}): ChainTransaction {
  const row = { mint, decimals: 6, tokenProgram: null };
  return {
    signature: 'sig',
    slot: 3n,
    blockTime: null,
    err: null,
    fee: 10_000n,
    accountKeys: [taker, pool, takerTokens, poolTokens],
    requiredSignatures: 2,
    preBalances: [5_000_000_000n, 70_000_000_000n, 0n, 2_039_280n],
    postBalances: [3_997_950_720n, 71_000_000_000n, 2_039_280n, 2_039_280n],
    preTokenBalances: [{ ...row, accountIndex: 3, owner: pool, amount: 900n }],
    postTokenBalances: [
      { ...row, accountIndex: 2, owner: taker, amount: 400n },
      { ...row, accountIndex: 3, owner: pool, amount: 500n },
    ],
    logMessages: [],
    wire: new Uint8Array(),
    ...overrides,
  };
}

describe('balance changes', () => {
  it('reads a buy from both sides, with fee and rent apart', () => {
    const changes = balanceChanges(aBuy());
    expect(changes).toMatchObject({ feePayer: taker, fee: 10_000n, failed: false });
    expect(lamportDelta(changes, pool)).toBe(1_000_000_000n);
    expect(lamportDelta(changes, taker)).toBe(-1_000_000_000n - 10_000n - 2_039_280n);
    expect(tokenDelta(changes, taker, mint)).toBe(400n);
    expect(tokenDelta(changes, pool, mint)).toBe(-400n);
    expect(changes.tokenAccountsCreated).toEqual([
      { account: takerTokens, owner: taker, mint, rentLamports: 2_039_280n },
    ]);
    expect(changes.tokenAccountsClosed).toEqual([]);
    expect([...changes.lamportDeltas.values()].reduce((sum, delta) => sum + delta, 0n)).toBe(-10_000n);
  });

  it('returns the rent of a closed token account', () => {
    const changes = balanceChanges(
      aBuy({
        preBalances: [1_000_000n, 0n, 2_039_280n, 0n],
        postBalances: [3_034_280n, 0n, 0n, 0n],
        fee: 5_000n,
        preTokenBalances: [{ mint, decimals: 6, tokenProgram: null, accountIndex: 2, owner: taker, amount: 0n }],
        postTokenBalances: [],
      }),
    );
    expect(changes.tokenAccountsClosed).toEqual([
      { account: takerTokens, owner: taker, mint, rentLamports: 2_039_280n },
    ]);
    expect(lamportDelta(changes, taker)).toBe(2_034_280n);
    expect(changes.tokenDeltas).toEqual([]);
  });

  it('shows only the fee for a failed transaction', () => {
    const changes = balanceChanges(
      aBuy({
        err: { InstructionError: [0, { Custom: 1 }] },
        preBalances: [50_000n, 0n, 0n, 0n],
        postBalances: [40_000n, 0n, 0n, 0n],
        preTokenBalances: [],
        postTokenBalances: [],
      }),
    );
    expect(changes.failed).toBe(true);
    expect([...changes.lamportDeltas]).toEqual([[taker, -10_000n]]);
  });
});
