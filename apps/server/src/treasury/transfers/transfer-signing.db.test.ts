import type { Address } from '@hunter/solana/address';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAddress } from '../chain-for-test.ts';
import { TreasuryUnderTest } from '../treasury-for-test.ts';
import { countPutOffTransfers, loadFrozenBooks } from './transfer-store.ts';
import { SOL, transferSteps } from './transfer-steps-for-test.ts';

const FEE = 5_000n;

describe('transfers on their way to the signer and the chain', () => {
  let test: TreasuryUnderTest;
  beforeAll(async () => {
    test = await TreasuryUnderTest.start();
  });
  afterAll(() => test.stop());

  const { person, place, commitOf, view, isFinal, held, difference, quiet } = transferSteps(() => test);

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
    await database.write(`update transfer set retry_at = now() where id = $1`, [waiting]);
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
      await database.write(`update transfer set retry_at = now() where id = $1`, [id]);
      await test.transfers.recover();
    }
    await test.until(async () => (await waits(60)).length > 0);
    test.transferSigner.answer = null;
    await database.write(`update transfer set retry_at = now() where id = $1`, [id]);
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
      await database.write(`update transfer set retry_at = now() where id = $1`, [id]);
      test.chain.advance(1);
      await test.transfers.recover();
    }
    await test.until(async () => {
      const rows = await database.query(`select 1 from transfer where id = $1 and retry_at > now()`, [id]);
      return rows.length > 0;
    });
    // Another process would ask for other bytes, so that it waits; here for as long as the machine takes.
    const retry = (at: string) => database.write(`update transfer set retry_at = ${at} where id = $1`, [id]);
    await retry(`now() + interval '1 hour'`);
    const own = test.transfers;
    test.startTransfers();
    await test.transfers.recover();
    await test.transfers.stop();
    test.transfers = own;
    test.transferSigner.answer = null;
    await retry('now()');
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
});
