import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { address } from '@hunter/solana/address';
import { Keypair } from '@hunter/solana/keypair';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { hotMints, type ProductUser, until } from '../../../scripts/product-client.ts';
import { arrivals } from './arrivals.ts';
import { insistAgain } from './ask-again.ts';
import { enrolApp } from './authenticator-app.ts';
import { fundedUser } from './funded-user.ts';
import type { Scenes } from './scenes.ts';

// Plays a thief with a session, a password, a mailbox or all of them, against accounts of his victims. The product runs with
// SIGNER_LARGE_SOL=1.

const THIEFS = 'set by the thief 77';
const LARGE_LAMPORTS = 1_000_000_000n;
const DCA_SECONDS = 60;
/** Where parts are killed meanwhile. */
const PURCHASE_MS_MAX = 180_000;

type Mail = { subject: string; text: string; code: string | null; sentAt: number };

/** `isPatient` waits for the minute between two codes to one address. */
export async function playThief(scenes: Scenes, web: string, rpc: RpcClient, isPatient: boolean): Promise<void> {
  await robGuarded(scenes, web, rpc, isPatient);
  await robPlain(scenes, web, rpc, isPatient);
}

/** Of an account with a second factor. */
export async function robGuarded(scenes: Scenes, web: string, rpc: RpcClient, isPatient: boolean): Promise<void> {
  const victim = await fundedUser(web, 'guarded', (user) => enrolApp(web, user));
  const before = await lamportsOf(rpc, victim);
  await withPassword(scenes, web, victim);
  await withMailboxAgainstFactor(scenes, web, victim, victim.recoveryCodes, isPatient);
  const lost = before - (await lamportsOf(rpc, victim));
  scenes.note('what the thief got of the account with a factor', `${lost} lamports`, lost === 0n);
  await noteArrivals(scenes, rpc);
}

/** Of an account without one. */
export async function robPlain(scenes: Scenes, web: string, rpc: RpcClient, isPatient: boolean): Promise<void> {
  const [victim, accomplice] = await Promise.all([fundedUser(web, 'plain'), fundedUser(web, 'accomplice')]);
  const before = await lamportsOf(rpc, victim);
  await withSession(scenes, victim);
  const planted = await plantPurchases(scenes, web, victim, accomplice);
  const bought = await withPasswordOnly(scenes, web, victim, planted);
  await leaveFrozen(web, accomplice, planted, isPatient);
  // Where parts are killed meanwhile nobody knows how many were made until the account was frozen.
  await withMailbox(scenes, web, victim, planted, isPatient ? bought : null);
  const lost = before - (await lamportsOf(rpc, victim));
  // Below the large amount a password is enough, in pieces or at once.
  scenes.note('what the thief got of the account without a factor', `${lost} lamports`, lost < LARGE_LAMPORTS);
  await noteArrivals(scenes, rpc);
}

async function noteArrivals(scenes: Scenes, rpc: RpcClient): Promise<void> {
  const arrived = await arrivals(rpc, scenes.forbidden);
  scenes.note('what arrived of withdrawals that were refused', arrived.join('; ') || 'nothing', arrived.length === 0);
}

async function withSession(scenes: Scenes, { token }: ProductUser): Promise<void> {
  const asking = { token };
  const toWallet = Keypair.generate().address;
  const wrong = { password: 'a guess of his' };
  await scenes.steal(
    'session: withdraw without the password',
    { toWallet, amount: '0.1', ...wrong },
    asking,
    'password',
  );
  const code = { verificationCode: '000000' };
  await scenes.call(
    'session: show the key without the password',
    'exportKey',
    { ...wrong, ...code },
    asking,
    'password',
  );
  const change = { oldPassword: wrong.password, password: THIEFS, confirmPassword: THIEFS };
  await scenes.call('session: change the password', 'changePassword', change, asking, 'password');
  const lower = { dailySol: '0.001', delaysNew: true };
  await scenes.call('session: lower the limits', 'saveMyWithdrawalLimits', lower, asking, 'password');
  await scenes.call('session: enrol an own factor', 'startTotp', wrong, asking, 'password');
}

