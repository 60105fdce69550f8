import { printDecimal } from '@hunter/domain/decimal';
import { RpcClient } from '@hunter/solana/rpc-client';
import { RpcSubscriptions } from '@hunter/solana/rpc-subscriptions';
import { SignerClient } from '@hunter/signer-client/signer-client';
import { address } from '@hunter/solana/address';
import { fileURLToPath } from 'node:url';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Accounts } from './accounts/accounts.ts';
import { emailKey } from './accounts/email-key.ts';
import { ACCOUNT_FROZEN_TOPIC, type AccountFrozen } from './accounts/freeze.ts';
import { EmailCodes } from './accounts/email-codes.ts';
import { loadRecipient } from './accounts/settings.ts';
import { LoginThrottle } from './accounts/login-throttle.ts';
import { removeOldLinks } from './accounts/mail-links.ts';
import { PasswordHasher } from './accounts/password-hash.ts';
import { Sessions } from './accounts/sessions.ts';
import { createTellUser } from './accounts/tell-user.ts';
import { SignerWalletKeys } from './accounts/signer-wallet-keys.ts';
import { mailSender } from './alerts/mail-sender.ts';
import { loadPersonalWallet, WALLET_CREATED_TOPIC, type WalletCreated } from './ledger/wallets.ts';
import { readConfig } from './config.ts';
import { buildServer } from './http/build-server.ts';
import { ChainReadLimit } from './http/chain-read-limit.ts';
import { Idempotency } from './http/idempotency.ts';
import { createMetrics } from './http/metrics.ts';
import { accountHandlers } from './http/routes/accounts.ts';
import { alertHandlers } from './http/routes/alerts.ts';
import { explorerHandlers } from './http/routes/explorer.ts';
import { registerChainProxy } from './http/routes/chain-proxy.ts';
import { registerLogoRoute } from './http/routes/logo.ts';
import { marketHandlers } from './http/routes/market.ts';
import { strategyHandlers } from './http/routes/strategies.ts';
import { serveMailboxPage, systemHandlers } from './http/routes/system.ts';
import { portfolioHandlers, registerExports } from './http/routes/portfolio.ts';
import { tradingHandlers } from './http/routes/trading.ts';
import { triggerHandlers } from './http/routes/triggers.ts';
import { reserveHandlers } from './http/routes/reserves.ts';
import { treasuryHandlers } from './http/routes/treasury.ts';
import { walletFollowHandlers } from './http/routes/wallet-follows.ts';
import { walletHandlers } from './http/routes/wallets.ts';
import { serveWeb } from './http/serve-web.ts';
import { loadWatchlist } from './accounts/watchlist.ts';
import { createMarket } from './market/market.ts';
import { TraderBoard } from './market/wallets/trader-board.ts';
import { systemClock as clock } from './platform/clock.ts';
import { refuseForeignChain } from './platform/foreign-chain.ts';
import { LiveBus } from './platform/live-bus.ts';
import { createLog } from './platform/log.ts';
import { Loop } from './platform/loop.ts';
import { deliverOverSmtp, mailHandler, MAIL_TOPIC, type DeliverMail } from './platform/mail.ts';
import { putIntoMailbox } from './platform/mailbox.ts';
import { migrate } from './platform/migrate.ts';
import { OutboxWorker, type OutboxHandler } from './platform/outbox.ts';
import { exitWithParent } from './platform/parent-process.ts';
import { Database, type Sql } from './platform/postgres.ts';
import { SecondServerError, ServerLease } from './platform/server-lease.ts';
import { loadServerSecret } from './platform/server-secret.ts';
import { StreamServer } from './stream/stream-server.ts';
import { createTrading } from './trading/create-trading.ts';
import { placeInBook } from './trading/trade.ts';
import { createTriggers } from './triggers/create-triggers.ts';
import { BalancePushes } from './treasury/balance-pushes.ts';
import { DepositWatch } from './treasury/deposit-watch.ts';
import { placeInStrategy } from './strategies/copying/place-strategy-round.ts';
import { onFills, onFillsUndone } from './strategies/copying/on-fills.ts';
import { onTransferSettled } from './strategies/on-transfer-settled.ts';
import { createStrategies } from './strategies/create-strategies.ts';
import { keepRecord } from './strategies/performance/keep-record.ts';
import { loadCommitted } from './portfolio/account-value.ts';
import { EQUITY_EVERY_MS, recordEquityPoints, thinEquityPoints } from './portfolio/equity-points.ts';
import { createAlerts } from './portfolio/create-alerts.ts';
import { loadUnrecorded } from './portfolio/unrecorded-events.ts';
import { FILLS_TOPIC, UNDONE_TOPIC, type FillsRecorded, type FillsUndone } from './trading/order-events.ts';
import { Faucet } from './treasury/faucet.ts';
import { createOutflowAlarm } from './treasury/outflow-alarm.ts';
import { requireToken } from './market/token-facts.ts';
import { loadTokenSymbols } from './market/token-symbols.ts';
import { loadWalletInfo, type WalletInfo } from './treasury/wallet-info.ts';
import { WalletFollowLoop } from './wallet-follows/copy-trades.ts';
import type { WalletFollows } from './wallet-follows/wallet-follow.ts';
import { WithdrawalSignerClient } from './treasury/withdrawal-signer.ts';
import { Withdrawals } from './treasury/withdrawals.ts';
import {
  COMMITS_FINAL_TOPIC,
  TRANSFER_SETTLED_TOPIC,
  type CommitsFinal,
  type TransferSettled,
} from './treasury/transfers/transfer.ts';
import { loadWalletsInTransfer } from './treasury/transfers/transfer-store.ts';
import { RESERVE_KEY, reserveLoop } from './treasury/reserves/reserve-loop.ts';
import { countUnreadable } from './treasury/odd-arrivals.ts';
import { loadAccountsOf } from './treasury/watched-addresses.ts';
import { TransferSignerClient } from './treasury/transfers/transfer-signer.ts';
import { Transfers } from './treasury/transfers/transfers.ts';
import { LocalVenue } from './venue/local-venue.ts';

