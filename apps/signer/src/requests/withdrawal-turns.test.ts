import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fromBase58, toBase58 } from '../base58.ts';
import { aSigner, type TestSigner } from '../fixtures/a-signer.ts';
import { aWithdrawal } from '../fixtures/a-withdrawal.ts';
import { PASSWORD } from '../fixtures/transaction-scenes.ts';
import { DAY_MS } from '../limits/withdrawal-rules.ts';

const SOL = 1_000_000_000n;
const HOUR_MS = DAY_MS / 24;

type Wallet = { userId: string; walletId: string; address: string; sealedKey: string };

function wallets(test: TestSigner, name: string, count: number): Promise<Wallet[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const owner = { userId: `${name}-${index}`, walletId: `wallet-${name}-${index}` };
      return { ...owner, ...(await test.signer.createWallet(owner, PASSWORD)) };
    }),
  );
}

/** To the one destination of the wallet's owner. */
async function withdraw(
  test: TestSigner,
  { address, sealedKey, ...owner }: Wallet,
  lamports: bigint,
  withdrawalId: string,
  proof: { password?: string } = { password: PASSWORD },
) {
  const bytes = createHash('sha256').update(address).digest();
  const to = { bytes, text: toBase58(bytes) };
  const from = fromBase58(address, 32)!;
  const blockhash = createHash('sha256').update(withdrawalId).digest();
  const [outcome] = await test.signer.sign([
    aWithdrawal({ owner, sealedKey, from, withdrawalId, to, lamports, blockhash, ...proof }),
  ]);
  if (!('denied' in outcome!)) return { code: 'SIGNED' as const };
  const { code, until, hold } = outcome.denied;
  return { code, until, hold };
}

