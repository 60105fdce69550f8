import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { Keypair } from '@hunter/solana/keypair';
import { WRAPPED_SOL_MINT } from '@hunter/solana/program-ids';
import { decodeTransactionBase64 } from '@hunter/solana/transaction';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  aListing,
  aVenue,
  nativeAccount,
  orderRequest,
  signAsTaker,
  SOL,
  swap,
  taxed,
  type TestVenue,
  tokenWrite,
} from './venue-for-test.ts';
import { RENT_EXEMPT_EMPTY, rentExemptLamports } from './rent.ts';
import { tokenAmountOf } from './token-account-data.ts';

let test: TestVenue;
beforeEach(async () => {
  const frozen = { index: 2, freezeAuthority: aListing(2).dev, extensions: { frozenByDefault: true } };
  test = await aVenue({
    listings: [aListing(0), aListing(1, { extensions: taxed(1) }), aListing(2, frozen)],
  });
});
afterEach(() => test.close());

const plain = () => test.listings[0]!;
const tokensOf = (owner: Keypair, index = 0): bigint => {
  const { mint, tokenProgram } = test.listings[index]!;
  const account = test.chain.account(associatedTokenAddress(owner.address, mint, tokenProgram));
  return account === null ? 0n : tokenAmountOf(account.data);
};
const lamportsOf = (owner: Keypair): bigint => test.chain.account(owner.address)?.lamports ?? 0n;

describe('a quote without taker', () => {
  it('carries the price and no transaction', () => {
    const order = test.venue.swaps.order(orderRequest({ taker: null, mint: plain().mint, side: 'buy', amount: SOL }));
    expect(order).toMatchObject({ inAmount: '1000000000', transaction: null, swapMode: 'ExactIn', feeBps: 50 });
    expect(BigInt(String(order['outAmount']))).toBeGreaterThan(0n);
    expect(BigInt(String(order['otherAmountThreshold']))).toBeLessThan(BigInt(String(order['outAmount'])));
  });

  it('is refused for a token the venue does not know, for two tokens, and for the same token twice', () => {
    const unknown = Keypair.generate().address;
    const ask = (inputMint: string, outputMint: string) => () =>
      test.venue.swaps.order({ inputMint, outputMint, amount: SOL, taker: null, slippageBps: null });
    expect(ask(WRAPPED_SOL_MINT, unknown)).toThrow('not tradable');
    expect(ask(plain().mint, test.listings[1]!.mint)).toThrow('No routes found');
    expect(ask(plain().mint, plain().mint)).toThrow('equal');
  });

  it('is refused where the size is dust or more than the pool holds', () => {
    const ask = (side: 'buy' | 'sell', amount: bigint) => () =>
      test.venue.swaps.order(orderRequest({ taker: null, mint: plain().mint, side, amount }));
    expect(ask('sell', 1n)).toThrow('too small');
    expect(ask('sell', 2n ** 63n)).toThrow('does not hold enough');
  });
});

