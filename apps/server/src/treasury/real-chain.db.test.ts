import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { Keypair } from '@hunter/solana/keypair';
import { RpcClient } from '@hunter/solana/rpc-client';
import { RpcSubscriptions } from '@hunter/solana/rpc-subscriptions';
import { SignerClient } from '@hunter/signer-client/signer-client';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountsUnderTest, type RegisteredUser } from '../accounts/accounts-for-test.ts';
import { rotateKeys } from '../accounts/rotate-keys.ts';
import { SignerWalletKeys } from '../accounts/signer-wallet-keys.ts';
import { treasuryHandlers } from '../http/routes/treasury.ts';
import { createLog } from '../platform/log.ts';
import { systemClock } from '../platform/clock.ts';
import { LiveBus } from '../platform/live-bus.ts';
import { BalancePushes } from './balance-pushes.ts';
import { DepositWatch } from './deposit-watch.ts';
import { WithdrawalSignerClient } from './withdrawal-signer.ts';
import { Withdrawals } from './withdrawals.ts';

const SOL = 1_000_000_000n;
const TOKEN = 'token-of-a-test-0123456789abcdef0123456789';
const DAILY_LIMIT_SOL = 5;
const UNUSABLE = [
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'SysvarRent111111111111111111111111111111111',
  '1nc1nerator11111111111111111111111111111111',
];

/** The chain goes on meanwhile: what has landed may be final already. */
const LANDED = expect.stringMatching(/^(confirmed|finalized)$/) as unknown;

