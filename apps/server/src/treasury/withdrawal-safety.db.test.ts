import { AppError } from '@hunter/contract/app-error';
import { loadAlerts } from '../alerts/alert-store.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RegisteredUser } from '../accounts/accounts-for-test.ts';
import { anAddress } from './chain-for-test.ts';
import { TreasuryUnderTest } from './treasury-for-test.ts';
import { loadLinkedAddresses } from './wallet-links.ts';

const SOL = 1_000_000_000n;

type View = { id: string; status: string; label: string | null; heldUntil: number | null; holdReason: string | null };

describe('withdrawals against a thief with a session or a mailbox', () => {
  let test: TreasuryUnderTest;
  beforeAll(async () => {
    test = await TreasuryUnderTest.start();
  });
  afterAll(() => test.stop());

  const post = (user: RegisteredUser, path: string, payload: object) =>
    test.accounts.post(path, payload, { token: user.token });
  const mailed = async (user: RegisteredUser, subject: string) =>
    (await test.accounts.mailsTo(user.email)).filter((mail) => mail.subject.startsWith(subject));
  const linkOf = (text: string, path: string) =>
    new RegExp(`https://hunter\\.test/${path}#([\\w-]{43})`).exec(text)![1]!;

  async function heldWithdrawal(user: RegisteredUser, amount = '1'): Promise<{ id: string; token: string }> {
    test.signer.heldUntil = new Date(test.accounts.clock.nowMs() + 86_400_000);
    const { id } = (await test.withdraw(user, { toWallet: anAddress(), amount })).data as unknown as View;
    test.signer.heldUntil = null;
    const [mail] = await mailed(user, 'Withdrawal held');
    return { id, token: linkOf(mail!.text, 'cancel-withdrawal') };
  }

  it('review says fee, first use, label and hold, and moves nothing', async () => {
    const user = await test.fundedUser('review@example.com', 2n * SOL);
    const toWallet = anAddress();
    await post(user, 'user/saveWithdrawalAddress', { toWallet, label: 'Ledger' });
    test.signer.heldUntil = new Date(1_800_000_000_000);
    const held = await post(user, 'user/reviewWithdrawal', { toWallet, amount: '1' });
    test.signer.heldUntil = null;
    expect(held.data).toMatchObject({
      amount: '1',
      baseUnits: '1000000000',
      fee: '0.000005',
      firstUse: true,
      label: 'Ledger',
      heldUntil: 1_800_000_000_000,
      holdReason: 'new-address',
      warnings: ['first-use'],
    });
    expect(await test.sol(user)).toEqual({ cash: 2n * SOL, held: 0n });
    const { id } = (await test.withdraw(user, { toWallet, amount: '1' })).data as unknown as View;
    await test.until(async () => (await test.sol(user)).held === 0n);
    const again = await post(user, 'user/reviewWithdrawal', { toWallet, amount: '0.5' });
    expect(again.data).toMatchObject({ firstUse: false, heldUntil: null, warnings: [] });
    // The id of a withdrawal is good for one, and tells nobody else anything.
    const stranger = await test.fundedUser('other-id@example.com', SOL);
    const taken = await test.withdraw(stranger, { toWallet, amount: '0.1', id });
    expect(taken.data).toMatchObject({ error: 'INVALID_INPUT', field: 'id' });
    test.signer.refusal = new AppError('WITHDRAWAL_LIMIT');
    const refused = await post(user, 'user/reviewWithdrawal', { toWallet, amount: '0.5' });
    test.signer.refusal = null;
    expect(refused.data).toMatchObject({ error: 'WITHDRAWAL_LIMIT' });
  });

  it('an address book that a thief changes is told, and never makes his address look used', async () => {
    const user = await test.fundedUser('book@example.com', 2n * SOL);
    const [own, thiefs] = [anAddress(), anAddress()];
    const save = (toWallet: string, label: string) => post(user, 'user/saveWithdrawalAddress', { toWallet, label });
    await save(own, 'Ledger');
    expect((await save(thiefs, 'LEDGER')).data).toMatchObject({ error: 'ADDRESS_LABEL_TAKEN' });
    await post(user, 'user/removeWithdrawalAddress', { toWallet: own });
    await save(thiefs, 'Ledger');
    await save(thiefs, 'Ledger');
    const list = await test.accounts.get('user/getMyWithdrawalAddresses', user.token);
    expect(list.data).toMatchObject({ lists: [{ toWallet: thiefs, label: 'Ledger', usedBefore: false }] });
    const review = await post(user, 'user/reviewWithdrawal', { toWallet: thiefs, amount: '1' });
    expect(review.data).toMatchObject({ label: 'Ledger', firstUse: true, warnings: ['first-use'] });
    expect(await mailed(user, 'Your saved addresses were changed')).toHaveLength(3);
    // Of another user nothing can be read or removed.
    const stranger = await test.accounts.register('book-stranger@example.com');
    expect((await post(stranger, 'user/removeWithdrawalAddress', { toWallet: thiefs })).code).toBe(404);
    expect((await test.accounts.get('user/getMyWithdrawalAddresses', stranger.token)).data).toEqual({ lists: [] });
    for (const label of ['', 'x'.repeat(41), 'two\nlines', 'right\u202Eleft']) {
      expect((await save(anAddress(), label)).data).toMatchObject({ error: 'INVALID_INPUT' });
    }
  });

  it('a raised limit is told at once and a lowered one is not', async () => {
    const user = await test.accounts.register('limits@example.com');
    const lower = { dailySol: '2', delaysNew: true };
    const lowered = await post(user, 'user/saveMyWithdrawalLimits', { ...lower, password: user.password });
    expect(lowered.data).toMatchObject({ now: { dailySol: '2', delaysNew: true }, next: null, largeSol: '50' });
    expect(await mailed(user, 'Your withdrawal limits')).toHaveLength(0);
    const raised = { dailySol: null, delaysNew: false, password: user.password };
    expect((await post(user, 'user/saveMyWithdrawalLimits', raised)).data).toMatchObject({
      now: { dailySol: '2' },
      next: { dailySol: null, delaysNew: false },
    });
    expect(await mailed(user, 'Your withdrawal limits are to be raised')).toHaveLength(1);
  });

  it('a thief with a session lowers no limits, and whoever has one cancels a raise', async () => {
    const user = await test.accounts.register('lowered@example.com');
    const save = (limits: object) => post(user, 'user/saveMyWithdrawalLimits', limits);
    test.signer.chosen = { ...test.signer.chosen, now: { dailyLamports: 2n * SOL, delaysNew: false } };
    for (const lower of [
      { dailySol: '0.001', delaysNew: false },
      { dailySol: '2', delaysNew: true },
    ]) {
      expect((await save(lower)).data).toMatchObject({ error: 'WRONG_PASSWORD' });
    }
    await save({ dailySol: null, delaysNew: false, password: user.password });
    expect((await save({ dailySol: '2', delaysNew: false })).data).toMatchObject({
      now: { dailySol: '2', delaysNew: false },
      next: null,
    });
  });

  it('a held one is canceled from the mail once it is confirmed there, by this link and only once', async () => {
    const user = await test.fundedUser('mail-cancel@example.com', 3n * SOL);
    const { id, token } = await heldWithdrawal(user);
    const look = () => test.accounts.post('login/getMailedWithdrawal', { token });
    expect((await look()).data).toMatchObject({ id, status: 'held', amount: '1' });
    // Looking changes nothing, however often a mail program does it.
    expect((await look()).data).toMatchObject({ status: 'held' });
    expect((await test.accounts.post('login/cancelMailedWithdrawal', { token: 'A'.repeat(43) })).data).toMatchObject({
      error: 'LINK_INVALID',
    });
    const [first, second] = await Promise.all([
      test.accounts.post('login/cancelMailedWithdrawal', { token }),
      test.accounts.post('login/cancelMailedWithdrawal', { token }),
    ]);
    expect(new Set([first.code, second.code])).toEqual(new Set([200, 1131]));
    expect(await test.sol(user)).toEqual({ cash: 3n * SOL, held: 0n });
    expect(await mailed(user, 'Withdrawal canceled: 1 SOL')).toHaveLength(1);
    // A link of one purpose does nothing of another.
    const other = await heldWithdrawal(user);
    expect((await test.accounts.post('login/freezeAccount', { token: other.token })).data).toMatchObject({
      error: 'LINK_INVALID',
    });
  });

  it('one that was not signed makes nobody a neighbour of the wallet', async () => {
    const user = await test.fundedUser('neighbours@example.com', 3n * SOL);
    const linked = () => loadLinkedAddresses(test.accounts.database, [user.wallet.address]);
    test.signer.refusal = new AppError('WRONG_PASSWORD');
    expect((await test.withdraw(user, { toWallet: anAddress(), amount: '0.1' })).code).not.toBe(200);
    test.signer.refusal = null;
    const { id } = await heldWithdrawal(user);
    expect(await linked()).toEqual([]);
    await post(user, 'user/cancelWithdrawal', { id });
    const toWallet = anAddress();
    await test.withdraw(user, { toWallet, amount: '1' });
    expect(await linked()).toEqual([toWallet]);
  });

  it('twenty at most wait at the same time, also where more are asked for at once', async () => {
    const user = await test.fundedUser('many-held@example.com', 3n * SOL);
    const toWallet = anAddress();
    test.signer.heldUntil = new Date(test.accounts.clock.nowMs() + 86_400_000);
    const ask = (index: number) => test.withdraw(user, { toWallet, amount: `0.0${10 + index}` });
    const replies = await Promise.all(Array.from({ length: 23 }, (_, index) => ask(index)));
    const held = replies.filter(({ code }) => code === 200).map(({ data }) => data as unknown as View);
    const refused = replies.filter(({ code }) => code !== 200);
    expect(held.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 'held'));
    expect(refused.map(({ data }) => data)).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ error: 'WITHDRAWALS_WAITING', most: 20 })),
    );
    await post(user, 'user/cancelWithdrawal', { id: held[0]!.id });
    expect((await ask(50)).data).toMatchObject({ status: 'held' });
    test.signer.heldUntil = null;
  });

  it('a freeze from any security mail ends sessions, cancels what is held and lets nothing leave', async () => {
    const user = await test.fundedUser('freeze@example.com', 5n * SOL);
    await heldWithdrawal(user, '2');
    const [mail] = await mailed(user, 'Withdrawal held');
    const token = linkOf(mail!.text, 'freeze');
    expect(linkOf(mail!.html, 'freeze')).toBe(token);
    expect((await test.accounts.post('login/freezeAccount', { token })).code).toBe(200);
    expect((await test.accounts.post('login/freezeAccount', { token })).data).toMatchObject({ error: 'LINK_INVALID' });
    expect((await test.withdraw(user, { toWallet: anAddress(), amount: '1' })).code).toBe(401);
    await test.withdrawals.cancelHeld(user.userId);
    expect(await test.sol(user)).toEqual({ cash: 5n * SOL, held: 0n });
    const login = await test.accounts.post('login/check', { email: user.email, password: user.password });
    expect(login.data).toMatchObject({ error: 'ACCOUNT_FROZEN' });
    const direct = test.withdrawals.request(
      { userId: user.userId, requestKey: 'late', address: '' },
      { toWallet: anAddress(), amount: '1', password: user.password },
    );
    await expect(direct).rejects.toMatchObject({ errorName: 'ACCOUNT_FROZEN' });
    expect(await test.sol(user)).toEqual({ cash: 5n * SOL, held: 0n });
  });

  it('one that waits on for another reason says which, is told once and can still be canceled', async () => {
    const user = await test.fundedUser('waits-on@example.com', 3n * SOL);
    const { id } = await heldWithdrawal(user);
    const until = test.accounts.clock.nowMs() + 86_400_000 + 3_600_000;
    test.signer.heldUntil = new Date(until);
    test.signer.holdReason = 'many-withdrawals';
    test.accounts.clock.advanceSeconds(86_401);
    const list = async () =>
      (await test.accounts.get('user/getMyWithdrawals', user.token)).data as unknown as { lists: View[] };
    await test.until(async () => (await list()).lists[0]!.heldUntil === until);
    expect((await list()).lists).toMatchObject([{ id, status: 'held', holdReason: 'many-withdrawals' }]);
    expect(await mailed(user, 'Withdrawal held')).toHaveLength(1);
    expect((await post(user, 'user/cancelWithdrawal', { id })).data).toMatchObject({ status: 'cancelled' });
    test.signer.heldUntil = null;
    test.signer.holdReason = 'new-address';
  });

  it('one that waits for a signature when the account is frozen is not signed any more', async () => {
    const user = await test.fundedUser('freeze-late@example.com', 5n * SOL);
    const toWallet = anAddress();
    test.signer.heldUntil = new Date(test.accounts.clock.nowMs() + 86_400_000);
    await test.withdraw(user, { toWallet, amount: '1' });
    test.signer.heldUntil = null;
    await test.accounts.database.write(`update users set frozen_at = now() where id = $1`, [user.userId]);
    test.accounts.clock.advanceSeconds(86_401);
    await test.until(async () => (await test.sol(user)).held === 0n);
    expect(test.chain.lamports.get(toWallet)).toBeUndefined();
    expect(await test.sol(user)).toEqual({ cash: 5n * SOL, held: 0n });
  });

  it('an outflow with the private key is told with advice that helps', async () => {
    const user = await test.fundedUser('leaked@example.com', 2n * SOL);
    const hash = test.chain.spendOutside(user.wallet.address as never, anAddress(), SOL);
    await test.until(async () => (await mailed(user, '1.000005 SOL left your wallet')).length === 1);
    const [mail] = await mailed(user, '1.000005 SOL left your wallet');
    expect(mail!.text).toContain(hash);
    expect(mail!.text).toMatch(/Withdraw everything to another wallet of yours first/);
    const { lists } = await loadAlerts(test.accounts.database, user.userId, null);
    expect(lists.map(({ body }) => body).filter(({ kind }) => kind === 'security')).toEqual([
      { kind: 'security', event: 'external-outflow', detail: '1.000005 SOL' },
    ]);
  });
});