describe('a swap', () => {
  it('moves exactly what the order said, both ways', async () => {
    const [taker] = test.takers as [Keypair];
    for (const side of ['buy', 'sell'] as const) {
      const before = { lamports: lamportsOf(taker), tokens: tokensOf(taker) };
      const order = test.venue.swaps.order(orderRequest({ taker, mint: plain().mint, side, amount: SOL }));
      const [input, output] = [BigInt(String(order['inAmount'])), BigInt(String(order['outAmount']))];
      const signed = signAsTaker(order['transaction'], taker);
      const result = await test.venue.swaps.execute(String(order['requestId']), signed);
      expect(result).toMatchObject({
        status: 'Success',
        code: 0,
        totalInputAmount: `${input}`,
        totalOutputAmount: `${output}`,
      });
      const [lamports, tokens] = side === 'buy' ? [-input, output] : [output, -input];
      expect(lamportsOf(taker) - before.lamports).toBe(lamports - 10_000n);
      expect(tokensOf(taker) - before.tokens).toBe(tokens);
    }
  });

  it('names the venue as a read-only account, so that every trade can be found by it', async () => {
    const [taker] = test.takers as [Keypair];
    const order = test.venue.swaps.order(orderRequest({ taker, mint: plain().mint, side: 'buy', amount: SOL }));
    expect(decodeTransactionBase64(String(order['transaction'])).message.staticAccounts).toContain(test.venue.address);
    const result = await test.venue.swaps.execute(String(order['requestId']), signAsTaker(order['transaction'], taker));
    expect(test.chain.transactionsFor(test.venue.address)).toMatchObject([{ signature: result.signature }]);
  });

  it('creates the token account of a first buyer and says what its rent costs', async () => {
    const newcomer = Keypair.generate();
    await test.chain.setAccounts([nativeAccount(newcomer.address, 2n * SOL)]);
    const order = test.venue.swaps.order(
      orderRequest({ taker: newcomer, mint: plain().mint, side: 'buy', amount: SOL }),
    );
    expect(order['rentFeeLamports']).toBe(rentExemptLamports(165).toString());
    const signed = signAsTaker(order['transaction'], newcomer);
    expect((await test.venue.swaps.execute(String(order['requestId']), signed)).status).toBe('Success');
    expect(tokensOf(newcomer)).toBe(BigInt(String(order['outAmount'])));
    expect(lamportsOf(newcomer)).toBe(SOL - 10_000n - rentExemptLamports(165));
  });

  it('gives the taker of a taxed token what is left after the tax', async () => {
    const [taker] = test.takers as [Keypair];
    const before = tokensOf(taker, 1);
    const result = await swap(test, { taker, mint: test.listings[1]!.mint, side: 'buy', amount: SOL });
    expect(tokensOf(taker, 1) - before).toBe(BigInt(result.totalOutputAmount!));
  });

  it('of the same taker and size twice in one slot is two trades', async () => {
    const [taker] = test.takers as [Keypair];
    const request = { taker, mint: plain().mint, side: 'buy', amount: SOL, slippageBps: 10_000n } as const;
    const results = [await swap(test, request), await swap(test, request)];
    expect(results.map(({ status }) => status)).toEqual(['Success', 'Success']);
    expect(results[0]!.signature).not.toBe(results[1]!.signature);
  });

  it('answers a repeated execution with the first result', async () => {
    const [taker] = test.takers as [Keypair];
    const order = test.venue.swaps.order(orderRequest({ taker, mint: plain().mint, side: 'buy', amount: SOL }));
    const signed = signAsTaker(order['transaction'], taker);
    const requestId = String(order['requestId']);
    const [first, second] = await Promise.all([1, 2].map(() => test.venue.swaps.execute(requestId, signed)));
    expect(second).toEqual(first);
    // A venue that restarted in between knows the order no more, but the ledger does.
    const reopened = test.reopen();
    expect(await reopened.swaps.execute(requestId, signed)).toEqual(first);
    reopened.close();
  });

  it('sells a whole holding and leaves the empty account open', async () => {
    const [taker] = test.takers as [Keypair];
    const { mint, tokenProgram } = plain();
    const result = await swap(test, { taker, mint, side: 'sell', amount: tokensOf(taker) });
    expect(result.status).toBe('Success');
    expect(tokensOf(taker)).toBe(0n);
    expect(test.chain.account(associatedTokenAddress(taker.address, mint, tokenProgram))).not.toBeNull();
  });
});

