import { type EnrolledFactors, FactorClient } from '@hunter/signer-client/factor-client';
import type { SealedWallet } from '../ledger/wallets.ts';
import { Keypair } from '@hunter/solana/keypair';
import type { FastifyInstance } from 'fastify';
import { createTestDatabase, type TestDatabase } from '../../../../scripts/database-for-test.ts';
import { ApiKeyDoor } from '../http/api-key-door.ts';
import { buildServer } from '../http/build-server.ts';
import type { Handlers } from '../http/handlers.ts';
import { onlyHandlers } from '../http/handlers-for-test.ts';
import { Idempotency } from '../http/idempotency.ts';
import { createMetrics } from '../http/metrics.ts';
import { accountHandlers } from '../http/routes/accounts.ts';
import { systemClock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import type { Mail } from '../platform/mail.ts';
import { Database } from '../platform/postgres.ts';
import { ServerSecret } from '../platform/server-secret.ts';
import { loadWalletInfo } from '../treasury/wallet-info.ts';
import type { Accounts } from './accounts.ts';
import { EmailCodes, type CodePurpose } from './email-codes.ts';
import { LoginThrottle } from './login-throttle.ts';
import { PasswordHasher } from './password-hash.ts';
import { Sessions } from './sessions.ts';
import { createTellUser } from './tell-user.ts';
import type { ResetProof, WalletKeys } from './wallet-keys.ts';

export class FakeClock {
  #nowMs = Date.now();

  /** What waits for a database or a chain waits in real time. */
  pause(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.pause(ms, signal);
  }

  nowMs(): number {
    return this.#nowMs;
  }

  advanceSeconds(seconds: number): void {
    this.#nowMs += seconds * 1000;
  }
}

/** Keeps keys in the open. Only for tests of accounts, where the signer's own behaviour does not matter. */
export class KeysInMemory implements WalletKeys {
  readonly keypairs = new Map<string, { keypair: Keypair; password: string; before?: string }>();
  /** How often the key of each wallet was sealed. */
  readonly #sealed = new Map<string, number>();

  #seal(walletId: string): { sealedKey: string } {
    const times = (this.#sealed.get(walletId) ?? 0) + 1;
    this.#sealed.set(walletId, times);
    return { sealedKey: `sealed:${walletId}:${times}` };
  }

  async sealedSince({ walletId, sealedKey }: SealedWallet) {
    const newest = `sealed:${walletId}:${this.#sealed.get(walletId)}`;
    return newest === sealedKey ? null : { sealedKey: newest };
  }

  async createWallet({ walletId, password }: { userId: string; walletId: string; password: string }) {
    const keypair = Keypair.generate();
    this.keypairs.set(walletId, { keypair, password });
    return { address: keypair.address, privateKey: keypair.base58SecretKey(), ...this.#seal(walletId) };
  }

  async changePassword(
    { walletId }: { walletId: string },
    { oldPassword, newPassword }: { oldPassword: string; newPassword: string },
  ) {
    const entry = this.keypairs.get(walletId)!;
    if (entry.password !== oldPassword) return null;
    entry.password = newPassword;
    return this.#seal(walletId);
  }

  async resetPassword({ walletId }: { walletId: string }, newPassword: string) {
    const entry = this.keypairs.get(walletId)!;
    entry.before ??= entry.password;
    entry.password = newPassword;
    return this.#seal(walletId);
  }

  async undoReset({ walletId }: { walletId: string }, proof: ResetProof) {
    const entry = this.keypairs.get(walletId)!;
    if (!('password' in proof) || entry.before !== proof.password) return null;
    entry.password = proof.password;
    delete entry.before;
    return this.#seal(walletId);
  }

  async exportKey({ walletId }: { walletId: string }, { password }: { password: string }) {
    const entry = this.keypairs.get(walletId)!;
    return entry.password === password ? { privateKey: entry.keypair.base58SecretKey() } : null;
  }

  async freeze(): Promise<void> {}

  async unfreeze(): Promise<void> {}

  async cancelExport(): Promise<void> {}

  /** Nobody has any. */
  async factors<Result>(
    { userId, walletId, sealedKey }: SealedWallet,
    ask: (factors: FactorClient, current: { userId: string; walletId: string; sealedKey: string }) => Promise<Result>,
  ): Promise<Result> {
    const none: EnrolledFactors = {
      rpId: 'localhost',
      passkeys: [],
      totp: null,
      recoveryCodesLeft: 0,
      loginRequired: false,
      recovery: null,
      recoveryDelayMs: 0,
      exportReadyAt: null,
    };
    return ask(new FactorClient(async () => none), { userId, walletId, sealedKey });
  }
}

export type Envelope = { code: number; msg: string; data: Record<string, never> };

/** The accounts area behind HTTP, on a database of its own. */
export class AccountsUnderTest {
  readonly clock = new FakeClock();
  readonly keys: WalletKeys;
  readonly secret = new ServerSecret(Buffer.alloc(32, 7));
  readonly accounts: Accounts;
  readonly database: Database;
  readonly app: FastifyInstance;
  readonly #testDatabase: TestDatabase;

  private constructor(testDatabase: TestDatabase, options: TestOptions) {
    const log = createLog('silent');
    this.#testDatabase = testDatabase;
    this.keys = options.keys ?? new KeysInMemory();
    this.database = new Database(testDatabase.url, log, { maxConnections: 10 });
    this.accounts = {
      local: options.local ?? true,
      database: this.database,
      clock: this.clock,
      log,
      secret: this.secret,
      keys: this.keys,
      hasher: new PasswordHasher(),
      sessions: new Sessions(this.database, this.clock),
      codes: new EmailCodes(this.database, this.clock, this.secret, { perAddressPerHour: 1000, globalPerHour: 1000 }),
      throttles: {
        account: new LoginThrottle({ sql: this.database, clock: this.clock, name: 'account' }),
        device: new LoginThrottle({ sql: this.database, clock: this.clock, name: 'device' }),
        address: new LoginThrottle({ sql: this.database, clock: this.clock, name: 'address', freeFailures: 20 }),
      },
      loadWalletInfo,
      tell: createTellUser({ secret: this.secret, clock: this.clock, origin: 'https://hunter.test' }),
    };
    const idempotency = new Idempotency({ database: this.database, clock: this.clock, secret: this.secret });
    this.app = buildServer({
      local: this.accounts.local,
      handlers: onlyHandlers({ ...accountHandlers(this.accounts), ...options.handlers?.(this) }),
      authenticate: (token) => this.accounts.sessions.authenticate(token),
      apiKeys: new ApiKeyDoor(this.database, this.clock),
      readiness: async () => ({}),
      idempotently: (name, caller, request, run) => idempotency.run(name, caller, request, run),
      clock: this.clock,
      log,
      metrics: createMetrics(),
      rateLimitPerSecond: 1_000_000,
      trustProxy: 1,
      publicOrigin: undefined,
    });
  }

  static async start(options: TestOptions = {}): Promise<AccountsUnderTest> {
    return new AccountsUnderTest(await createTestDatabase(), options);
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.database.close();
    await this.#testDatabase.drop();
  }

  async post(path: string, payload: object, headers: Record<string, string> = {}) {
    const reply = await this.app.inject({ method: 'POST', url: `/api/${path}`, payload, headers });
    return reply.json<Envelope>();
  }

  async get(path: string, token: string) {
    const reply = await this.app.inject({ method: 'GET', url: `/api/${path}`, headers: { token } });
    return reply.json<Envelope>();
  }

  /** Newest first, read where the outbox would find them. */
  async mailsTo(email: string): Promise<Mail[]> {
    const rows = await this.database.query<{ payload: { sealed: string } }>(
      `select payload from outbox where topic = 'mail' order by id desc`,
    );
    return rows
      .map((row) => JSON.parse(this.secret.open(row.payload.sealed)) as Mail)
      .filter((mail) => mail.to.toLowerCase() === email.toLowerCase());
  }

  async code(email: string, purpose: CodePurpose = 'register'): Promise<string> {
    await this.post('login/sendEmailCode', { email, purpose });
    const code = (await this.mailsTo(email)).find((mail) => mail.code !== null)?.code;
    if (!code) throw new Error(`no code was mailed to ${email}`);
    return code;
  }

  async register(email: string, overrides: Record<string, unknown> = {}): Promise<RegisteredUser> {
    const password = 'correct horse battery';
    const verificationCode = await this.code(email);
    const reply = await this.post('login/register', {
      email,
      password,
      confirmPassword: password,
      verificationCode,
      inviteCode: 'HUNTER',
      agreement: true,
      ...overrides,
    });
    if (reply.code !== 200) throw new Error(`registration refused: ${reply.msg}`);
    const data = reply.data as unknown as Omit<RegisteredUser, 'password' | 'userId'>;
    const [user] = await this.database.query<{ id: string }>(`select id from users where email = $1`, [email]);
    return { ...data, password, userId: user!.id };
  }
}

type TestOptions = {
  local?: boolean;
  keys?: WalletKeys;
  handlers?: (test: AccountsUnderTest) => Partial<Handlers>;
};

export type RegisteredUser = {
  userId: string;
  token: string;
  email: string;
  password: string;
  walletInfo: { walletAddress: string; tokenBalance: string; available: string; withdrawable: string };
  wallet: { address: string; privateKey: string };
};