// The composition root: everything is made here, in the order of need, and stopped in the opposite order.

const CLEAN_MS = 10 * 60_000;
const RECORD_MS = 15_000;
const STOP_MS = 20_000;

const config = readConfig(process.env);
const log = createLog(config.LOG_LEVEL);
const metrics = createMetrics();
const stops: (() => Promise<void> | void)[] = [];

const serverLease = new ServerLease({
  databaseUrl: config.DATABASE_URL,
  clock,
  log,
  onLost: () => stopAtOnce('another server has taken over this database while this one was paused; stopping at once'),
});
// A running server must not have its schema changed under it, so the lease comes before the migrations, except on a
// database that is older than the table of leases.
if (!(await serverLease.isPossible())) await migrate(config.DATABASE_URL);
const lease = await serverLease.take().catch((error: Error) => {
  if (error instanceof SecondServerError) stopAtOnce(error.message);
  throw error;
});
stops.push(() => serverLease.release());
await migrate(config.DATABASE_URL);
const database = new Database(config.DATABASE_URL, log);
stops.push(() => database.close());
const secret = loadServerSecret(config.DATA_DIR);
const signer = new SignerClient({ socketPath: config.SIGNER_SOCKET, token: config.SIGNER_TOKEN });
stops.push(() => signer.close());
const rpc = new RpcClient({ url: config.SOLANA_RPC_URL });
stops.push(() => rpc.close());
await refuseForeignChain({ rpc, clock, refuse: stopAtOnce });

// Accounts.
const sessions = new Sessions(database, clock);
// On one machine everybody comes from one address, so local mode does not limit by it.
const codeLimits = config.local
  ? { perAddressPerHour: 100_000, globalPerHour: 1_000_000 }
  : { perAddressPerHour: 30, globalPerHour: 10_000 };
const tell = createTellUser({
  secret,
  clock,
  origin: config.PUBLIC_ORIGIN ?? `http://localhost:${config.PORT}`,
});
const accounts: Accounts = {
  local: config.local,
  database,
  clock,
  log,
  secret,
  keys: new SignerWalletKeys(signer),
  hasher: new PasswordHasher(),
  sessions,
  codes: new EmailCodes(database, clock, secret, codeLimits),
  throttles: {
    account: new LoginThrottle(clock),
    device: new LoginThrottle(clock),
    address: new LoginThrottle(clock, config.local ? 1000 : 20),
  },
  loadWalletInfo: walletInfoOf,
  tell,
};

