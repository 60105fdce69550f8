// The server of the auth bench: accounts over HTTP with one registered user, and the market's reads over a market of some
// size. A process of its own, so that the load generator does not share its event loop.
import { randomUUID } from 'node:crypto';
import { SignerClient } from '@hunter/signer-client/signer-client';
import type { Accounts } from '../../apps/server/src/accounts/accounts.ts';
import { EmailCodes } from '../../apps/server/src/accounts/email-codes.ts';
import { LoginThrottle } from '../../apps/server/src/accounts/login-throttle.ts';
import { PasswordHasher } from '../../apps/server/src/accounts/password-hash.ts';
import { Sessions } from '../../apps/server/src/accounts/sessions.ts';
import { SignerWalletKeys } from '../../apps/server/src/accounts/signer-wallet-keys.ts';
import { accountHandlers } from '../../apps/server/src/http/routes/accounts.ts';
import { marketHandlers } from '../../apps/server/src/http/routes/market.ts';
import { openBook } from '../../apps/server/src/ledger/books.ts';
import { insertWallet } from '../../apps/server/src/ledger/wallets.ts';
import { MarketStore } from '../../apps/server/src/market/market-store.ts';
import { displayNames, nameFlagsOf } from '../../apps/server/src/market/name-flags.ts';
import { MarketReads } from '../../apps/server/src/market/reads/market-reads.ts';
import { refreshWindows } from '../../apps/server/src/market/refresh-windows.ts';
import { systemClock as clock } from '../../apps/server/src/platform/clock.ts';
import { loadStrategiesOfWallets } from '../../apps/server/src/portfolio/strategy-wallets.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { Database } from '../../apps/server/src/platform/postgres.ts';
import { ServerSecret } from '../../apps/server/src/platform/server-secret.ts';
import { loadWalletInfo } from '../../apps/server/src/treasury/wallet-info.ts';
import { startBenchServer } from './bench-server.ts';
import { chunksOf, tokensForLoad, tradesForLoad } from './market-load.ts';

const TOKENS = 500;
const TRADES = 20_000;
const WALLETS = 2_000;

const log = createLog('silent');
const database = new Database(process.env['DATABASE_URL']!, log);
const secret = new ServerSecret(Buffer.alloc(32, 1));
const hasher = new PasswordHasher();
const keys = new SignerWalletKeys(
  new SignerClient({ socketPath: process.env['SIGNER_SOCKET']!, token: process.env['SIGNER_TOKEN']! }),
);
const accounts: Accounts = {
  local: true,
  database,
  clock,
  log,
  secret,
  keys,
  hasher,
  sessions: new Sessions(database, clock),
  codes: new EmailCodes(database, clock, secret, { perAddressPerHour: 1_000_000, globalPerHour: 1_000_000 }),
  throttles: {
    account: new LoginThrottle({ sql: database, clock, name: 'account', freeFailures: 1_000_000 }),
    device: new LoginThrottle({ sql: database, clock, name: 'device', freeFailures: 1_000_000 }),
    address: new LoginThrottle({ sql: database, clock, name: 'address', freeFailures: 1_000_000 }),
  },
  loadWalletInfo,
  tell: async () => {},
};

const password = 'the password of a bench';
const passwordHash = await hasher.hash(password, { known: 'bench' });
const [user] = await database.write<{ id: string }>(
  `insert into users (email, email_key, password_hash, display_name) values ($1, $1, $2, 'trader-bench') returning id`,
  ['bench@example.com', passwordHash],
);
const wallet = { id: randomUUID(), userId: user!.id, kind: 'personal' as const };
const { address, sealedKey } = await keys.createWallet({ userId: user!.id, walletId: wallet.id, password });
await insertWallet(database, { ...wallet, address, sealedKey });
await openBook(database, { userId: user!.id, walletId: wallet.id, kind: 'personal', name: 'Personal' });

const tokens = tokensForLoad(TOKENS);
const store = new MarketStore(database, nameFlagsOf, displayNames);
await store.storeTokens(tokens);
for (const batch of chunksOf(tradesForLoad(tokens, TRADES, WALLETS), 5_000))
  await store.storeTrades(batch, 'bench', {});
await refreshWindows(database);
await database.query('vacuum analyze');
const reads = new MarketReads({ database, store, riskOf: () => 'ok', lagMs: () => 0, clock, log });
await reads.start();

const server = await startBenchServer({
  ...accountHandlers(accounts),
  ...marketHandlers({
    database,
    store,
    reads,
    clock,
    solUsd: { now: () => null } as never,
    safety: { levelOf: () => 'ok' } as never,
    notices: {} as never,
    venue: {} as never,
    walletOf: async () => '',
    strategyWalletsAmong: (addresses) => loadStrategiesOfWallets(database, addresses),
    ownTrades: async () => ({ lists: [], nextCursor: null }),
    watchlistOf: async () => [],
    candleReadsPerSecond: 1_000_000,
  }),
});
process.stdout.write(`${JSON.stringify({ url: server.url, mint: tokens[0]!.mint })}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
