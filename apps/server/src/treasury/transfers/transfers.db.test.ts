import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Address } from '@hunter/solana/address';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RegisteredUser } from '../../accounts/accounts-for-test.ts';
import { loadPersonalBook, openBook } from '../../ledger/books.ts';
import { insertWallet, loadPersonalWallet } from '../../ledger/wallets.ts';
import { WALLET_MINIMUM_LAMPORTS } from '../../ledger/wallet-minimum.ts';
import { anAddress } from '../chain-for-test.ts';
import { TreasuryUnderTest } from '../treasury-for-test.ts';
import { placeTransfer } from './place-transfer.ts';
import { COMMITS_FINAL_TOPIC, TRANSFER_SETTLED_TOPIC, type NewTransfer } from './transfer.ts';
import { countPutOffTransfers, loadFrozenBooks } from './transfer-store.ts';
import { RETURN_LEGS_MAX } from './transfer-costs.ts';
import type { TransferView } from './transfer.ts';

const SOL = 1_000_000_000n;
const FEE = 5_000n;
const tooMuch = { errorName: 'INSUFFICIENT_BALANCE' };

describe('transfers between personal and strategy wallets', () => {
  let test: TreasuryUnderTest;
  let people = 0;
  beforeAll(async () => {
    test = await TreasuryUnderTest.start();
  });
  afterAll(() => test.stop());

  type Person = RegisteredUser & { bookId: string; walletId: string };
  const person = async (lamports = 10n * SOL): Promise<Person> => {
    people += 1;
    const user = await test.fundedUser(`person-${people}@example.com`, lamports);
    const { database } = test.accounts;
    const { id: bookId } = await loadPersonalBook(database, user.userId);
    return { ...user, bookId, walletId: (await loadPersonalWallet(database, user.userId)).walletId };
  };
  /** A user who only receives. */
  const receiver = async (): Promise<string> => {
    const { database } = test.accounts;
    const userId = randomUUID();
    await database.query(
      `insert into users (id, email, email_key, password_hash, display_name) values ($1, $2, $2, '', $2)`,
      [userId, userId],
    );
    await insertWallet(database, { id: userId, userId, kind: 'personal', address: anAddress(), sealedKey: '' });
    return (await openBook(database, { userId, walletId: userId, kind: 'personal', name: 'Personal' })).id;
  };
  const followBook = async ({ userId }: Person, walletId: string): Promise<string> => {
    return (await openBook(test.accounts.database, { userId, walletId, kind: 'follow', name: 'Follow' })).id;
  };
  const place = async (transfer: NewTransfer): Promise<string> => {
    await test.accounts.database.transaction((sql) => placeTransfer(sql, transfer, new Date()));
    return transfer.id;
  };
  const commitOf = (fromBookId: string, toBookId: string, amount: bigint): NewTransfer => {
    return { id: randomUUID(), kind: 'commit', legs: [{ fromBookId, toBookId, asset: 'SOL', amount }] };
  };
  const view = async (id: string): Promise<TransferView> => (await test.transfers.waitFor([id], 0))[0]!;
  const isFinal = (id: string) => test.until(async () => (await view(id)).state === 'finalized');
  const commit = async (from: Person, toBookId: string, amount: bigint): Promise<string> => {
    const id = await place(commitOf(from.bookId, toBookId, amount));
    await test.transfers.run(id);
    await isFinal(id);
    return id;
  };
  const held = async (bookId: string): Promise<{ cash: bigint; held: bigint }> => {
    const rows = await test.accounts.database.query<{ account: 'cash' | 'held'; amount: bigint }>(
      `select account, amount from balance where book_id = $1 and asset = 'SOL'`,
      [bookId],
    );
    const of = (account: string) => rows.find((row) => row.account === account)?.amount ?? 0n;
    return { cash: of('cash'), held: of('held') };
  };
  /** Books of a wallet less the chain. */
  const difference = async (walletId: string, address: string): Promise<bigint> => {
    const [row] = await test.accounts.database.query<{ sum: bigint }>(
      `select coalesce(sum(a.amount), 0)::numeric(40, 0) as sum from balance a join book b on b.id = a.book_id
       where b.wallet_id = $1 and a.asset = 'SOL' and a.account in ('cash', 'held')`,
      [walletId],
    );
    return row!.sum - (test.chain.lamports.get(address as Address) ?? 0n);
  };
  const eventsOf = async (topic: string) => {
    const rows = await test.accounts.database.query<{ payload: Record<string, unknown> }>(
      `select payload from outbox where topic = $1 order by id`,
      [topic],
    );
    return rows.map(({ payload }) => payload);
  };
  /** Everything that deposit watches saw has been read and posted. */
  const quiet = async (): Promise<void> => {
    await test.until(() => test.deposits.idle);
    test.chain.advance(20);
    await test.until(async () => {
      const open = await test.accounts.database.query(`select 1 from wallet_movement where status = 'seen'`);
      return test.deposits.idle && open.length === 0;
    });
  };

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
      asset: 'SOL',
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

  it('are signed again after a proven expiry, and move the money once', async () => {
    const user = await person();
    const strategy = await test.strategyWallet(user);
    const id = await place(commitOf(user.bookId, strategy.bookId, SOL));
    test.chain.losesSends = true;
    await test.transfers.run(id, { waitMs: 0 });
    await test.until(async () => (await view(id)).state === 'sent', 0);
    for (let expiries = 0; expiries < 4; expiries += 1) {
      const { signature } = await view(id);
      await test.until(async () => {
        const now = await view(id);
        return now.signature !== null && now.signature !== signature;
      }, 50);
    }
    test.chain.losesSends = false;
    await isFinal(id);
    await quiet();
    expect(await held(strategy.bookId)).toEqual({ cash: SOL, held: 0n });
    expect(await held(user.bookId)).toEqual({ cash: 9n * SOL - FEE, held: 0n });
    expect(await test.difference(user)).toBe(0n);
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

  it('are carried on by the next process when one dies between the record of the bytes and the send', async () => {
    const user = await person();
    const strategy = await test.strategyWallet(user);
    const died = Promise.withResolvers<void>();
    const dying = Object.assign(Object.create(test.chain.rpc) as RpcClient, {
      sendTransaction: async () => {
        died.resolve();
        return new Promise(() => {});
      },
    });
    await test.transfers.stop();
    test.startTransfers(dying);
    const id = await place(commitOf(user.bookId, strategy.bookId, SOL));
    void test.transfers.run(id, { waitMs: 10 });
    await died.promise;
    const { signature } = await view(id);
    await test.transfers.stop();
    test.startTransfers();
    await test.transfers.recover();
    await isFinal(id);
    expect((await view(id)).signature).toBe(signature);
    await quiet();
    expect(await held(strategy.bookId)).toEqual({ cash: SOL, held: 0n });
    expect(await test.difference(user)).toBe(0n);
  });

  it('end with everything released when the signer refuses, and wait when it only puts them off', async () => {
    const user = await person();
    const strategy = await test.strategyWallet(user);
    test.transferSigner.answer = { kind: 'denied', error: 'SIGNING_DENIED', reason: 'DESTINATION' };
    const refused = await place(commitOf(user.bookId, strategy.bookId, SOL));
    expect(await test.transfers.run(refused)).toMatchObject({ state: 'dead', error: 'SIGNING_DENIED' });
    expect(await held(user.bookId)).toEqual({ cash: 10n * SOL, held: 0n });
    test.transferSigner.answer = { kind: 'later', until: new Date(Date.now() + 3_600_000), reason: 'HELD' };
    const waiting = await place(commitOf(user.bookId, strategy.bookId, SOL));
    await test.transfers.run(waiting, { waitMs: 0 });
    const { database } = test.accounts;
    await test.until(async () => {
      const rows = await database.query(`select 1 from transfer where id = $1 and retry_at is not null`, [waiting]);
      return rows.length > 0;
    });
    test.transferSigner.answer = null;
    await test.transfers.recover();
    expect(await view(waiting)).toMatchObject({ state: 'held', signature: null });
    const nothing = { count: 0, lamports: 0n };
    expect(await countPutOffTransfers(database)).toEqual({ commit: { count: 1, lamports: SOL }, return: nothing });
    await database.query(`update transfer set retry_at = now() where id = $1`, [waiting]);
    await isFinal(waiting);
    expect(await countPutOffTransfers(database)).toEqual({ commit: nothing, return: nothing });
  });

  it('are asked for more and more rarely while the signer puts them off without saying until when', async () => {
    const user = await person();
    const strategy = await test.strategyWallet(user);
    const { database } = test.accounts;
    test.transferSigner.answer = { kind: 'later', until: null, reason: 'RETURN_CEILING' };
    const id = await place(commitOf(user.bookId, strategy.bookId, SOL));
    await test.transfers.run(id, { waitMs: 0 });
    const waits = (seconds: number) =>
      database.query(`select 1 from transfer where id = $1 and retry_at > now() + make_interval(secs => $2)`, [
        id,
        seconds,
      ]);
    for (let tries = 0; tries < 6; tries += 1) {
      await test.until(async () => (await waits(0)).length > 0);
      expect(await waits(tries === 0 ? 6 : 330)).toEqual([]);
      await database.query(`update transfer set retry_at = now() where id = $1`, [id]);
      await test.transfers.recover();
    }
    await test.until(async () => (await waits(60)).length > 0);
    test.transferSigner.answer = null;
    await database.query(`update transfer set retry_at = now() where id = $1`, [id]);
    await isFinal(id);
  });

  it('are asked for again soon and with the same bytes while the signer does not answer, which may have signed them', async () => {
    const user = await person();
    const strategy = await test.strategyWallet(user);
    const { database } = test.accounts;
    test.transferSigner.answer = { kind: 'unavailable', reason: 'UNAVAILABLE' };
    const before = test.transferSigner.asked.length;
    const id = await place(commitOf(user.bookId, strategy.bookId, SOL));
    await test.transfers.run(id, { waitMs: 0 });
    const asked = () => test.transferSigner.asked.slice(before);
    for (let tries = 1; tries <= 5; tries += 1) {
      await test.until(async () => asked().length >= tries);
      await database.query(`update transfer set retry_at = now() where id = $1`, [id]);
      test.chain.advance(1);
      await test.transfers.recover();
    }
    await test.until(async () => {
      const rows = await database.query(`select 1 from transfer where id = $1 and retry_at > now()`, [id]);
      return rows.length > 0;
    });
    // Another process would ask for other bytes.
    const own = test.transfers;
    test.startTransfers();
    await test.transfers.recover();
    await test.transfers.stop();
    test.transfers = own;
    test.transferSigner.answer = null;
    await isFinal(id);
    expect(new Set(asked()).size).toBe(1);
  });

  it('are asked for by one process, however many find the same one due', async () => {
    const user = await person();
    const strategy = await test.strategyWallet(user);
    const before = test.transferSigner.asked.length;
    test.transferSigner.answer = { kind: 'later', until: new Date(), reason: 'VELOCITY' };
    const gate = Promise.withResolvers<void>();
    test.transferSigner.gate = gate.promise;
    const first = test.transfers;
    const id = await place(commitOf(user.bookId, strategy.bookId, SOL));
    void first.run(id, { waitMs: 0 });
    await test.until(() => test.transferSigner.asked.length > before);
    test.startTransfers();
    let isOver = false;
    const recovery = test.transfers.recover().finally(() => {
      isOver = true;
    });
    await test.until(() => isOver || test.transferSigner.asked.length > before + 1);
    const asked = test.transferSigner.asked.length - before;
    test.transferSigner.answer = null;
    gate.resolve();
    await Promise.all([recovery, first.stop(), isFinal(id)]);
    expect(asked).toBe(1);
  });

  it('that the chain drops after they were posted are sent again, and their book is frozen until they are final', async () => {
    const user = await person();
    const strategy = await test.strategyWallet(user);
    const id = await place(commitOf(user.bookId, strategy.bookId, SOL));
    const { signature } = await test.transfers.run(id);
    test.chain.losesSends = true;
    test.chain.forkAway(signature!);
    expect(await difference(strategy.walletId, strategy.address)).toBe(SOL);
    await test.until(async () => (await view(id)).signature !== signature, 50);
    test.chain.losesSends = false;
    expect(await loadFrozenBooks(test.accounts.database, [strategy.bookId])).toEqual(new Set([strategy.bookId]));
    await isFinal(id);
    expect(await loadFrozenBooks(test.accounts.database, [strategy.bookId])).toEqual(new Set());
    await quiet();
    expect(await held(strategy.bookId)).toEqual({ cash: SOL, held: 0n });
    expect(await held(user.bookId)).toEqual({ cash: 9n * SOL - FEE, held: 0n });
    expect(await test.difference(user)).toBe(0n);
    expect(await difference(strategy.walletId, strategy.address)).toBe(0n);
  });

  it('that are final as a failure on another fork than they were posted from are taken back and cost their fee', async () => {
    const user = await person();
    const strategy = await test.strategyWallet(user);
    const id = await place(commitOf(user.bookId, strategy.bookId, 5n * SOL));
    const { signature } = await test.transfers.run(id);
    test.chain.forkAway(signature!);
    // On the other fork the owner was faster, with the own key.
    test.chain.spendOutside(user.wallet.address as Address, anAddress(), 8n * SOL);
    await test.until(async () => (await view(id)).state === 'failed');
    expect(await view(id)).toMatchObject({ error: 'TRANSFER_FAILED', signature });
    expect(await held(strategy.bookId)).toEqual({ cash: 0n, held: 0n });
    await test.until(async () => (await test.difference(user)) === 0n);
    expect(await held(user.bookId)).toEqual({ cash: 2n * SOL - 2n * FEE, held: 0n });
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