// Live values.
const bus = new LiveBus();
const subscriptions = new RpcSubscriptions({
  url: config.SOLANA_WS_URL,
  onError: (error) => log.warn({ error: String(error) }, 'a chain subscription failed'),
});
stops.push(() => subscriptions.close());

// Market.
const venue = new LocalVenue({ url: config.VENUE_URL, apiKey: config.VENUE_API_KEY, clock });
const market = createMarket({
  database,
  rpc,
  subscriptions,
  venue,
  bus,
  clock,
  log,
  isFollowed: (channel, key) => stream.isFollowed(channel, key),
});

// Treasury.
const faucet = new Faucet(database, rpc);
const balances = new BalancePushes(database, bus, clock, log, walletInfoOf);
const symbols = (mints: readonly string[]) => loadTokenSymbols(database, mints);
const deposits = new DepositWatch({
  database,
  rpc,
  subscriptions,
  symbols,
  bus,
  balances,
  alarm: createOutflowAlarm(metrics.registry, log),
  tell,
  clock,
  log,
});
const withdrawalDeps = {
  database,
  rpc,
  signer: new WithdrawalSignerClient(database, signer),
  balances,
  symbols,
  tell,
  clock,
  log,
};
const withdrawals = new Withdrawals(withdrawalDeps);
const transfers = new Transfers({
  database,
  rpc,
  signer: new TransferSignerClient(database, signer),
  balances,
  clock,
  log,
});

// Trading.
const followKey = (leafId: string) => secret.mac('allocation', leafId);
const reserveKey = (bookId: string) => secret.mac(RESERVE_KEY, bookId);
const reserves = reserveLoop({ database, rpc, bookKey: reserveKey }, { clock, log });
const trading = createTrading({
  database,
  rpc,
  subscriptions,
  signer,
  venue,
  bus,
  log,
  balanceChanged: (userId) => balances.changed(userId),
  unexplained: (lamports, differences) => {
    metrics.unexplainedLamports.set(Number(lamports));
    metrics.unexplainedDifferences.set(differences);
    countUnreadable(database).then(
      (count) => metrics.unreadableTransactions.set(count),
      () => {},
    );
  },
  inTransfer: loadWalletsInTransfer,
  accountsOf: loadAccountsOf,
  solUsd: () => {
    const now = market.solUsd.now();
    return now === null ? null : printDecimal(now.usdMicro, 6);
  },
  placeInStrategy: (order) => placeInStrategy(strategies, order),
  followKey,
  orderSettled: (orders) => triggers.ordersSettled(orders),
});

// Orders that wait.
const triggers = createTriggers({
  trading,
  store: market.store,
  solUsdMicro: () => market.solUsd.now()?.usdMicro ?? null,
  lease: () => lease,
  bus,
  log,
});

// Strategies.
const strategies = createStrategies({
  trading,
  transfers,
  createWallet: (owner) => signer.createStrategyWallet(owner),
  clock,
  bus,
  log,
  coinFacts: async (mint, linkedWallets) => ({
    ...(await market.safety.copyFactsOf(mint)),
    reference: await market.references.of(mint, linkedWallets),
  }),
  loadUnrecorded,
  balanceChanged: (userId) => balances.changed(userId),
  creatorBought: async (mint, detail) => void (await market.notices.raise(mint, 'creator-buy', detail)),
});

// Alerts.
const told = createAlerts({
  database,
  bus,
  senders: { mail: mailSender(secret, loadRecipient) },
  tokens: trading.tokens,
  symbols,
  onTrades: (listener) => market.store.onTrades(listener),
  clock,
  log,
});

// Following wallets on chain.
const walletFollows: WalletFollows = {
  database,
  rpc,
  pools: strategies.pools,
  tokens: trading.tokens,
  coinFacts: strategies.coinFacts,
  place: (order, kind) => placeInBook(trading, { kind }, order),
  clock,
  log,
  balanceChanged: (userId) => balances.changed(userId),
};
const walletFollowLoop = new WalletFollowLoop(walletFollows);