async function withPassword(scenes: Scenes, web: string, user: ProductUser): Promise<void> {
  const { email, password } = user;
  const { token } = (await insistAgain(web, 'login', { email, password })) as { token: string };
  const asking = { token };
  const toWallet = Keypair.generate().address;
  const wanted = { toWallet, amount: '0.1', password };
  await scenes.steal('password, factor enrolled: withdraw', wanted, asking, 'passkey or authenticator');
  const guess = { factor: { kind: 'totp', code: '123456' } };
  await scenes.steal('password, factor enrolled: withdraw with a guess', { ...wanted, ...guess }, asking, null);
  const { totp } = (await insistAgain(web, 'getMyFactors', {}, asking)) as { totp: { id: string } };
  await scenes.call(
    'password: remove the factor',
    'removeFactor',
    { password, id: totp.id },
    asking,
    'passkey or authenticator',
  );
  await scenes.call(
    'password: new recovery codes',
    'renewRecoveryCodes',
    { password, id: randomUUID() },
    asking,
    'passkey or authenticator',
  );
  const recovery = (await scenes.call(
    'password: say that the factor is lost',
    'startRecovery',
    { password },
    asking,
    'done',
  )) as { readyAt: number };
  scenes.note(
    '… which takes days',
    `${Math.round((recovery.readyAt - Date.now()) / 3_600_000)} h`,
    recovery.readyAt > Date.now() + 71 * 3_600_000,
  );
  await isTold(scenes, web, email, 'second factors are to be removed');
}

async function withMailboxAgainstFactor(
  scenes: Scenes,
  web: string,
  user: ProductUser,
  codes: string[],
  isPatient: boolean,
): Promise<void> {
  const { email } = user;
  const token = await resetAndLogIn(scenes, web, email);
  const wanted = { toWallet: Keypair.generate().address, amount: '0.1', password: THIEFS };
  await scenes.steal('mailbox, factor enrolled: withdraw after a reset', wanted, { token }, null);
  const undo = { email, factor: { kind: 'recovery', code: codes[0] } };
  await scenes.call('owner undoes the reset with a recovery code', 'undoPasswordReset', undo, {}, 'done');
  await scenes.call('… which ends the session of the thief', 'myWallet', {}, { token }, null);
  if (isPatient) {
    await delay(61_000);
    const verificationCode = await askCode(web, email, 'reset');
    const again = { email, verificationCode, password: THIEFS, confirmPassword: THIEFS };
    await scenes.call('mailbox: reset again', 'resetPassword', again, {}, null);
  }
  const verificationCode = await askCode(web, email, 'unfreeze');
  const thiefs = { email, password: THIEFS, verificationCode };
  await scenes.call('mailbox: unfreeze without the password', 'unfreezeAccount', thiefs, {}, null);
  const owners = { email, password: user.password };
  await scenes.call(
    'password and mailbox: unfreeze without the factor',
    'unfreezeAccount',
    { ...owners, verificationCode },
    {},
    null,
  );
  const factor = { kind: 'recovery', code: codes[1] };
  await scenes.call('owner unfreezes with password and factor', 'unfreezeAccount', { ...owners, factor }, {}, 'done');
}

