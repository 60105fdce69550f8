import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Address } from '@hunter/solana/address';
import { Keypair } from '@hunter/solana/keypair';
import { TOKEN_2022_PROGRAM } from '@hunter/solana/program-ids';
import { beforeEach, describe, expect, it } from 'vitest';
import { fromBase58, toBase58 } from '../base58.ts';
import { aSigner, type TestSigner } from '../fixtures/a-signer.ts';
import { aWithdrawal } from '../fixtures/a-withdrawal.ts';
import { type Scene, tokenWithdrawal, transactionOf } from '../fixtures/transaction-scenes.ts';
import { DAY_MS, RESET_PAUSE_MS, TOKEN_WITHDRAWALS_PER_DAY } from '../limits/withdrawal-rules.ts';

const SOL = 1_000_000_000n;
const PASSWORD = 'correct horse battery';
const owner = { userId: 'user-1', walletId: 'wallet-1' };
const PARALLEL = Number(process.env.PARALLEL_WITHDRAWALS ?? 40);

let test: TestSigner;
let sealedKey: string;
let from: Buffer;

const somewhere = (): { bytes: Buffer; text: string } => {
  const bytes = randomBytes(32);
  return { bytes, text: toBase58(bytes) };
};

beforeEach(async () => {
  test = aSigner({ dailySol: 100n, largeSol: 50n });
  const created = await test.signer.createWallet(owner, PASSWORD);
  sealedKey = created.sealedKey;
  from = fromBase58(created.address, 32)!;
});

async function withdraw(
  input: Partial<Parameters<typeof aWithdrawal>[0]> & { lamports: bigint; to: { bytes: Buffer; text: string } },
) {
  const request = aWithdrawal({ owner, sealedKey, from, withdrawalId: 'w-1', ...input });
  const [outcome] = await test.signer.sign([request]);
  return 'denied' in outcome!
    ? { code: outcome.denied.code, until: outcome.denied.until }
    : { code: 'SIGNED' as const };
}