// The chain and the signer as the product starts them: own processes, real bytes, real time.
describe('treasury on the localnet with the real signer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'treasury-real-'));
  const children: ChildProcess[] = [];
  const closers: (() => Promise<void> | void)[] = [];
  let test: AccountsUnderTest;
  let rpc: RpcClient;
  let signer: SignerClient;
  let deposits: DepositWatch;

  beforeAll(async () => {
    const socketPath = join(folder, 'signer.sock');
    const [net] = await Promise.all([
      startChild(children, 'apps/localnet/src/main.ts', {
        LOCALNET_PORT: '0',
        LOCALNET_VENUE_PORT: '0',
        LOCALNET_MARKET: 'off',
        DATA_DIR: join(folder, 'localnet'),
      }),
      startChild(children, 'apps/signer/src/main.ts', {
        SIGNER_SOCKET: socketPath,
        SIGNER_TOKEN: TOKEN,
        SIGNER_ENVIRONMENT: 'test',
        SIGNER_DAILY_LIMIT_SOL: String(DAILY_LIMIT_SOL),
        DATA_DIR: join(folder, 'signer'),
      }),
    ]);
    rpc = new RpcClient({ url: net['rpc']! });
    const subscriptions = new RpcSubscriptions({ url: net['rpcWs']! });
    signer = new SignerClient({ socketPath, token: TOKEN });
    const log = createLog('silent');
    const bus = new LiveBus();
    test = await AccountsUnderTest.start({
      keys: new SignerWalletKeys(signer),
      handlers: ({ database, clock, accounts }) => {
        const balances = new BalancePushes(database, bus, systemClock, log);
        const deps = {
          database,
          rpc,
          signer: new WithdrawalSignerClient(database, signer),
          balances,
          symbols: async () => new Map(),
          isPool: async () => false,
          tell: accounts.tell,
          clock,
          log,
        };
        const withdrawals = new Withdrawals(deps);
        deposits = new DepositWatch({
          database,
          rpc,
          subscriptions,
          symbols: async () => new Map(),
          bus,
          balances,
          alarm: () => {},
          tell: accounts.tell,
          clock: systemClock,
          log,
        });
        withdrawals.start();
        closers.push(() => withdrawals.stop());
        return treasuryHandlers({ accounts, deps, withdrawals });
      },
    });
    await deposits.start();
    closers.push(
      () => deposits.stop(),
      () => test.stop(),
      () => subscriptions.close(),
      () => rpc.close(),
      () => signer.close(),
    );
  });
  afterAll(async () => {
    for (const close of closers) await close();
    for (const child of children) await stopChild(child);
    rmSync(folder, { recursive: true, force: true });
  });

  const available = async (user: RegisteredUser) => {
    const reply = await test.get('user/myWallet', user.token);
    return (reply.data as unknown as { walletInfo: { available: string; tokenBalance: string } }).walletInfo;
  };

  async function fundedUser(email: string, lamports: bigint): Promise<RegisteredUser> {
    const user = await test.register(email);
    const address = user.wallet.address as Address;
    await deposits.add(address);
    await rpc.requestAirdrop(address, lamports);
    await until(async () => (await available(user)).available !== '0');
    return user;
  }

  const withdraw = (user: RegisteredUser, amount: string, toWallet: string, password = user.password) =>
    test.post('user/withdrawal', { toWallet, amount, password }, { token: user.token });

  async function expectBooksToEqualTheChain(user: RegisteredUser): Promise<void> {
    await until(async () => {
      const { value } = await rpc.getBalance(user.wallet.address as Address, 'finalized');
      const [row] = await test.database.query<{ books: bigint; held: bigint }>(
        `select coalesce(sum(amount), 0) as books, coalesce(sum(amount) filter (where account = 'held'), 0) as held
         from balance a join book b on b.id = a.book_id where b.user_id = $1 and asset = 'SOL'`,
        [user.userId],
      );
      return row!.books === value && row!.held === 0n;
    });
  }

  it('finds an airdrop, sends a withdrawal with the password only, and never passes the daily limit', async () => {
    const user = await fundedUser('real@example.com', 20n * SOL);
    const toWallet = Keypair.generate().address;
    expect((await withdraw(user, '0.5', toWallet, 'not the password')).data).toMatchObject({ error: 'WRONG_PASSWORD' });
    const first = await withdraw(user, '0.5', toWallet);
    expect(first.data).toMatchObject({ status: LANDED, gasFee: '0.000005' });
    // Over and over at once, with amounts that tell them apart: together they would pass the limit.
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, index) => withdraw(user, `0.5000000${String(index).padStart(2, '0')}`, toWallet)),
    );
    const errors = replies
      .filter((reply) => reply.code !== 200)
      .map((reply) => (reply.data as unknown as { error: string }).error);
    expect(new Set(errors)).toEqual(new Set(['WITHDRAWAL_LIMIT']));
    await expectBooksToEqualTheChain(user);
    const { value } = await rpc.getBalance(toWallet, 'finalized');
    expect(value).toBeLessThanOrEqual(BigInt(DAILY_LIMIT_SOL) * SOL);
    expect(value).toBeGreaterThan(4n * SOL);
  });

  it('lets nobody with a stolen session use up the owner’s tries at his password', async () => {
    const user = await fundedUser('guessed@example.com', 2n * SOL);
    const { email, password } = user;
    const stolen = await test.post('login/check', { email, password }, { 'user-agent': 'Stolen' });
    const token = (stolen.data as unknown as { token: string }).token;
    const guess = { password: 'a wrong guess', toWallet: Keypair.generate().address, amount: '0.1' };
    const limits = { dailySol: null, delaysNew: false };
    const doors = [
      () => test.post('user/withdrawal', guess, { token }),
      () => test.post('user/saveMyWithdrawalLimits', { ...limits, password: guess.password }, { token }),
      () => test.post('user/startTotp', { password: guess.password }, { token }),
      () => test.post('user/startRecovery', { password: guess.password }, { token }),
    ];
    for (let count = 0; count < 12; count += 1) {
      // His pause grows with every guess, whatever he asks for.
      expect((await doors[count % doors.length]!()).data).toMatchObject({
        error: count < 5 ? 'WRONG_PASSWORD' : 'RATE_LIMITED',
      });
    }
    expect((await withdraw(user, '0.5', Keypair.generate().address)).data).toMatchObject({ status: LANDED });
  });

  it('credits what one user withdraws to the wallet of another', async () => {
    const sender = await fundedUser('from@example.com', 3n * SOL);
    const receiver = await fundedUser('to@example.com', SOL);
    const reply = await withdraw(sender, '1.5', receiver.wallet.address);
    expect(reply.data).toMatchObject({ status: LANDED });
    await until(async () => (await available(receiver)).tokenBalance === '2.5');
    await expectBooksToEqualTheChain(sender);
    await expectBooksToEqualTheChain(receiver);
  });

  it('refuses programs, sysvars and addresses without an owner as destinations', async () => {
    const user = await fundedUser('destinations@example.com', 2n * SOL);
    const offCurve = associatedTokenAddress(user.wallet.address as Address, Keypair.generate().address);
    for (const toWallet of [...UNUSABLE, offCurve]) {
      expect((await withdraw(user, '0.1', toWallet)).data).toMatchObject({
        error: 'WITHDRAWAL_DESTINATION',
        field: 'toWallet',
      });
    }
    await expectBooksToEqualTheChain(user);
  });

  it('changes passwords and keys while the wallet stays the same', async () => {
    const user = await fundedUser('keys@example.com', 2n * SOL);
    const password = 'an entirely new password';
    const change = { oldPassword: user.password, password, confirmPassword: password };
    expect((await test.post('user/changePassword', change, { token: user.token })).code).toBe(200);
    // Somebody's server died between the signer's change and storing the new sealed key: that wallet moves along too.
    const unlucky = await test.register('unlucky@example.com');
    const [sealed] = await test.database.query<{ userId: string; walletId: string; sealedKey: string }>(
      `select user_id as "userId", id as "walletId", envelope as "sealedKey" from wallet where address = $1`,
      [unlucky.wallet.address],
    );
    await signer.changePassword({ ...sealed!, oldPassword: unlucky.password, newPassword: password });
    const before = await signer.status();
    const rotation = await rotateKeys(test.database, signer, 0);
    expect(rotation.keyId).not.toBe(before.currentKeyId);
    expect(rotation.retired).toEqual([before.currentKeyId]);
    const again = { oldPassword: unlucky.password, password, confirmPassword: password };
    expect((await test.post('user/changePassword', again, { token: unlucky.token })).code).toBe(200);
    const toWallet = Keypair.generate().address;
    expect((await withdraw(user, '0.25', toWallet)).data).toMatchObject({ error: 'WRONG_PASSWORD' });
    expect((await withdraw(user, '0.25', toWallet, password)).data).toMatchObject({ status: LANDED });
    const verificationCode = await test.code(user.email, 'export');
    const exported = await test.post('user/exportKey', { password, verificationCode }, { token: user.token });
    expect(exported.data).toEqual(user.wallet);
    await expectBooksToEqualTheChain(user);
  });

  it('shows no key to whoever reset the password with the mailbox, and says until when', async () => {
    const user = await test.register('mailbox@example.com');
    const password = 'set by whoever reads the mail';
    const reset = { email: user.email, password, confirmPassword: password };
    const code = await test.code(user.email, 'reset');
    expect((await test.post('login/resetPassword', { ...reset, verificationCode: code })).code).toBe(200);
    const login = await test.post('login/check', { email: user.email, password });
    const { token } = login.data as unknown as { token: string };
    const verificationCode = await test.code(user.email, 'export');
    const refused = await test.post('user/exportKey', { password, verificationCode }, { token });
    expect(refused.data).toEqual({
      error: 'KEY_EXPORT_AFTER_RESET',
      until: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/) as unknown,
    });
    const { until } = refused.data as unknown as { until: string };
    const waitHours = (Date.parse(until.replace(' UTC', 'Z')) - Date.now()) / 3_600_000;
    expect(Math.round(waitHours)).toBe(72);
    expect(JSON.stringify(refused)).not.toContain(user.wallet.privateKey);
  });

  it('leaves no trace of a seed in the database, in any spelling', async () => {
    const user = await test.register('canary-real@example.com');
    const secretKey = Keypair.fromBase58SecretKey(user.wallet.privateKey).secretKey();
    const seed = Buffer.from(secretKey.subarray(0, 32));
    const spellings = [
      user.wallet.privateKey,
      seed.toString('hex'),
      seed.toString('base64'),
      seed.toString('base64url'),
    ];
    const tables = await test.database.query<{ name: string }>(
      `select table_name as name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    for (const { name } of tables) {
      const [dump] = await test.database.query<{ text: string | null }>(
        `select string_agg(t::text, ' ') as text from "${name}" t`,
      );
      for (const spelling of spellings) expect(dump?.text ?? '').not.toContain(spelling.slice(0, 40));
    }
  });
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < 400; round += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('what the test waits for did not happen');
}

function startChild(
  children: ChildProcess[],
  file: string,
  environment: Record<string, string>,
): Promise<Record<string, string>> {
  const root = fileURLToPath(new URL('../../../..', import.meta.url));
  const child = spawn(process.execPath, [join(root, file)], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${file} exited with code ${code}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('{') && line.includes('"ready":true')) resolve(JSON.parse(line) as Record<string, string>);
    });
  });
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await exited;
  clearTimeout(timer);
}