describe('withdrawals of all wallets together', () => {
  it('wait for their turn beyond half of the total, across restarts, and then need no password', async () => {
    let test = aSigner({ withdrawTotalSol: 100n });
    const [first, second, third] = await wallets(test, 'owner', 3);
    expect(await withdraw(test, first!, 45n * SOL, 'a')).toEqual({ code: 'SIGNED' });
    test = await test.reopen();
    const asked = () => withdraw(test, second!, 10n * SOL, 'b');
    const until = test.clock.now + DAY_MS / 10;
    expect(await asked()).toEqual({ code: 'HELD', until, hold: 'many-withdrawals' });
    expect(await asked()).toMatchObject({ code: 'HELD', until });
    // Each that waits is an alarm, once.
    const msg = `too much is withdrawn; this withdrawal waits until ${new Date(until).toISOString()}`;
    expect(test.alarms).toEqual([{ msg, address: second!.address }]);
    expect(test.signer.status()).toMatchObject({ stopped: [], withdrawals: { waiting: 1, part: 0.45 } });
    expect(await withdraw(test, third!, 5n * SOL, 'c')).toEqual({ code: 'SIGNED' });
    await test.state.compact();
    test = await test.reopen();
    test.clock.now = until;
    const later = await withdraw(test, second!, 10n * SOL, 'b', {});
    expect(later).toEqual({ code: 'HELD', until: until + DAY_MS / 10, hold: 'many-withdrawals' });
    test.clock.now = later.until!;
    expect(await withdraw(test, second!, 10n * SOL, 'b', {})).toEqual({ code: 'SIGNED' });
    expect(test.alarms).toContainEqual({ msg: 'half of what all wallets may withdraw in 24 hours has left' });
    expect(test.signer.status().withdrawals).toEqual({ waiting: 0, part: 0.6 });
    // What was signed is signed again, whoever is next.
    expect(await withdraw(test, first!, 45n * SOL, 'a')).toEqual({ code: 'SIGNED' });
  });

  it('are refused where they are more than ever leaves at once, and tell beforehand that they wait', async () => {
    const test = aSigner({ withdrawTotalSol: 80n });
    const [first, second] = await wallets(test, 'owner', 2);
    expect(await withdraw(test, first!, 41n * SOL, 'a')).toMatchObject({ code: 'VELOCITY' });
    expect(await withdraw(test, first!, 40n * SOL, 'b')).toEqual({ code: 'SIGNED' });
    const preview = (lamports: bigint) =>
      test.signer.withdrawals.preview(second!, {
        kind: 'withdrawal',
        withdrawalId: 'x',
        destination: toBase58(createHash('sha256').digest()),
        lamports: String(lamports),
      });
    expect(preview(10n * SOL)).toEqual({ holdUntil: test.clock.now + DAY_MS / 4, hold: 'many-withdrawals' });
    expect(() => preview(41n * SOL)).toThrow('VELOCITY');
    expect(test.signer.status().withdrawals.waiting).toBe(0);
  });

  it('keep their hold of a day although they waited for their turn before', async () => {
    const test = aSigner({ withdrawTotalSol: 100n, largeSol: 20n });
    const [first, second] = await wallets(test, 'owner', 2);
    for (const [index, wallet] of [first!, first!, second!].entries()) {
      expect(await withdraw(test, wallet, 9n * SOL, `${index}`)).toEqual({ code: 'SIGNED' });
    }
    for (let index = 0; index < 2; index += 1) {
      const [one] = await wallets(test, `crowd-${index}`, 1);
      expect(await withdraw(test, one!, 11n * SOL, 'x')).toEqual({ code: 'SIGNED' });
    }
    expect(await withdraw(test, second!, 10n * SOL, 'a')).toMatchObject({ code: 'HELD', hold: 'many-withdrawals' });
    test.clock.now += 12 * HOUR_MS;
    expect(await withdraw(test, second!, 2n * SOL, 'b')).toEqual({ code: 'SIGNED' });
    // By now this one is the piece that makes them large.
    expect(await withdraw(test, second!, 10n * SOL, 'a', {})).toMatchObject({ code: 'HELD', hold: 'new-address' });
  });

  it('of one person in circles through forty wallets keep nobody from withdrawing a little, and stop nothing', async () => {
    const test = aSigner();
    const circle = await wallets(test, 'circle', 40);
    const people = await wallets(test, 'person', 14);
    const signed: { at: number; lamports: bigint }[] = [];
    const take = async (wallet: Wallet, lamports: bigint, id: string): Promise<string> => {
      const { code } = await withdraw(test, wallet, lamports, id);
      if (code === 'SIGNED') signed.push({ at: test.clock.now, lamports });
      return code;
    };
    // Nothing to an address that was paid a day before is held.
    for (const wallet of circle) expect(await take(wallet, SOL, 'first')).toBe('SIGNED');
    test.clock.now += DAY_MS;
    const outcomes: string[] = [];
    for (const [hour, person] of people.entries()) {
      for (const amount of [249n, 40n, 5n]) {
        // The next ones, until two are refused.
        let refused = 0;
        for (const wallet of [...circle.slice(2 * hour), ...circle.slice(0, 2 * hour)]) {
          if ((await take(wallet, amount * SOL, `again-${hour}-${amount}`)) !== 'SIGNED') refused += 1;
          if (refused === 2) break;
        }
      }
      outcomes.push(await take(person, 40n * SOL, 'once'));
      test.clock.now += HOUR_MS;
    }
    expect(new Set(outcomes)).toEqual(new Set(['SIGNED']));
    expect(test.signer.status().stopped).toEqual([]);
    const ofDays = signed.map(({ at: end }) =>
      signed.reduce((sum, { at, lamports }) => (at <= end && at > end - DAY_MS ? sum + lamports : sum), 0n),
    );
    expect(ofDays.every((lamports) => lamports <= 20_000n * SOL)).toBe(true);
    expect(ofDays.some((lamports) => lamports > 10_000n * SOL)).toBe(true);
  });
});
