import { Keypair } from '@hunter/solana/keypair';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountsUnderTest } from './accounts-for-test.ts';
import { createInvite } from './invites.ts';

describe('registration', () => {
  let test: AccountsUnderTest;
  beforeAll(async () => {
    test = await AccountsUnderTest.start();
  });
  afterAll(() => test.stop());

  const fields = (email: string, verificationCode: string, overrides: object = {}) => ({
    email,
    password: 'correct horse battery',
    confirmPassword: 'correct horse battery',
    verificationCode,
    inviteCode: 'HUNTER',
    agreement: true,
    ...overrides,
  });

  it('gives a session, a wallet and the key of that wallet', async () => {
    const user = await test.register('ann@example.com');
    expect(Keypair.fromBase58SecretKey(user.wallet.privateKey).address).toBe(user.wallet.address);
    expect(user.walletInfo).toEqual({
      walletAddress: user.wallet.address,
      tokenBalance: '0',
      available: '0',
      committed: null,
      equity: null,
      withdrawable: '0',
    });
    const wallet = await test.get('user/myWallet', user.token);
    expect(wallet.data).toEqual({ email: 'ann@example.com', walletInfo: user.walletInfo });
    const invites = await test.get('user/getMyInvites', user.token);
    expect((invites.data as unknown as { lists: unknown[] }).lists).toHaveLength(3);
  });

  it('names the user after nothing that was typed', async () => {
    await test.register('very.private.name@example.com');
    const rows = await test.database.query<{ display_name: string }>(`select display_name from users`);
    for (const { display_name } of rows) expect(display_name).toMatch(/^[a-z]+-[a-z]+-\d{1,9}$/);
  });

  it('refuses what is missing or wrong by name and uses neither code nor invite up', async () => {
    const email = 'careful@example.com';
    const code = await test.code(email);
    const tries: [object, string][] = [
      [{ agreement: false }, 'AGREEMENT_REQUIRED'],
      [{ confirmPassword: 'something else' }, 'PASSWORDS_DIFFER'],
      [{ password: 'Password123', confirmPassword: 'Password123' }, 'PASSWORD_TOO_WEAK'],
      [{ password: 'short', confirmPassword: 'short' }, 'PASSWORD_TOO_WEAK'],
      [{ inviteCode: 'NOPE' }, 'WRONG_INVITE'],
    ];
    for (const [overrides, error] of tries) {
      const reply = await test.post('login/register', fields(email, code, overrides));
      expect(reply.data).toMatchObject({ error });
    }
    const reply = await test.post('login/register', fields(email, code));
    expect(reply.code).toBe(200);
  });

  it('mails codes to the address that is stored, not to one that only compares equal', async () => {
    const email = 'kim@example.com';
    // The Kelvin sign: its lower case is a plain k, but it names another mailbox.
    const lookAlike = '\u212Aim@example.com';
    await test.register(email);
    for (const purpose of ['register', 'reset', 'export']) {
      test.clock.advanceSeconds(61);
      expect((await test.post('login/sendEmailCode', { email: lookAlike, purpose })).code).toBe(200);
    }
    const recipients = async () => {
      const rows = await test.database.query<{ payload: { sealed: string } }>(
        `select payload from outbox where topic = 'mail' order by id`,
      );
      return rows.map((row) => (JSON.parse(test.secret.open(row.payload.sealed)) as { to: string }).to);
    };
    expect((await recipients()).slice(-3)).toEqual([email, email, email]);
  });

  it('registers no address with a code that was mailed to another mailbox', async () => {
    const lookAlike = '\u212Aate@example.com';
    await test.post('login/sendEmailCode', { email: lookAlike });
    const code = (await test.mailsTo(lookAlike)).find((mail) => mail.code !== null)!.code!;
    const taken = await test.post('login/register', fields('kate@example.com', code));
    expect(taken.data).toMatchObject({ error: 'WRONG_CODE' });
    expect((await test.post('login/register', fields('\u212AATE@example.com', code))).code).toBe(200);
  });

  it('uses a code once, however many register with it at the same moment', async () => {
    const email = 'twin@example.com';
    const code = await test.code(email);
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => test.post('login/register', fields(email, code))),
    );
    expect(replies.filter((reply) => reply.code === 200)).toHaveLength(1);
    for (const reply of replies.filter((one) => one.code !== 200)) {
      expect(reply.data).toMatchObject({ error: 'WRONG_CODE' });
    }
  });

  it('counts the uses of an invite exactly, also for people who come together', async () => {
    const invite = await createInvite(test.database, { ownerId: null, uses: 2 });
    const emails = Array.from({ length: 6 }, (_, index) => `guest${index}@example.com`);
    const codes = await Promise.all(emails.map((email) => test.code(email)));
    const replies = await Promise.all(
      emails.map((email, index) =>
        test.post('login/register', fields(email, codes[index]!, { inviteCode: invite.toLowerCase() })),
      ),
    );
    expect(replies.filter((reply) => reply.code === 200)).toHaveLength(2);
    const left = await test.database.query(`select uses_left from invite where code = $1`, [invite]);
    expect(left).toEqual([{ uses_left: 0 }]);
  });

  it('gives a code five tries and five minutes', async () => {
    const email = 'guesser@example.com';
    const code = await test.code(email);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let count = 0; count < 5; count += 1) {
      const reply = await test.post('login/register', fields(email, wrong));
      expect(reply.data).toMatchObject({ error: 'WRONG_CODE' });
    }
    const late = await test.post('login/register', fields(email, code));
    expect(late.data).toMatchObject({ error: 'WRONG_CODE' });

    const other = 'slow@example.com';
    const slowCode = await test.code(other);
    test.clock.advanceSeconds(301);
    const expired = await test.post('login/register', fields(other, slowCode));
    expect(expired.data).toMatchObject({ error: 'WRONG_CODE' });
  });

  it('does not let a stranger’s wrong tries use up a code that somebody else asked for', async () => {
    const email = 'victim@example.com';
    const home = { 'x-forwarded-for': '10.1.0.1' };
    const elsewhere = { 'x-forwarded-for': '10.1.0.2' };
    await test.post('login/sendEmailCode', { email }, home);
    const code = (await test.mailsTo(email))[0]!.code!;
    const wrong = code === '000000' ? '000001' : '000000';
    for (let count = 0; count < 6; count += 1) {
      expect((await test.post('login/register', fields(email, wrong), elsewhere)).code).not.toBe(200);
    }
    // From elsewhere not even the right one counts any more, from where any address; at home all tries are left.
    for (const headers of [elsewhere, { 'x-forwarded-for': '10.1.0.3' }]) {
      expect((await test.post('login/register', fields(email, code), headers)).data).toMatchObject({
        error: 'WRONG_CODE',
      });
    }
    for (let count = 0; count < 4; count += 1) await test.post('login/register', fields(email, wrong), home);
    expect((await test.post('login/register', fields(email, code), home)).code).toBe(200);
  });

  it('sends an address one code a minute, four a day for one network and ten for all of them', async () => {
    const email = 'eager@example.com';
    const send = (network: number, to = email) =>
      test.post('login/sendEmailCode', { email: to }, { 'x-forwarded-for': `10.9.0.${network}` });
    const first = await send(0);
    expect(first.data).toEqual({ retryAfterSeconds: 60 });
    const second = await send(1, 'EAGER@example.com');
    expect(second.data).toEqual({ error: 'CODE_TOO_SOON', retryAfterSeconds: 60 });
    for (let count = 1; count < 10; count += 1) {
      test.clock.advanceSeconds(60);
      const network = Math.floor(count / 4);
      if (count % 4 === 0) {
        expect((await send(network - 1)).data).toMatchObject({ error: 'CODE_TOO_SOON' });
      }
      expect((await send(network)).code).toBe(200);
    }
    test.clock.advanceSeconds(60);
    const eleventh = await send(9);
    expect(eleventh.data).toMatchObject({ error: 'CODE_TOO_SOON' });
    expect((eleventh.data as unknown as { retryAfterSeconds: number }).retryAfterSeconds).toBeGreaterThan(60);
  });

  it('answers the same bytes whether or not the address has an account, and mails each what it needs', async () => {
    const known = 'known@example.com';
    const unknown = 'nobody@example.com';
    await test.register(known);
    test.clock.advanceSeconds(61);
    const bytes = async (path: string, body: (email: string) => object) => {
      const replies = await Promise.all(
        [known, unknown].map((email) => test.app.inject({ method: 'POST', url: `/api/${path}`, payload: body(email) })),
      );
      const [left, right] = replies.map((reply) => {
        const { 'x-request-id': _id, date: _date, ...headers } = reply.headers;
        return { status: reply.statusCode, headers, body: reply.body };
      });
      expect(left).toEqual(right);
    };
    for (const purpose of ['register', 'reset', 'export']) {
      await bytes('login/sendEmailCode', (email) => ({ email, purpose }));
    }
    await bytes('login/check', (email) => ({ email, password: 'not the password' }));
    await bytes('login/register', (email) => fields(email, '123456'));
    await bytes('login/resetPassword', (email) => ({
      email,
      verificationCode: '123456',
      password: 'another long password',
      confirmPassword: 'another long password',
    }));
    const subjects = async (email: string) => (await test.mailsTo(email)).slice(0, 3).map((mail) => mail.subject);
    expect((await subjects(known)).filter((subject) => subject.startsWith('You already have'))).toHaveLength(1);
    expect((await subjects(unknown)).filter((subject) => subject.startsWith('There is no'))).toHaveLength(2);
  });

  it('keeps no private key, password or code in the database', async () => {
    const user = await test.register('canary@example.com');
    const [mail] = (await test.mailsTo('canary@example.com')).filter((one) => one.code !== null);
    const tables = await test.database.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    for (const { name } of tables) {
      const [dump] = await test.database.query<{ text: string | null }>(
        `select string_agg(t::text, ' ') as text from "${name}" t`,
      );
      for (const secret of [user.wallet.privateKey, user.password, user.token, `"${mail!.code}"`]) {
        expect(dump?.text ?? '').not.toContain(secret);
      }
    }
  });
});