describe('withdrawals', () => {
  it('needs the right password the first time', async () => {
    const to = somewhere();
    expect(await withdraw({ to, lamports: SOL })).toMatchObject({ code: 'BAD_PASSWORD' });
    expect(await withdraw({ to, lamports: SOL, password: 'wrong' })).toMatchObject({ code: 'BAD_PASSWORD' });
    expect(await withdraw({ to, lamports: SOL, password: PASSWORD })).toEqual({ code: 'SIGNED' });
  });

  it('refuses while withdrawals are stopped or their owner froze them, also what it signed before', async () => {
    const to = somewhere();
    expect(await withdraw({ to, lamports: SOL, password: PASSWORD })).toEqual({ code: 'SIGNED' });
    await test.signer.stops.switchOn('withdrawal', 1);
    expect(await withdraw({ to, lamports: SOL })).toMatchObject({ code: 'KILL_SWITCH' });
    await test.signer.stops.askRelease('withdrawal', 1);
    expect(await withdraw({ to, lamports: SOL })).toEqual({ code: 'SIGNED' });
    await test.signer.freeze(owner, sealedKey);
    expect(await withdraw({ to, lamports: SOL })).toMatchObject({ code: 'FROZEN' });
    expect(await withdraw({ to, lamports: SOL, withdrawalId: 'w-2', password: PASSWORD })).toMatchObject({
      code: 'FROZEN',
    });
  });

  it('stops guessing after ten wrong passwords, even against the right one', async () => {
    const to = somewhere();
    for (let index = 0; index < 10; index += 1) {
      expect(await withdraw({ to, lamports: SOL, password: `guess ${index}` })).toMatchObject({ code: 'BAD_PASSWORD' });
    }
    expect(await withdraw({ to, lamports: SOL, password: PASSWORD })).toMatchObject({ code: 'TOO_MANY_TRIES' });
    test.clock.now += 16 * 60_000;
    expect(await withdraw({ to, lamports: SOL, password: PASSWORD })).toEqual({ code: 'SIGNED' });
  });

  it('signs the same withdrawal again for a new blockhash, at most five times', async () => {
    const to = somewhere();
    const again = (index: number) => withdraw({ to, lamports: 4n * SOL, blockhash: Buffer.alloc(32, index) });
    expect(await withdraw({ to, lamports: 4n * SOL, password: PASSWORD })).toEqual({ code: 'SIGNED' });
    for (const index of [1, 2, 3, 4]) expect(await again(index)).toEqual({ code: 'SIGNED' });
    expect(await again(5)).toMatchObject({ code: 'WITHDRAWAL_RESIGNED_TOO_OFTEN' });
    for (const index of [1, 4]) expect(await again(index)).toEqual({ code: 'SIGNED' });
    test.clock.now += 4 * DAY_MS;
    expect(await again(4)).toMatchObject({ code: 'BAD_PASSWORD' });
  });

  it('counts every different message of one withdrawal, because each of them could land', async () => {
    const to = somewhere();
    const again = (index: number) => withdraw({ to, lamports: 45n * SOL, blockhash: Buffer.alloc(32, index) });
    expect(await withdraw({ to, lamports: 45n * SOL, password: PASSWORD })).toEqual({ code: 'SIGNED' });
    const until = test.clock.now + DAY_MS;
    expect(await again(1)).toEqual({ code: 'HELD', until });
    // The first message still counts while the second is held, also after a restart.
    test = await test.reopen();
    const small = { to: somewhere(), lamports: 6n * SOL, password: PASSWORD, withdrawalId: 'w-2' };
    expect(await withdraw(small)).toMatchObject({ code: 'HELD' });
    test.clock.now = until - 1;
    expect(await again(1)).toEqual({ code: 'HELD', until });
    test.clock.now = until;
    expect(await again(1)).toEqual({ code: 'SIGNED' });
    expect(await again(1)).toEqual({ code: 'SIGNED' });
    expect(await again(2)).toEqual({ code: 'SIGNED' });
    expect(await again(3)).toMatchObject({ code: 'VELOCITY' });
  });

  it('reads the withdrawals of a log from before messages were counted one by one', async () => {
    const to = somewhere();
    const old = {
      t: 'wd',
      walletId: owner.walletId,
      withdrawalId: 'w-1',
      destination: to.text,
      lamports: String(45n * SOL),
      authenticatedAt: test.clock.now,
      heldUntil: null,
      countedAt: test.clock.now,
      signatures: 2,
      lastDigest: 'unknown',
    };
    await test.state.close();
    const json = JSON.stringify(old);
    appendFileSync(join(test.folder, 'signer.log'), `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`);
    test = aSigner({ dailySol: 100n, largeSol: 50n, folder: test.folder, clock: test.clock });
    expect(test.state.withdrawal(owner.walletId, 'w-1')?.signed).toEqual([
      { digest: '', at: test.clock.now },
      { digest: 'unknown', at: test.clock.now },
    ]);
    const more = { to, lamports: 11n * SOL, password: PASSWORD, withdrawalId: 'w-2' };
    expect(await withdraw(more)).toMatchObject({ code: 'VELOCITY' });
  });

  it('never signs a known withdrawal with another destination or amount', async () => {
    const to = somewhere();
    expect(await withdraw({ to, lamports: SOL, password: PASSWORD })).toEqual({ code: 'SIGNED' });
    expect(await withdraw({ to, lamports: 2n * SOL, password: PASSWORD })).toMatchObject({
      code: 'WITHDRAWAL_MISMATCH',
    });
    expect(await withdraw({ to: somewhere(), lamports: SOL, password: PASSWORD })).toMatchObject({
      code: 'WITHDRAWAL_MISMATCH',
    });
  });

  it('holds a large withdrawal to a new destination for a day and then signs it without the password', async () => {
    const to = somewhere();
    const until = test.clock.now + DAY_MS;
    expect(await withdraw({ to, lamports: 60n * SOL, password: PASSWORD })).toEqual({ code: 'HELD', until });
    test = await test.reopen();
    test.clock.now = until - 1;
    expect(await withdraw({ to, lamports: 60n * SOL })).toEqual({ code: 'HELD', until });
    test.clock.now = until;
    expect(await withdraw({ to, lamports: 60n * SOL })).toEqual({ code: 'SIGNED' });
  });

  it('sees through a large withdrawal split into small ones', async () => {
    const to = somewhere();
    const piece = (withdrawalId: string) => withdraw({ to, lamports: 20n * SOL, password: PASSWORD, withdrawalId });
    expect(await piece('a')).toEqual({ code: 'SIGNED' });
    expect(await piece('b')).toEqual({ code: 'SIGNED' });
    expect(await piece('c')).toMatchObject({ code: 'HELD' });
  });

  it('signs a large withdrawal to a destination known for a day at once', async () => {
    const to = somewhere();
    expect(await withdraw({ to, lamports: SOL, password: PASSWORD })).toEqual({ code: 'SIGNED' });
    test.clock.now += DAY_MS;
    const large = { to, lamports: 60n * SOL, password: PASSWORD, withdrawalId: 'w-2' };
    expect(await withdraw(large)).toEqual({ code: 'SIGNED' });
  });

  it('holds large withdrawals for a day after a password change, known destination or not', async () => {
    const to = somewhere();
    expect(await withdraw({ to, lamports: SOL, password: PASSWORD })).toEqual({ code: 'SIGNED' });
    test.clock.now += 2 * DAY_MS;
    sealedKey = await test.signer.resetPassword(owner, sealedKey, 'another password');
    const large = { to, lamports: 60n * SOL, password: 'another password', withdrawalId: 'w-2' };
    expect(await withdraw(large)).toEqual({ code: 'HELD', until: test.clock.now + DAY_MS });
    expect(await withdraw({ to, lamports: SOL, password: 'another password', withdrawalId: 'w-3' })).toEqual({
      code: 'SIGNED',
    });
  });

  it('holds tokens to a new destination for a day whatever their amount, and sends them at once to one paid before', async () => {
    const own = toBase58(from) as Address;
    const destination = Keypair.generate().address;
    const outcome = async (scene: Scene) => {
      const request = { ...owner, sealedKey, transaction: transactionOf(scene), policy: scene.policy };
      const [signed] = await test.signer.sign([request]);
      return 'denied' in signed! ? { ...signed.denied, reason: undefined } : 'SIGNED';
    };
    const first = tokenWithdrawal(own, destination);
    const until = test.clock.now + DAY_MS;
    expect(await outcome(first)).toMatchObject({ code: 'HELD', until, hold: 'new-address-token' });
    // Another amount or token under the same id is another withdrawal.
    const { token } = first.policy as { token: { amount: string } };
    const more = { ...first.policy, token: { ...token, amount: '1' } };
    expect(await outcome({ ...first, policy: more })).toMatchObject({ code: 'AMOUNT' });
    test = await test.reopen();
    test.clock.now = until;
    expect(await outcome(first)).toBe('SIGNED');
    expect(await outcome(tokenWithdrawal(own, destination))).toMatchObject({ code: 'HELD' });
    test.clock.now += DAY_MS;
    expect(await outcome(tokenWithdrawal(own, destination))).toBe('SIGNED');
    expect(await outcome(tokenWithdrawal(own, destination, TOKEN_2022_PROGRAM))).toBe('SIGNED');
  });

  it('counts withdrawals of tokens, because it knows no price', async () => {
    const own = toBase58(from) as Address;
    const destination = Keypair.generate().address;
    const bytes = fromBase58(destination, 32)!;
    expect(await withdraw({ to: { bytes, text: destination }, lamports: SOL, password: PASSWORD })).toEqual({
      code: 'SIGNED',
    });
    test.clock.now += DAY_MS;
    const ask = async (count: number) => {
      const scenes = Array.from({ length: count }, () => tokenWithdrawal(own, destination));
      const requests = scenes.map((one) => ({
        ...owner,
        sealedKey,
        transaction: transactionOf(one),
        policy: one.policy,
      }));
      const outcomes = await test.signer.sign(requests);
      return outcomes.filter((one) => 'signature' in one).length;
    };
    expect(await ask(TOKEN_WITHDRAWALS_PER_DAY + 2)).toBe(TOKEN_WITHDRAWALS_PER_DAY);
    test = await test.reopen();
    expect(await ask(1)).toBe(0);
    test.clock.now += DAY_MS;
    expect(await ask(1)).toBe(1);
  });

  it('after a reset goes only to addresses paid before it, for three days', async () => {
    const paid = somewhere();
    expect(await withdraw({ to: paid, lamports: SOL, password: PASSWORD })).toEqual({ code: 'SIGNED' });
    test.clock.now += DAY_MS;
    sealedKey = await test.signer.resetPassword(owner, sealedKey, 'the thief’s');
    const until = test.clock.now + RESET_PAUSE_MS;
    const ask = (to: { bytes: Buffer; text: string }, withdrawalId: string) =>
      withdraw({ to, lamports: SOL, password: 'the thief’s', withdrawalId });
    expect(await ask(somewhere(), 'w-2')).toEqual({ code: 'NEW_ADDRESS_AFTER_RESET', until });
    expect(await ask(paid, 'w-3')).toEqual({ code: 'SIGNED' });
    test.clock.now = until;
    expect(await ask(somewhere(), 'w-4')).toEqual({ code: 'SIGNED' });
  });

  it('undoes a reset for whoever knows the password of before, even after a second reset', async () => {
    sealedKey = await test.signer.resetPassword(owner, sealedKey, 'the thief’s');
    sealedKey = await test.signer.resetPassword(owner, sealedKey, 'the thief’s second');
    const undo = (password: string) => test.signer.undoReset(owner, sealedKey, { oldPassword: password });
    await expect(undo('the thief’s')).rejects.toThrow('BAD_PASSWORD');
    sealedKey = await undo(PASSWORD);
    expect(await withdraw({ to: somewhere(), lamports: SOL, password: PASSWORD })).toEqual({ code: 'SIGNED' });
    await expect(undo(PASSWORD)).rejects.toThrow('NOTHING_TO_UNDO');
    sealedKey = await test.signer.resetPassword(owner, sealedKey, 'another password');
    test.clock.now += RESET_PAUSE_MS;
    await expect(undo(PASSWORD)).rejects.toThrow('NOTHING_TO_UNDO');
  });

  it('keeps to a limit that its owner lowered at once, and to a raised one after a day and with the password', async () => {
    const to = somewhere();
    const key = () => ({ ...owner, sealedKey });
    const limits = (sol: bigint, delaysNew = false) => ({ dailyLamports: sol * SOL, delaysNew });
    const ask = (lamports: bigint, withdrawalId: string) =>
      withdraw({ to, lamports, password: PASSWORD, withdrawalId });
    await test.signer.withdrawals.setOwnLimits(key(), limits(2n), null);
    expect(await ask(3n * SOL, 'w-1')).toMatchObject({ code: 'VELOCITY' });
    await expect(test.signer.withdrawals.setOwnLimits(key(), limits(4n), null)).rejects.toThrow('BAD_PASSWORD');
    const { next } = await test.signer.withdrawals.setOwnLimits(key(), limits(4n), PASSWORD);
    expect(next).toEqual({ ...limits(4n), from: test.clock.now + DAY_MS });
    test = await test.reopen();
    expect(await ask(3n * SOL, 'w-2')).toMatchObject({ code: 'VELOCITY' });
    test.clock.now += DAY_MS;
    expect(await ask(3n * SOL, 'w-3')).toEqual({ code: 'SIGNED' });
    await test.signer.withdrawals.setOwnLimits(key(), limits(4n, true), null);
    await test.state.compact();
    test = await test.reopen();
    test.clock.now += DAY_MS;
    expect(await ask(1n, 'w-4')).toEqual({ code: 'SIGNED' });
    const fresh = { to: somewhere(), lamports: 1n, password: PASSWORD, withdrawalId: 'w-5' };
    expect(await withdraw(fresh)).toMatchObject({ code: 'HELD' });
    // Turning the delay off is a loosening like any other.
    await test.signer.withdrawals.setOwnLimits(key(), limits(4n), PASSWORD);
    expect(await withdraw({ ...fresh, withdrawalId: 'w-6' })).toMatchObject({ code: 'HELD' });
  });

  it('raises no limit without the password, also where it was asked for together with the lower one', async () => {
    const set = (sol: bigint) =>
      test.signer.withdrawals.setOwnLimits(
        { ...owner, sealedKey },
        { dailyLamports: sol * SOL, delaysNew: false },
        null,
      );
    await set(4n);
    const [lowered, kept] = await Promise.allSettled([set(2n), set(4n)]);
    expect(lowered.status).toBe('fulfilled');
    expect(kept).toMatchObject({ reason: { denial: { code: 'BAD_PASSWORD' } } });
    expect(test.state.ownLimits(owner.walletId).next).toBeNull();
  });

  it('tells beforehand whether a withdrawal would wait, and remembers nothing of it', async () => {
    const { text: destination } = somewhere();
    const preview = (lamports: bigint) =>
      test.signer.withdrawals.preview(
        { ...owner, sealedKey },
        { kind: 'withdrawal', withdrawalId: 'x', destination, lamports: String(lamports) },
      );
    expect(preview(SOL)).toEqual({});
    expect(preview(50n * SOL)).toEqual({ holdUntil: test.clock.now + DAY_MS, hold: 'new-address' });
    expect(() => preview(101n * SOL)).toThrow('VELOCITY');
    expect(test.state.withdrawals(owner.walletId)).toEqual([]);
  });

  it('counts 24 hours, across restarts', async () => {
    const to = somewhere();
    const piece = (withdrawalId: string) => withdraw({ to, lamports: 45n * SOL, password: PASSWORD, withdrawalId });
    expect(await piece('a')).toEqual({ code: 'SIGNED' });
    test.clock.now += DAY_MS;
    expect(await piece('b')).toEqual({ code: 'SIGNED' });
    expect(await piece('c')).toEqual({ code: 'SIGNED' });
    test = await test.reopen();
    expect(await piece('d')).toMatchObject({ code: 'VELOCITY' });
    await test.state.compact();
    test = await test.reopen();
    expect(await piece('d')).toMatchObject({ code: 'VELOCITY' });
    test.clock.now += DAY_MS + 1;
    expect(await piece('d')).toEqual({ code: 'SIGNED' });
  });

  it(
    `lets ${PARALLEL} parallel withdrawals never pass the limit`,
    { timeout: 300_000 + PARALLEL * 1_000 },
    async () => {
      test = aSigner({ dailySol: 100n, largeSol: 1_000n });
      const created = await test.signer.createWallet(owner, PASSWORD);
      from = fromBase58(created.address, 32)!;
      const requests = Array.from({ length: PARALLEL }, (_, index) =>
        aWithdrawal({
          owner,
          sealedKey: created.sealedKey,
          from,
          to: somewhere(),
          lamports: 9n * SOL,
          withdrawalId: `w-${index}`,
          password: PASSWORD,
        }),
      );
      // Half in one batch and half one by one, so that both ways race with each other.
      const outcomes = await Promise.all([
        test.signer.sign(requests.slice(0, PARALLEL / 2)),
        ...requests.slice(PARALLEL / 2).map((request) => test.signer.sign([request])),
      ]);
      const signed = outcomes.flat().filter((outcome) => 'signature' in outcome);
      expect(signed).toHaveLength(11);
      const codes = new Set(outcomes.flat().map((outcome) => ('denied' in outcome ? outcome.denied.code : 'SIGNED')));
      expect([...codes].sort()).toEqual(['SIGNED', 'VELOCITY']);
    },
  );
});