// Effects that leave the database.
const deliverMail: DeliverMail[] = [];
if (config.local) deliverMail.push((mail) => putIntoMailbox(database, emailKey(mail.to), mail));
if (config.SMTP_URL) {
  const smtp = deliverOverSmtp(config.SMTP_URL, config.MAIL_FROM);
  deliverMail.push(smtp.deliver);
  stops.push(smtp.close);
}
const outboxHandlers: Record<string, OutboxHandler> = {
  [MAIL_TOPIC]: mailHandler(secret, deliverMail),
  [WALLET_CREATED_TOPIC]: async (wallet: WalletCreated) => {
    await deposits.add(address(wallet.address));
    if (config.local && wallet.kind !== 'strategy') await faucet.welcome(address(wallet.address));
  },
  [ACCOUNT_FROZEN_TOPIC]: ({ userId }: AccountFrozen) => withdrawals.cancelHeld(userId),
  [COMMITS_FINAL_TOPIC]: ({ signatures }: CommitsFinal) => signer.commitsFinal(signatures),
  [TRANSFER_SETTLED_TOPIC]: (settled: TransferSettled) => onTransferSettled(strategies, settled),
  [FILLS_TOPIC]: (fills: FillsRecorded) => onFills(strategies, fills),
  [UNDONE_TOPIC]: (undone: FillsUndone) => onFillsUndone(strategies, undone),
  ...told.topics,
};
const outbox = new OutboxWorker({ database, clock, log, handlers: outboxHandlers });
metrics.watchFailedOutbox(() => outbox.countFailed());
outbox.start();
stops.push(() => outbox.stop());

// HTTP.
const idempotency = new Idempotency({ database, clock, secret });
const chainReadLimit = new ChainReadLimit(clock);
const app = buildServer({
  local: config.local,
  handlers: {
    ...systemHandlers({
      database,
      local: config.local,
      chainId: config.CHAIN_ID,
      simulatedMarket: config.local && config.MARKET_SOURCE === 'chain',
      explorerUrl: config.local ? null : config.EXPLORER_URL,
      faucet,
    }),
    ...accountHandlers(accounts),
    ...reserveHandlers({ database, tokens: trading.tokens, bookKey: reserveKey }),
    ...treasuryHandlers({ deps: withdrawalDeps, withdrawals }),
    ...tradingHandlers(trading),
    ...portfolioHandlers(trading, strategies),
    ...triggerHandlers(triggers),
    ...strategyHandlers(strategies, trading.solUsd, followKey),
    ...alertHandlers({
      database,
      alerts: told.alerts,
      symbolOf: async (mint) => (await requireToken(trading.tokens, mint)).symbol,
    }),
    ...marketHandlers({
      database,
      store: market.store,
      reads: market.reads,
      solUsd: market.solUsd,
      safety: market.safety,
      notices: market.notices,
      venue,
      clock,
      walletOf: async (userId) => (await loadPersonalWallet(database, userId)).address,
      watchlistOf: (userId) => loadWatchlist(database, userId),
    }),
    ...walletFollowHandlers(walletFollows),
    ...explorerHandlers({ rpc, limit: chainReadLimit, tokens: market.store.tokens, log }),
    ...walletHandlers({
      database,
      store: market.store,
      traders: new TraderBoard(database, clock),
      solUsd: market.solUsd,
      clock,
    }),
  },
  authenticate: (token) => sessions.authenticate(token),
  readiness: async () => ({
    database: await isOk(() => database.query('select 1')),
    chain: await isOk(() => rpc.getSlot()),
    signer: await isOk(() => signer.status()),
    market: marketReadiness(market.source.lagMs()),
  }),
  idempotently: (name, caller, request, run) => idempotency.run(name, caller, request, run),
  clock,
  log,
  metrics,
  rateLimitPerSecond: config.RATE_LIMIT_PER_SECOND,
  trustProxy: config.TRUST_PROXY,
  publicOrigin: config.PUBLIC_ORIGIN,
});
if (config.local) serveMailboxPage(app, database);
registerLogoRoute(app, market.logos);
registerChainProxy(app, { rpcUrl: config.SOLANA_RPC_URL, limit: chainReadLimit, log });
registerExports(app, trading, (token) => sessions.authenticate(token));
const stream = new StreamServer({
  server: app.server,
  bus,
  authenticate: (token) => sessions.authenticate(token),
  onSessionEnd: (listener) => sessions.onEnd(listener),
  local: config.local,
  publicOrigin: config.PUBLIC_ORIGIN,
  clock,
  log,
});
stream.start();
stops.push(() => stream.stop());
await deposits.start();
stops.push(() => deposits.stop());
withdrawals.start();
stops.push(() => withdrawals.stop());
stops.push(subscriptions.slot(() => transfers.slotSeen()));
transfers.start();
stops.push(() => transfers.stop());
await market.start();
stops.push(() => market.stop());
stops.push(market.store.onTrades((trades) => walletFollowLoop.traded(trades.map(({ wallet }) => wallet))));
walletFollowLoop.start();
stops.push(() => walletFollowLoop.stop());
trading.start();
stops.push(() => trading.stop());
await triggers.start();
stops.push(() => triggers.stop());
reserves.start();
stops.push(() => reserves.stop());
strategies.start();
stops.push(() => strategies.stop());
told.start();
stops.push(() => told.stop());
const record = new Loop({
  name: 'strategy record pass',
  work: () => keepRecord({ ...strategies, pricesAt: (mint, linked, atMs) => market.references.at(mint, linked, atMs) }),
  everyMs: RECORD_MS,
  firstAfterMs: RECORD_MS,
  clock,
  log,
});
record.start();
stops.push(() => record.stop());
const equityPoints = new Loop({
  name: 'recording of equity points',
  work: () => recordEquityPoints(trading),
  everyMs: EQUITY_EVERY_MS / 5,
  firstAfterMs: EQUITY_EVERY_MS / 10,
  clock,
  log,
});
equityPoints.start();
stops.push(() => equityPoints.stop());
const webDirectory = config.WEB_DIR ?? fileURLToPath(new URL('../../web/dist', import.meta.url));
if (existsSync(join(webDirectory, 'index.html'))) await serveWeb(app, webDirectory);
await accounts.hasher.ready().catch((error: Error) => stopAtOnce(error.message));
await app.listen({ port: config.PORT, host: config.HOST });
stops.push(() => app.close());

