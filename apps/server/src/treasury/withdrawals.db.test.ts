import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { AppError } from '@hunter/contract/app-error';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aToken } from '../market/market-for-test.ts';
import { TokenDirectory } from '../market/token-directory.ts';
import { anAddress } from './chain-for-test.ts';
import { TreasuryUnderTest, type CrashPoint } from './treasury-for-test.ts';

const SOL = 1_000_000_000n;
const FEE = 5_000n;

type View = { id: string; status: string; txHash: string | null; gasFee: string; heldUntil: number | null };

describe('withdrawals', () => {
  let test: TreasuryUnderTest;
  beforeAll(async () => {
    test = await TreasuryUnderTest.start();
  });
  afterAll(() => test.stop());

  const view = (reply: { data: unknown }) => reply.data as View;
  const stateOf = async (id: string) => {
    const [row] = await test.accounts.database.query<{ state: string }>(`select state from withdrawal where id = $1`, [
      id,
    ]);
    return row?.state;
  };

  it('send the amount, take the fee on top, and end with books and chain equal', async () => {
    const user = await test.fundedUser('send@example.com', 2n * SOL);
    const toWallet = anAddress();
    const reply = await test.withdraw(user, { toWallet, amount: '1.5' });
    expect(view(reply)).toMatchObject({ status: 'confirmed', gasFee: '0.000005', heldUntil: null });
    await test.until(async () => (await stateOf(view(reply).id)) === 'finalized');
    expect(test.chain.lamports.get(toWallet)).toBe((3n * SOL) / 2n);
    expect(await test.sol(user)).toEqual({ cash: SOL / 2n - FEE, held: 0n });
    expect(await test.difference(user)).toBe(0n);
    const list = await test.accounts.get('user/getMyWithdrawals', user.token);
    expect(list.data).toMatchObject({ total: 1, lists: [{ txHash: view(reply).txHash }] });
  });

  it('refuse what breaks a rule and leave nothing held', async () => {
    const user = await test.fundedUser('rules@example.com', SOL);
    const toWallet = anAddress();
    const refusals: [Record<string, string>, string][] = [
      [{ toWallet, amount: '1' }, 'INSUFFICIENT_BALANCE'],
      [{ toWallet, amount: '0.9999' }, 'WITHDRAWAL_LEAVES_DUST'],
      [{ toWallet: user.wallet.address, amount: '0.1' }, 'WITHDRAWAL_OWN_WALLET'],
      [{ toWallet, amount: '0.0001' }, 'AMOUNT_TOO_SMALL'],
      [{ toWallet, amount: '0.1', password: 'not the password' }, 'WRONG_PASSWORD'],
      [{ toWallet: '1'.repeat(40), amount: '0.1' }, 'INVALID_INPUT'],
    ];
    for (const [fields, error] of refusals) {
      const reply = await test.withdraw(user, fields as { toWallet: string; amount: string });
      expect(reply.data).toMatchObject({ error });
    }
    expect(await test.sol(user)).toEqual({ cash: SOL, held: 0n });
    const list = await test.accounts.get('user/getMyWithdrawals', user.token);
    expect(list.data).toMatchObject({ total: 0 });
  });

  it('refuse a destination that could not spend what it receives, and name the field', async () => {
    const user = await test.fundedUser('destinations@example.com', SOL);
    const mint = anAddress();
    const tokens = anAddress();
    test.chain.receiveTokens(tokens, user.wallet.address as Address, mint, 1n);
    const offCurve = associatedTokenAddress(user.wallet.address as Address, mint);
    const [pool, curve] = [anAddress(), anAddress()];
    const { database } = test.accounts;
    await new TokenDirectory(database).save([{ ...aToken({ pool, curvePool: curve }), flags: [] }]);
    for (const address of [pool, curve]) test.chain.lamports.set(address, SOL);
    const withdraw = (toWallet: string) => test.withdraw(user, { toWallet, amount: '0.1' });
    for (const [toWallet, reason] of [
      ['1nc1nerator11111111111111111111111111111111', 'reserved'],
      [tokens, 'token-account'],
      [offCurve, 'no-owner'],
      [pool, 'pool'],
      [curve, 'pool'],
    ] as const) {
      const reply = await withdraw(toWallet);
      expect(reply).toMatchObject({
        code: 1305,
        data: { error: 'WITHDRAWAL_DESTINATION', field: 'toWallet', reason },
      });
    }
    expect(await test.sol(user)).toEqual({ cash: SOL, held: 0n });
    // The vault of a multisig has no key of its own either, but the system program owns it and it can spend.
    test.chain.lamports.set(offCurve, SOL);
    expect(view(await withdraw(offCurve)).status).toBe('confirmed');
  });

  it('empty a wallet completely when asked to', async () => {
    const user = await test.fundedUser('empty@example.com', SOL);
    const reply = await test.withdraw(user, { toWallet: anAddress(), amount: '0.999995' });
    await test.until(async () => (await stateOf(view(reply).id)) === 'finalized');
    expect(await test.sol(user)).toEqual({ cash: 0n, held: 0n });
    expect(test.chain.lamports.get(user.wallet.address as Address)).toBe(0n);
  });

  it('have one effect for a double click and for 100 posts with one key', async () => {
    const user = await test.fundedUser('clicks@example.com', 10n * SOL);
    const toWallet = anAddress();
    const [left, right] = await Promise.all([
      test.withdraw(user, { toWallet, amount: '1' }),
      test.withdraw(user, { toWallet, amount: '1' }),
    ]);
    expect(left).toEqual(right);
    const many = await Promise.all(
      Array.from({ length: 100 }, () => test.withdraw(user, { toWallet, amount: '2' }, 'one-key')),
    );
    expect(new Set(many.map((reply) => view(reply).id)).size).toBe(1);
    await test.until(async () => (await test.sol(user)).held === 0n);
    expect(test.chain.lamports.get(toWallet)).toBe(3n * SOL);
    expect(await test.difference(user)).toBe(0n);
  });

  it('racing for one balance never take more than there is', async () => {
    const user = await test.fundedUser('race@example.com', 5n * SOL);
    const toWallet = anAddress();
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) => test.withdraw(user, { toWallet, amount: '1' }, `race-${index}`)),
    );
    expect(replies.filter((reply) => reply.code === 200)).toHaveLength(4);
    await test.until(async () => (await test.sol(user)).held === 0n);
    expect(test.chain.lamports.get(toWallet)).toBe(4n * SOL);
    expect(await test.difference(user)).toBe(0n);
  });

  it('of one amount to one destination under one blockhash are each paid', async () => {
    const user = await test.fundedUser('twins@example.com', 5n * SOL);
    const toWallet = anAddress();
    test.chain.heldBlockhash = anAddress();
    const before = test.chain.blockhashesAsked;
    const asked = Promise.all([
      test.withdraw(user, { toWallet, amount: '1' }, 'twin-1'),
      test.withdraw(user, { toWallet, amount: '1' }, 'twin-2'),
    ]);
    await test.until(async () => test.chain.lamports.get(toWallet) === SOL);
    // The other one was refused under the same blockhash and asked for the next, which is still the same.
    await test.until(() => test.chain.blockhashesAsked >= before + 3);
    test.chain.heldBlockhash = null;
    const replies = await asked;
    expect(replies.map((reply) => reply.code)).toEqual([200, 200]);
    await test.until(async () => (await test.sol(user)).held === 0n);
    expect(test.chain.lamports.get(toWallet)).toBe(2n * SOL);
    expect(await test.difference(user)).toBe(0n);
  });

  it('are sent again with the same bytes when a send or its answer is lost', async () => {
    const user = await test.fundedUser('lost@example.com', 3n * SOL);
    const toWallet = anAddress();
    test.chain.losesSends = true;
    const pending = test.withdraw(user, { toWallet, amount: '1' });
    await test.until(async () => (await test.sol(user)).held > 0n, 0);
    await test.until(() => test.chain.sends > 0, 0);
    test.chain.losesSends = false;
    test.chain.losesAnswers = true;
    test.accounts.clock.advanceSeconds(3);
    const reply = await pending;
    test.chain.losesAnswers = false;
    expect(view(reply).status).toBe('confirmed');
    await test.until(async () => (await test.sol(user)).held === 0n);
    expect(test.chain.lamports.get(toWallet)).toBe(SOL);
    expect(await test.difference(user)).toBe(0n);
  });

  it('are signed again only after the first bytes are proven dead', async () => {
    const user = await test.fundedUser('expired@example.com', 3n * SOL);
    const toWallet = anAddress();
    test.chain.losesSends = true;
    const pending = test.withdraw(user, { toWallet, amount: '1' });
    const attempts = () =>
      test.accounts.database.query<{ state: string; signature: string }>(
        `select t.state, t.signature from signed_transaction t join withdrawal w on w.id::text = t.intent_id
         where w.user_id = $1 order by t.attempt`,
        [user.userId],
      );
    await test.until(async () => (await attempts()).length === 1, 0);
    test.chain.advance(150);
    const looks = test.chain.statusesAsked;
    await test.until(() => test.chain.statusesAsked >= looks + 2, 0);
    expect(await attempts()).toHaveLength(1);
    await test.until(async () => (await attempts()).length === 2);
    test.chain.losesSends = false;
    test.accounts.clock.advanceSeconds(3);
    expect(view(await pending).status).toBe('confirmed');
    const [first, second] = await attempts();
    expect([first!.state, first!.signature === second!.signature]).toEqual(['expired', false]);
    await test.until(async () => (await test.sol(user)).held === 0n);
    expect(test.chain.lamports.get(toWallet)).toBe(SOL);
    expect(await test.difference(user)).toBe(0n);
  });

  it('that fail on chain cost their fee and give the rest back', async () => {
    const user = await test.fundedUser('failed@example.com', 2n * SOL);
    const toWallet = anAddress();
    // The owner spends elsewhere at the same moment, so the transfer finds too little.
    test.chain.disconnect();
    test.chain.lamports.set(user.wallet.address as Address, SOL);
    const pending = test.withdraw(user, { toWallet, amount: '1.5' });
    await test.until(async () => (await test.sol(user)).cash === 2n * SOL - FEE);
    expect(view(await pending).status).toBe('failed');
    expect((await test.sol(user)).held).toBe(0n);
    expect(test.chain.lamports.get(toWallet)).toBeUndefined();
    test.chain.reconnect();
  });

  it('that the signer holds back wait, can be cancelled, and otherwise leave when their time has come', async () => {
    const user = await test.fundedUser('held@example.com', 5n * SOL);
    const toWallet = anAddress();
    test.signer.heldUntil = new Date(test.accounts.clock.nowMs() + 86_400_000);
    const cancelled = view(await test.withdraw(user, { toWallet, amount: '1' }));
    const waiting = view(await test.withdraw(user, { toWallet, amount: '2' }));
    expect(cancelled).toMatchObject({ status: 'held', txHash: null, heldUntil: test.signer.heldUntil.getTime() });
    expect((await test.sol(user)).held).toBe(3n * SOL + 2n * FEE);
    const cancel = (id: string, token = user.token) => test.accounts.post('user/cancelWithdrawal', { id }, { token });
    const stranger = await test.accounts.register('stranger@example.com');
    expect((await cancel(cancelled.id, stranger.token)).code).toBe(404);
    expect(view(await cancel(cancelled.id)).status).toBe('cancelled');
    expect((await cancel(cancelled.id)).data).toMatchObject({ error: 'WITHDRAWAL_NOT_CANCELLABLE' });
    test.signer.heldUntil = null;
    test.accounts.clock.advanceSeconds(86_401);
    await test.until(async () => (await stateOf(waiting.id)) === 'finalized');
    expect(test.chain.lamports.get(toWallet)).toBe(2n * SOL);
    expect(await test.sol(user)).toEqual({ cash: 3n * SOL - FEE, held: 0n });
  });

  it('that the signer held back and then refuses give everything back, and stay in the list', async () => {
    const user = await test.fundedUser('held-refused@example.com', 2n * SOL);
    test.signer.heldUntil = new Date(test.accounts.clock.nowMs() + 86_400_000);
    const { id } = view(await test.withdraw(user, { toWallet: anAddress(), amount: '1' }));
    test.signer.heldUntil = null;
    test.signer.refusal = new AppError('WITHDRAWAL_LIMIT');
    test.accounts.clock.advanceSeconds(86_401);
    await test.until(async () => (await test.sol(user)).held === 0n);
    test.signer.refusal = null;
    expect((await test.sol(user)).cash).toBe(2n * SOL);
    const list = await test.accounts.get('user/getMyWithdrawals', user.token);
    expect(list.data).toMatchObject({ lists: [{ id, status: 'failed', txHash: null }], total: 1 });
  });

  it('do not wait behind one that cannot be resumed', async () => {
    const user = await test.fundedUser('behind-broken@example.com', 5n * SOL);
    test.signer.heldUntil = new Date(test.accounts.clock.nowMs() + 86_400_000);
    const broken = view(await test.withdraw(user, { toWallet: anAddress(), amount: '1' }));
    const waiting = view(await test.withdraw(user, { toWallet: anAddress(), amount: '2' }));
    test.signer.heldUntil = null;
    const sign = test.signer.sign.bind(test.signer);
    test.signer.sign = async (row, ...rest) => {
      if (row.id === broken.id) throw new Error('nobody can sign this one');
      return sign(row, ...rest);
    };
    test.accounts.clock.advanceSeconds(86_401);
    await test.until(async () => (await stateOf(waiting.id)) === 'finalized');
    expect(await stateOf(broken.id)).toBe('delayed');
    test.signer.sign = sign;
    await test.until(async () => (await stateOf(broken.id)) === 'finalized');
  });

  it('that are due are asked for by one process, and another goes on with the next one', async () => {
    const user = await test.fundedUser('two-processes@example.com', 5n * SOL);
    test.signer.heldUntil = new Date(test.accounts.clock.nowMs() + 86_400_000);
    const first = view(await test.withdraw(user, { toWallet: anAddress(), amount: '1' }));
    const second = view(await test.withdraw(user, { toWallet: anAddress(), amount: '2' }));
    const before = test.signer.asked.length;
    const asked = () => test.signer.asked.slice(before);
    const gate = Promise.withResolvers<void>();
    test.signer.heldUntil = null;
    test.signer.gate = gate.promise;
    test.accounts.clock.advanceSeconds(86_401);
    await test.until(() => asked().length === 1);
    const { withdrawals } = test;
    test.startWithdrawals();
    await test.until(() => asked().length === 2);
    gate.resolve();
    for (const { id } of [first, second]) await test.until(async () => (await stateOf(id)) === 'finalized');
    expect(asked()).toEqual([first.id, second.id]);
    await withdrawals.stop();
  });

  it('stopped by the kill switch give everything back', async () => {
    const user = await test.fundedUser('stopped@example.com', 2n * SOL);
    test.signer.refusal = new AppError('SIGNING_STOPPED');
    const reply = await test.withdraw(user, { toWallet: anAddress(), amount: '1' });
    test.signer.refusal = null;
    expect(reply.data).toMatchObject({ error: 'SIGNING_STOPPED' });
    expect(await test.sol(user)).toEqual({ cash: 2n * SOL, held: 0n });
  });

  const points: CrashPoint[] = ['held', 'signed', 'recorded', 'sent', 'before-posting', 'posted'];
  it.each(points)('end with books and chain equal when the process dies at "%s"', async (point) => {
    const user = await test.fundedUser(`crash-${point}@example.com`, 3n * SOL);
    const toWallet = anAddress();
    await test.withdrawals.stop();
    let dead = false;
    test.startWithdrawals({ at: point, died: () => (dead = true) });
    const killed = test.withdrawals;
    const ask = () =>
      test.withdrawals.request(
        { userId: user.userId, requestKey: `crash-${point}`, address: '127.0.0.1' },
        { toWallet, amount: '1', password: user.password },
      );
    void ask().catch(() => {});
    await test.until(() => dead);
    void killed.stop();
    test.startWithdrawals();
    // The rows carry the database's time, which went on while the test's clock stood still.
    test.accounts.clock.advanceSeconds(1000);
    await test.until(async () => (await test.sol(user)).held === 0n);
    const arrived = test.chain.lamports.get(toWallet) ?? 0n;
    // Without the signer's consent nothing may leave; once it knows the withdrawal, it arrives exactly once.
    expect(arrived).toBe(point === 'held' ? 0n : SOL);
    expect(await test.difference(user)).toBe(0n);
    // The password was right, and nobody is told otherwise.
    const refusals = await test.accounts.database.query(
      `select detail from audit_event where user_id = $1 and event = 'withdrawal-refused'`,
      [user.userId],
    );
    expect(refusals).toEqual(point === 'held' ? [{ detail: 'WITHDRAWAL_FAILED' }] : []);
    // The client that never got an answer asks again with its key.
    await ask();
    await test.until(async () => (await test.sol(user)).held === 0n);
    expect(test.chain.lamports.get(toWallet)).toBe(SOL);
    expect(await test.difference(user)).toBe(0n);
  });
});