describe('an order is not built', () => {
  const transactionFor = (taker: Keypair, side: 'buy' | 'sell', amount: bigint) =>
    test.venue.swaps.order(orderRequest({ taker, mint: plain().mint, side, amount }));

  it('without the funds to trade, without SOL for the fee, or where the rest could not pay its rent', async () => {
    const poor = Keypair.generate();
    await test.chain.setAccounts([nativeAccount(poor.address, SOL), tokenWrite(plain(), poor.address, 5_000_000n)]);
    expect(transactionFor(poor, 'buy', 2n * SOL)).toMatchObject({ transaction: '', errorCode: 1 });
    expect(transactionFor(poor, 'buy', SOL)).toMatchObject({ transaction: '', errorCode: 2 });
    expect(transactionFor(poor, 'buy', SOL - 10_000n - RENT_EXEMPT_EMPTY + 1n)).toMatchObject({ errorCode: 2 });
    expect(transactionFor(poor, 'sell', 5_000_001n)).toMatchObject({ transaction: '', errorCode: 1 });
    expect(transactionFor(poor, 'buy', SOL - 10_000n - RENT_EXEMPT_EMPTY)['transaction']).not.toBe('');
    const broke = Keypair.generate();
    await test.chain.setAccounts([tokenWrite(plain(), broke.address, 5_000_000n)]);
    expect(transactionFor(broke, 'sell', 5_000_000n)).toMatchObject({ transaction: '', errorCode: 2 });
  });

  it('for a token that freezes every new account, unless the issuer let the taker in', async () => {
    const { mint } = test.listings[2]!;
    const newcomer = Keypair.generate();
    await test.chain.setAccounts([nativeAccount(newcomer.address, 5n * SOL)]);
    const ask = () => test.venue.swaps.order(orderRequest({ taker: newcomer, mint, side: 'buy', amount: SOL }));
    expect(ask).toThrow('frozen');
    const insider = await swap(test, { taker: test.takers[0]!, mint, side: 'buy', amount: SOL });
    expect(insider.status).toBe('Success');
  });
});

describe('an execution is refused', () => {
  const anOrder = (taker: Keypair, slippageBps = 100n) => {
    const order = test.venue.swaps.order(
      orderRequest({ taker, mint: plain().mint, side: 'buy', amount: SOL, slippageBps }),
    );
    return { requestId: String(order['requestId']), signed: Uint8Array.from(signAsTaker(order['transaction'], taker)) };
  };

  it('when the order is unknown, changed, or not signed by its taker', async () => {
    const [taker, other] = test.takers as [Keypair, Keypair];
    const { requestId, signed } = anOrder(taker);
    expect(await test.venue.swaps.execute('nothing', signed)).toMatchObject({ status: 'Failed', code: -1 });
    expect(await test.venue.swaps.execute(requestId, new Uint8Array(5))).toMatchObject({ status: 'Failed', code: -2 });
    const changed = Uint8Array.from(signed);
    changed[changed.length - 8]! ^= 1;
    expect(await test.venue.swaps.execute(requestId, changed)).toMatchObject({ status: 'Failed', code: -3 });
    const forged = Uint8Array.from(signed);
    forged.set(other.sign(signed.subarray(129)), 1);
    expect(await test.venue.swaps.execute(requestId, forged)).toMatchObject({ status: 'Failed', code: -1003 });
    expect(await test.venue.swaps.execute(requestId, signed)).toMatchObject({ status: 'Success' });
  });

  it('when the quote has expired', async () => {
    const { requestId, signed } = anOrder(test.takers[0]!);
    await test.chain.advanceSlots(26);
    expect(await test.venue.swaps.execute(requestId, signed)).toMatchObject({ status: 'Failed', code: -2003 });
  });

  it('when the price moved past the slippage, and not when it moved within the fee', async () => {
    const [taker, other] = test.takers as [Keypair, Keypair];
    const near = anOrder(taker);
    await swap(test, { taker: other, mint: plain().mint, side: 'buy', amount: SOL / 10n });
    expect(await test.venue.swaps.execute(near.requestId, near.signed)).toMatchObject({ status: 'Success' });
    const far = anOrder(taker, 10_000n);
    await swap(test, { taker: other, mint: plain().mint, side: 'buy', amount: 5n * SOL });
    expect(await test.venue.swaps.execute(far.requestId, far.signed)).toMatchObject({ status: 'Failed', code: -2004 });
  });

  it('by the chain when the taker has spent the money elsewhere, and the pool loses nothing', async () => {
    const [taker] = test.takers as [Keypair];
    const { requestId, signed } = anOrder(taker);
    await test.chain.setAccounts([nativeAccount(taker.address, SOL)]);
    const pool = test.venue.pools.get(plain().mint)!;
    const before = pool.reserves();
    const result = await test.venue.swaps.execute(requestId, signed);
    expect(result).toMatchObject({ status: 'Failed', code: -1000 });
    expect(result.signature).not.toBeNull();
    expect(pool.reserves()).toEqual(before);
  });
});
