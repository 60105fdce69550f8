import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadUnclaimedBookId } from '../../ledger/books.ts';
import { WALLET_MINIMUM_LAMPORTS } from '../../ledger/wallet-minimum.ts';
import { anAddress } from '../chain-for-test.ts';
import { TreasuryUnderTest } from '../treasury-for-test.ts';
import { COMMITS_FINAL_TOPIC, TRANSFER_SETTLED_TOPIC, type NewTransfer } from './transfer.ts';
import { loadFrozenBooks } from './transfer-store.ts';
import { RETURN_LEGS_MAX } from './transfer-costs.ts';
import { SOL, transferSteps } from './transfer-steps-for-test.ts';

const FEE = 5_000n;
const tooMuch = { errorName: 'INSUFFICIENT_BALANCE' };

describe('transfers between personal and strategy wallets', () => {
  let test: TreasuryUnderTest;
  beforeAll(async () => {
    test = await TreasuryUnderTest.start();
  });
  afterAll(() => test.stop());

  const { person, receiver, followBook, place, commitOf, isFinal, commit, held, difference, eventsOf, quiet } =
    transferSteps(() => test);

  it('credit a commit once, at confirmed, and tell the signer when it is final', async () => {
    const creator = await person();
    const strategy = await test.strategyWallet(creator);
    const id = await place(commitOf(creator.bookId, strategy.bookId, 4n * SOL));
    expect(await held(creator.bookId)).toEqual({ cash: 6n * SOL - FEE, held: 4n * SOL + FEE });
    const settled = await test.transfers.run(id);
    expect(settled).toMatchObject({ state: 'confirmed', error: null, legs: [{ received: 4n * SOL }] });
    expect(await held(creator.bookId)).toEqual({ cash: 6n * SOL - FEE, held: 0n });
    expect(await held(strategy.bookId)).toEqual({ cash: 4n * SOL, held: 0n });
    expect(await loadFrozenBooks(test.accounts.database, [strategy.bookId, creator.bookId])).toEqual(
      new Set([strategy.bookId]),
    );
    expect(await eventsOf(TRANSFER_SETTLED_TOPIC)).toContainEqual({
      transferId: id,
      kind: 'commit',
      state: 'confirmed',
    });
    await isFinal(id);
    expect(await loadFrozenBooks(test.accounts.database, [strategy.bookId])).toEqual(new Set());
    expect(await eventsOf(COMMITS_FINAL_TOPIC)).toContainEqual({ signatures: [settled.signature] });
    await quiet();
    expect(await test.booksOf(strategy.walletId)).toEqual([{ kind: 'strategy', asset: 'SOL', amount: 4n * SOL }]);
    expect(await test.difference(creator)).toBe(0n);
    expect(await difference(strategy.walletId, strategy.address)).toBe(0n);
  });

  it('return to several people in one transaction, who share its fee, and are credited once', async () => {
    const creator = await person();
    const followers = [await person(), await person()];
    const strategy = await test.strategyWallet(creator);
    const books = [strategy.bookId];
    for (const follower of followers) books.push(await followBook(follower, strategy.walletId));
    const everybody = [creator, ...followers];
    for (const [index, one] of everybody.entries()) await commit(one, books[index]!, 2n * SOL);
    const landedBefore = test.chain.landed.length;
    const id = await place({
      id: randomUUID(),
      kind: 'return',
      legs: everybody.map((one, index) => ({
        fromBookId: books[index]!,
        toBookId: one.bookId,
        asset: 'SOL',
        amount: SOL,
      })),
    });
    const settled = await test.transfers.run(id);
    // 5,000 by three: the remainder is paid by the first lines.
    const received = [SOL - 1_667n, SOL - 1_667n, SOL - 1_666n];
    expect(settled.legs.map((leg) => leg.received)).toEqual(received);
    expect(test.chain.landed.length - landedBefore).toBe(1);
    await isFinal(id);
    await quiet();
    for (const [index, one] of everybody.entries()) {
      expect(await held(one.bookId)).toEqual({ cash: 8n * SOL - FEE + received[index]!, held: 0n });
      expect(await held(books[index]!)).toEqual({ cash: SOL, held: 0n });
      expect(await test.difference(one)).toBe(0n);
    }
    expect(await difference(strategy.walletId, strategy.address)).toBe(0n);
  });

  it('carry as many receivers in one return as is said, and refuse more', async () => {
    const creator = await person();
    const strategy = await test.strategyWallet(creator);
    await commit(creator, strategy.bookId, 8n * SOL);
    const receivers = await Promise.all(Array.from({ length: RETURN_LEGS_MAX + 1 }, () => receiver()));
    const legs = receivers.map((toBookId) => ({
      fromBookId: strategy.bookId,
      toBookId,
      asset: 'SOL' as const,
      amount: SOL / 10n,
    }));
    await expect(place({ id: randomUUID(), kind: 'return', legs })).rejects.toThrow('one transaction');
    const id = await place({ id: randomUUID(), kind: 'return', legs: legs.slice(1) });
    expect((await test.transfers.run(id)).state).toBe('confirmed');
    expect(test.chain.landed.at(-1)!.transaction.wire.length).toBeLessThanOrEqual(1_232);
  });

  it('take what the owner sends from outside to the wallet of a strategy for unclaimed', async () => {
    const user = await person();
    const strategy = await test.strategyWallet(await person());
    test.chain.spendOutside(user.wallet.address as Address, strategy.address, SOL);
    await test.until(async () => (await test.booksOf(strategy.walletId)).length === 1);
    expect(await test.booksOf(strategy.walletId)).toEqual([{ kind: 'unclaimed', asset: 'SOL', amount: SOL }]);
    await test.until(async () => (await test.difference(user)) === 0n);
    expect((await test.sol(user)).cash).toBe(9n * SOL - FEE);
  });

  it('return tokens also where a stranger has sent SOL to the address of the account that they need', async () => {
    const creator = await person();
    const { walletId, address } = await test.strategyWallet(creator);
    const mint = anAddress();
    test.chain.mints.set(mint, { decimals: 6, owner: TOKEN_PROGRAM });
    test.chain.airdrop(address, SOL);
    test.chain.receiveTokens(associatedTokenAddress(address, mint), address, mint, 5_000_000n);
    await test.until(async () => (await test.booksOf(walletId)).length === 2);
    const { database } = test.accounts;
    const fromBookId = (await loadUnclaimedBookId(database, walletId))!;
    const target = associatedTokenAddress(creator.wallet.address as Address, mint);
    test.chain.airdrop(target, 890_880n);
    const way = { fromBookId, toBookId: creator.bookId };
    const legs = [
      { ...way, asset: 'SOL' as const, amount: SOL / 2n },
      { ...way, asset: mint, amount: 5_000_000n },
    ];
    const id = await place({ id: randomUUID(), kind: 'return', legs });
    expect(await test.transfers.run(id)).toMatchObject({ state: 'confirmed', legs: [{}, { received: 5_000_000n }] });
    expect(test.chain.tokens.get(target)?.amount).toBe(5_000_000n);
    await isFinal(id);
    await quiet();
    expect(await difference(walletId, address)).toBe(0n);
    expect(await test.difference(creator)).toBe(0n);
  });

  it('refuse a commit beyond what is free above the wallet minimum, and do nothing for an id used before', async () => {
    const user = await person(SOL);
    const strategy = await test.strategyWallet(user);
    const most = SOL - FEE - WALLET_MINIMUM_LAMPORTS;
    await expect(place(commitOf(user.bookId, strategy.bookId, most + 1n))).rejects.toMatchObject(tooMuch);
    expect(await held(user.bookId)).toEqual({ cash: SOL, held: 0n });
    const transfer = commitOf(user.bookId, strategy.bookId, most / 2n);
    await place(transfer);
    await place(transfer);
    expect((await held(user.bookId)).held).toBe(most / 2n + FEE);
    const back: NewTransfer = {
      id: randomUUID(),
      kind: 'return',
      legs: [{ fromBookId: strategy.bookId, toBookId: user.bookId, asset: 'SOL', amount: 1_000_000n }],
    };
    await expect(place(back)).rejects.toMatchObject(tooMuch);
    const tiny = { ...back, legs: [{ ...back.legs[0]!, amount: FEE }] };
    await expect(place(tiny)).rejects.toMatchObject(tooMuch);
    await expect(place({ ...transfer, id: randomUUID(), kind: 'return' })).rejects.toThrow('no return');
    await isFinal((await test.transfers.run(transfer.id)).id);
  });

  it('that fail on chain cost their fee and release the rest', async () => {
    const user = await person();
    const strategy = await test.strategyWallet(user);
    const id = await place(commitOf(user.bookId, strategy.bookId, 5n * SOL));
    // The owner was faster, with the own key.
    test.chain.disconnect();
    test.chain.spendOutside(user.wallet.address as Address, strategy.address, 8n * SOL);
    expect(await test.transfers.run(id)).toMatchObject({ state: 'failed', error: 'TRANSFER_FAILED' });
    test.chain.reconnect();
    expect(await held(strategy.bookId)).toEqual({ cash: 0n, held: 0n });
    await test.until(async () => (await test.difference(user)) === 0n);
    expect(await held(user.bookId)).toEqual({ cash: 2n * SOL - 2n * FEE, held: 0n });
    expect(await eventsOf(TRANSFER_SETTLED_TOPIC)).toContainEqual({ transferId: id, kind: 'commit', state: 'failed' });
  });

  it('keep the books of every wallet equal to the chain, whatever commits and returns run side by side', async () => {
    const everybody = [await person(50n * SOL), await person(50n * SOL), await person(50n * SOL)];
    const wallets = [await test.strategyWallet(everybody[0]!), await test.strategyWallet(everybody[1]!)];
    const books = await Promise.all(
      wallets.map(({ walletId }) => Promise.all(everybody.map((one) => followBook(one, walletId)))),
    );
    const step = fc.record({
      wallet: fc.nat({ max: 1 }),
      who: fc.nat({ max: 2 }),
      amount: fc.bigInt({ min: 2_000_000n, max: SOL }),
      isReturn: fc.boolean(),
      losesAnswers: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const ids: string[] = [];
        for (const { wallet, who, amount, isReturn, losesAnswers } of steps) {
          test.chain.losesAnswers = losesAnswers;
          const own = books[wallet]![who]!;
          const transfer: NewTransfer = isReturn
            ? {
                id: randomUUID(),
                kind: 'return',
                legs: everybody.map((one, index) => {
                  return { fromBookId: books[wallet]![index]!, toBookId: one.bookId, asset: 'SOL', amount };
                }),
              }
            : commitOf(everybody[who]!.bookId, own, amount);
          try {
            ids.push(await place(transfer));
            void test.transfers.run(transfer.id, { waitMs: 0 });
          } catch (error) {
            expect(error).toMatchObject(tooMuch);
          }
        }
        await test.until(async () => {
          return (await test.transfers.waitFor(ids, 0)).every(({ state }) => state === 'finalized');
        }, 3);
        test.chain.losesAnswers = false;
        await quiet();
        for (const { walletId, address } of wallets) expect(await difference(walletId, address)).toBe(0n);
        for (const one of everybody) expect(await difference(one.walletId, one.wallet.address)).toBe(0n);
      }),
      { numRuns: 12 },
    );
  });
});
