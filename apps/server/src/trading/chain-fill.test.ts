import { baseUnits } from '@hunter/domain/numbers/base-units';
import { lamports } from '@hunter/domain/numbers/lamports';
import type { Address } from '@hunter/solana/address';
import type { BalanceChanges } from '@hunter/solana/balance-changes';
import { describe, expect, it } from 'vitest';
import { chainFill, domainFill } from './chain-fill.ts';

const WALLET = 'Wallet' as Address;
const MINT = 'Mint' as Address;
const RENT = 2_039_280n;

function changes({ swap, tokens, ...overrides }: Partial<BalanceChanges> & { swap: bigint; tokens: bigint }) {
  return {
    signature: 'signature',
    slot: 7n,
    failed: false,
    fee: lamports(5_000n),
    feePayer: WALLET,
    lamportDeltas: new Map([[WALLET, swap - 5_000n]]),
    tokenDeltas: [{ owner: WALLET, mint: MINT, delta: tokens, decimals: 6, tokenProgram: null }],
    tokenAccountsCreated: [],
    tokenAccountsClosed: [],
    ...overrides,
  } satisfies BalanceChanges;
}

describe('the fill of a transaction', () => {
  it('is what a purchase paid and got, without the fee', () => {
    const fill = chainFill(changes({ swap: -900n, tokens: 40n }), WALLET, MINT, 'buy');
    expect(fill).toEqual({
      signature: 'signature',
      slot: 7n,
      failed: false,
      tokens: 40n,
      lamports: 900n,
      feeLamports: 5_000n,
      rentLamports: 0n,
      createdAccount: null,
    });
    const share = { amountIn: lamports(900n), amountOut: baseUnits(40n), feeLamports: lamports(5_000n) };
    expect(domainFill('buy', false, share)).toEqual({ kind: 'buy', tokens: 40n, lamports: 900n, feeLamports: 5_000n });
  });

  it('is what a sale gave and got', () => {
    const fill = chainFill(changes({ swap: 900n, tokens: -40n }), WALLET, MINT, 'sell');
    expect(fill).toMatchObject({ tokens: 40n, lamports: 900n });
    const share = { amountIn: baseUnits(40n), amountOut: lamports(900n), feeLamports: lamports(5_000n) };
    expect(domainFill('sell', false, share)).toEqual({
      kind: 'sell',
      tokens: 40n,
      lamports: 900n,
      feeLamports: 5_000n,
    });
  });

  it('is a cost where a sale took more than it brought, to the lamport that the wallet lost', () => {
    const sale = { fee: 5_000n, swap: -900n };
    const fill = chainFill(changes({ swap: sale.swap, tokens: -40n }), WALLET, MINT, 'sell');
    expect(fill).toMatchObject({ tokens: 40n, lamports: 0n, feeLamports: sale.fee - sale.swap });
    const gift = chainFill(changes({ swap: 900n, tokens: 40n }), WALLET, MINT, 'buy');
    expect(gift).toMatchObject({ tokens: 40n, lamports: 0n, feeLamports: 4_100n });
    // Its order must come to an end: a wallet with an open one trades nothing else.
    const largeGift = chainFill(changes({ swap: 9_000n, tokens: 40n }), WALLET, MINT, 'buy');
    expect(largeGift).toMatchObject({ tokens: 40n, lamports: 0n, feeLamports: 0n });
  });

  it('keeps the rent of the own account of this mint apart, and of no other', () => {
    const own = { account: 'Account' as Address, owner: WALLET, mint: MINT, rentLamports: RENT };
    const others = [
      { ...own, owner: 'Pool' as Address },
      { ...own, mint: 'Other' as Address },
    ];
    const bought = chainFill(
      changes({ swap: -900n - RENT, tokens: 40n, tokenAccountsCreated: [...others, own] }),
      WALLET,
      MINT,
      'buy',
    );
    expect(bought).toMatchObject({ lamports: 900n, rentLamports: RENT, createdAccount: 'Account' });
    const sold = chainFill(
      changes({ swap: 900n + RENT, tokens: -40n, tokenAccountsClosed: [...others, own] }),
      WALLET,
      MINT,
      'sell',
    );
    expect(sold).toMatchObject({ lamports: 900n, rentLamports: -RENT, createdAccount: null });
  });

  it('is nothing but the fee where the transaction failed', () => {
    const fill = chainFill(changes({ swap: -900n, tokens: 40n, failed: true }), WALLET, MINT, 'buy');
    expect(fill).toEqual({
      signature: 'signature',
      slot: 7n,
      failed: true,
      tokens: 0n,
      lamports: 0n,
      feeLamports: 5_000n,
      rentLamports: 0n,
      createdAccount: null,
    });
    const share = { amountIn: lamports(0n), amountOut: baseUnits(0n), feeLamports: lamports(5_000n) };
    expect(domainFill('buy', true, share)).toEqual({ kind: 'failed', feeLamports: 5_000n });
  });

  it('leaves the accounts of others alone, made and closed', () => {
    const others = [
      { account: 'A' as Address, owner: 'Pool' as Address, mint: MINT, rentLamports: RENT },
      { account: 'B' as Address, owner: WALLET, mint: 'Other' as Address, rentLamports: 3n * RENT },
    ];
    const ask = { swap: -900n, tokens: 40n, tokenAccountsCreated: others, tokenAccountsClosed: others.slice(0, 1) };
    expect(chainFill(changes(ask), WALLET, MINT, 'buy')).toMatchObject({ rentLamports: 0n, createdAccount: null });
    const closed = { swap: -900n, tokens: 40n, tokenAccountsClosed: others.slice(1) };
    expect(chainFill(changes(closed), WALLET, MINT, 'buy')).toMatchObject({ rentLamports: 0n });
  });

  it('is a cost for a part so small that no whole token falls on it', () => {
    const share = { amountIn: lamports(900n), amountOut: baseUnits(0n), feeLamports: lamports(5n) };
    expect(domainFill('buy', false, share)).toEqual({ kind: 'failed', feeLamports: 905n });
    expect(
      domainFill('sell', false, { amountIn: baseUnits(0n), amountOut: lamports(9n), feeLamports: lamports(5n) }),
    ).toEqual({
      kind: 'failed',
      feeLamports: 5n,
    });
    expect(domainFill('buy', true, { ...share, amountOut: baseUnits(4n) })).toEqual({
      kind: 'failed',
      feeLamports: 5n,
    });
  });
});