const cleaning = new Loop({
  name: 'removal of expired rows',
  work: async () => {
    await sessions.removeExpired();
    await accounts.codes.removeExpired();
    await removeOldLinks(database, new Date(clock.nowMs()));
    await idempotency.removeOld();
    await outbox.removeOld();
    await told.alerts.removeOld();
    await thinEquityPoints(database, clock.nowMs());
  },
  everyMs: CLEAN_MS,
  firstAfterMs: CLEAN_MS,
  clock,
  log,
});
cleaning.start();
stops.push(() => cleaning.stop());

const listening = app.server.address();
const port = typeof listening === 'object' && listening !== null ? listening.port : config.PORT;
process.stdout.write(`${JSON.stringify({ ready: true, web: `http://localhost:${port}` })}\n`);

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  // Whatever hangs must not keep the process: everything that matters is in the database.
  void clock
    .pause(STOP_MS)
    .then(() => stopAtOnce('stopping took too long; the next start carries on from the database'));
  for (const one of stops.reverse()) await one();
  process.exit(0);
}
process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());
exitWithParent(() => void stop());

/** What is in strategies and follows is priced by trading, which is made after those who ask. */
function walletInfoOf(sql: Sql, userId: string): Promise<WalletInfo> {
  return loadWalletInfo(sql, userId, (of) => loadCommitted({ database: sql, pools: trading.pools }, of));
}

function stopAtOnce(reason: string): never {
  log.fatal(reason);
  process.exit(1);
}

/** Stale candles look like a calm market; past this age they must not pass for one. */
function marketReadiness(lagMs: number | null): { ok: boolean; detail?: string } {
  if (lagMs === null) return { ok: false, detail: 'the market is being read for the first time' };
  return lagMs < 30_000 ? { ok: true } : { ok: false, detail: `the market is ${Math.round(lagMs / 1000)} seconds old` };
}

async function isOk(ask: () => Promise<unknown>): Promise<{ ok: boolean; detail?: string }> {
  try {
    await ask();
    return { ok: true };
  } catch (error) {
    return { ok: false, detail: (error as Error).message };
  }
}