/** Answers how many of the planted purchases were made by the time the account was frozen. */
async function withPasswordOnly(
  scenes: Scenes,
  web: string,
  user: ProductUser,
  { triggerId }: Planted,
): Promise<number> {
  const { email, password } = user;
  const { token } = (await insistAgain(web, 'login', { email, password })) as { token: string };
  const asking = { token };
  const toWallet = Keypair.generate().address;
  await scenes.call(
    'password: withdraw much to a new address',
    'withdrawal',
    { toWallet, amount: '2', password },
    asking,
    'done',
  );
  await isHeld(scenes, web, token, '… is held');
  await scenes.call(
    'password: a piece below the large amount',
    'withdrawal',
    { toWallet, amount: '0.6', password },
    asking,
    'done',
  );
  await scenes.call('… and a second one', 'withdrawal', { toWallet, amount: '0.6001', password }, asking, 'done');
  await isHeld(scenes, web, token, '… is held, because pieces add up', { listed: 3, held: 2 });
  await insistAgain(web, 'saveMyWithdrawalLimits', { dailySol: '1', delaysNew: true, password }, asking);
  const raise = { dailySol: '400', delaysNew: false, password };
  const raised = (await scenes.call('password: raise the limits', 'saveMyWithdrawalLimits', raise, asking, 'done')) as {
    now: { dailySol: string };
  };
  scenes.note('… holds after a day', `${raised.now.dailySol} SOL until then`, raised.now.dailySol === '1');
  await scenes.call(
    'password: show the key without the mailbox',
    'exportKey',
    { password, verificationCode: '000000' },
    asking,
    'code',
  );
  const mails = await mailsOf(web, email);
  const link = mails.map(({ text }) => /\/freeze#([\w-]+)/.exec(text)?.[1]).find((found) => found !== undefined);
  const { schedule } = await triggerOf(web, token, triggerId);
  await scenes.call('owner freezes the account by the link of a mail', 'freezeAccount', { token: link }, {}, 'done');
  await scenes.call('… which ends the session of the thief', 'myWallet', {}, asking, null);
  await scenes.call('… and his login', 'login', { email, password }, {}, 'frozen');
  return schedule.done;
}

type Planted = { mint: string; triggerId: string; followId: string };

/** What goes on by itself once his session is gone: a purchase every minute, and copies of what a wallet of his own buys. */
async function plantPurchases(
  scenes: Scenes,
  web: string,
  { token }: ProductUser,
  accomplice: ProductUser,
): Promise<Planted> {
  const asking = { token };
  const [mint] = await hotMints(web);
  const schedule = { intervalSeconds: DCA_SECONDS, count: 10 };
  const dca = { kind: 'dca', side: 'buy', amount: { unit: 'sol', value: '0.02' }, schedule };
  const buying = { tokenContractAddress: mint!, triggers: [dca] };
  const placed = await scenes.call('session: plant a purchase every minute', 'placeTrigger', buying, asking, 'done');
  const triggerId = (placed as { lists: { id: string }[] }).lists[0]!.id;
  await until(
    async () => (await triggerOf(web, token, triggerId)).schedule.done > 0,
    'the first purchase',
    PURCHASE_MS_MAX,
  );
  const copying = { address: accomplice.address, name: 'planted', amount: '0.5' };
  const follow = await scenes.call('session: plant a follow of his wallet', 'followWallet', copying, asking, 'done');
  return { mint: mint!, triggerId, followId: (follow as { id: string }).id };
}

/** The wallet that is followed buys, and where that may take a minute the next purchase comes due. */
async function leaveFrozen(web: string, { token }: ProductUser, { mint }: Planted, isPatient: boolean): Promise<void> {
  await insistAgain(web, 'tokenTransfer', { tokenContractAddress: mint, side: 'buy', amount: '0.5' }, { token });
  if (isPatient) await delay(DCA_SECONDS * 1_000);
}

async function isPaused(
  scenes: Scenes,
  web: string,
  token: string,
  planted: Planted,
  boughtMax: number | null,
): Promise<void> {
  // One that was on its way when the account was frozen comes to its end first.
  const { state, schedule } = await until(
    async () => {
      const trigger = await triggerOf(web, token, planted.triggerId);
      return trigger.state !== 'firing' && trigger;
    },
    'the purchase under way to end',
    PURCHASE_MS_MAX,
  );
  const outcome = `${state}, ${schedule.done} bought`;
  const isPausedAlone = state === 'paused' && (boughtMax === null || schedule.done <= boughtMax);
  scenes.note('… and finds the planted purchases paused', outcome, isPausedAlone);
  const receipts = await until(async () => {
    const reply = await insistAgain(web, 'getWalletFollowReceipts', { id: planted.followId }, { token });
    const { lists } = reply as { lists: { state: string; reason: string }[] };
    return lists.length > 0 && lists;
  }, 'the receipt of a trade of the followed wallet');
  const states = receipts.map((receipt) => `${receipt.state}: ${receipt.reason}`);
  scenes.note(
    '… and nothing copied',
    states.join(', '),
    receipts.every((receipt) => receipt.state === 'skipped'),
  );
}

type PlantedTrigger = { id: string; state: string; schedule: { done: number } };

async function triggerOf(web: string, token: string, id: string): Promise<PlantedTrigger> {
  const { lists } = (await insistAgain(web, 'getMyTriggers', { state: 'open' }, { token })) as {
    lists: PlantedTrigger[];
  };
  return lists.find((trigger) => trigger.id === id)!;
}

async function withMailbox(
  scenes: Scenes,
  web: string,
  user: ProductUser,
  planted: Planted,
  boughtMax: number | null,
): Promise<void> {
  const { email, password } = user;
  const verificationCode = await askCode(web, email, 'unfreeze');
  await scenes.call(
    'owner unfreezes with password and mailed code',
    'unfreezeAccount',
    { email, password, verificationCode },
    {},
    'done',
  );
  const owner = (await insistAgain(web, 'login', { email, password })) as { token: string };
  await isPaused(scenes, web, owner.token, planted, boughtMax);
  const token = await resetAndLogIn(scenes, web, email);
  const asking = { token };
  const wanted = { toWallet: Keypair.generate().address, amount: '0.1', password: THIEFS };
  await scenes.steal('mailbox: withdraw to a new address after a reset', wanted, asking, null);
  const code = await askCode(web, email, 'export');
  await scenes.call(
    'mailbox: show the key after a reset',
    'exportKey',
    { password: THIEFS, verificationCode: code },
    asking,
    'reset',
  );
  await isTold(scenes, web, email, 'password was reset');
  await scenes.call(
    'owner undoes the reset with the old password',
    'undoPasswordReset',
    { email, password },
    {},
    'done',
  );
  await scenes.call('… which ends the session of the thief', 'myWallet', {}, asking, null);
}

async function resetAndLogIn(scenes: Scenes, web: string, email: string): Promise<string> {
  const verificationCode = await askCode(web, email, 'reset');
  const reset = { email, verificationCode, password: THIEFS, confirmPassword: THIEFS };
  await scenes.call('mailbox: reset the password', 'resetPassword', reset, {}, 'done');
  return ((await insistAgain(web, 'login', { email, password: THIEFS })) as { token: string }).token;
}

async function isHeld(
  scenes: Scenes,
  web: string,
  token: string,
  tried: string,
  { listed, held } = { listed: 1, held: 1 },
): Promise<void> {
  // One whose process died is asked for again by the next; one that a busy signer did not decide in time is not listed.
  const states = await until(async () => {
    const { lists } = (await insistAgain(web, 'getMyWithdrawals', {}, { token })) as { lists: { status: string }[] };
    const isDecided = lists.length >= listed && lists.every(({ status }) => status !== 'requested');
    return isDecided && lists.map(({ status }) => status);
  }, 'the decision on every withdrawal');
  scenes.note(tried, states.join(', '), states.filter((status) => status === 'held').length >= held);
}

async function isTold(scenes: Scenes, web: string, email: string, subject: string): Promise<void> {
  const told = await until(
    async () => (await mailsOf(web, email)).find((mail) => mail.subject.includes(subject)),
    subject,
  );
  scenes.note('… and the owner is told', told.subject, told.text.includes('/freeze#'));
}

/** Of the newest mail with one: other mails may come in between. */
async function askCode(web: string, email: string, purpose: 'reset' | 'unfreeze' | 'export'): Promise<string> {
  const newest = async () => (await mailsOf(web, email)).find(({ code }) => code !== null);
  const before = (await newest())?.sentAt;
  await insistAgain(web, 'sendEmailCode', { email, purpose });
  const mail = await until(async () => {
    const found = await newest();
    return found !== undefined && found.sentAt !== before && found;
  }, `a code of purpose ${purpose}`);
  return mail.code!;
}

async function mailsOf(web: string, email: string): Promise<Mail[]> {
  return ((await insistAgain(web, 'mailbox', { email })) as { lists: Mail[] }).lists;
}

async function lamportsOf(rpc: RpcClient, user: ProductUser): Promise<bigint> {
  return (await rpc.getBalance(address(user.address), 'confirmed')).value;
}
