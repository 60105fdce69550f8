// The server of the auth bench: accounts over HTTP with one registered user and an open read. A process of its own, so that
// the load generator does not share its event loop.
import { Keypair } from '@hunter/solana/keypair';
import type { Accounts } from '../../apps/server/src/accounts/accounts.ts';
import { EmailCodes } from '../../apps/server/src/accounts/email-codes.ts';
import { LoginThrottle } from '../../apps/server/src/accounts/login-throttle.ts';
import { PasswordHasher } from '../../apps/server/src/accounts/password-hash.ts';
import { Sessions } from '../../apps/server/src/accounts/sessions.ts';
import type { WalletKeys } from '../../apps/server/src/accounts/wallet-keys.ts';
import { accountHandlers } from '../../apps/server/src/http/routes/accounts.ts';
import { createBook } from '../../apps/server/src/ledger/books.ts';
import { systemClock as clock } from '../../apps/server/src/platform/clock.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { Database } from '../../apps/server/src/platform/postgres.ts';
import { ServerSecret } from '../../apps/server/src/platform/server-secret.ts';
import { loadWalletInfo } from '../../apps/server/src/treasury/wallet-balance.ts';
import { startBenchServer } from './bench-server.ts';

const log = createLog('silent');
const database = new Database(process.env['DATABASE_URL']!, log);
const secret = new ServerSecret(Buffer.alloc(32, 1));
const hasher = new PasswordHasher();
const accounts: Accounts = {
  local: true,
  database,
  clock,
  log,
  secret,
  keys: {} as WalletKeys,
  hasher,
  sessions: new Sessions(database, clock),
  codes: new EmailCodes(database, clock, secret, { perAddressPerHour: 1_000_000, globalPerHour: 1_000_000 }),
  throttles: {
    account: new LoginThrottle(clock, 1_000_000),
    device: new LoginThrottle(clock, 1_000_000),
    address: new LoginThrottle(clock, 1_000_000),
  },
  loadWalletInfo,
};

const passwordHash = await hasher.hash('the password of a bench');
const [user] = await database.query<{ id: string }>(
  `insert into users (email, email_key, password_hash, display_name) values ($1, $1, $2, 'trader-bench') returning id`,
  ['bench@example.com', passwordHash],
);
await database.query(`insert into wallet (user_id, address, envelope) values ($1, $2, '{}')`, [
  user!.id,
  Keypair.generate().address,
]);
await createBook(database, { userId: user!.id, kind: 'personal', name: 'Personal' });

const server = await startBenchServer({
  ...accountHandlers(accounts),
  // The read under test asks the database, as the older pages of the market and holders do.
  getConfig: async () => {
    await database.query(`select id, mint, name, symbol from token order by id limit 20`);
    return {
      mode: 'local',
      chainId: '501_1',
      simulatedMarket: true,
      inviteCode: null,
      mailboxPath: null,
      defaultSlippageBps: 100,
      maxSlippageBps: 5000,
    };
  },
});
process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
