import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { loadWatchlist } from '../accounts/watchlist.ts';
import { ApiKeyDoor } from '../http/api-key-door.ts';
import { buildServer } from '../http/build-server.ts';
import { CallerReadLimit } from '../http/caller-read-limit.ts';
import { ChainReadLimit } from '../http/chain-read-limit.ts';
import type { Handlers } from '../http/handlers.ts';
import { Idempotency } from '../http/idempotency.ts';
import { limitMailedChanges } from '../http/limit-mailed-changes.ts';
import { limitReplays } from '../http/limit-replays.ts';
import { accountHandlers } from '../http/routes/accounts.ts';
import { alertHandlers } from '../http/routes/alerts.ts';
import { registerChainProxy } from '../http/routes/chain-proxy.ts';
import { explorerHandlers } from '../http/routes/explorer.ts';
import { registerLogoRoute } from '../http/routes/logo.ts';
import { marketHandlers } from '../http/routes/market.ts';
import { portfolioHandlers, registerExports } from '../http/routes/portfolio.ts';
import { reserveHandlers } from '../http/routes/reserves.ts';
import { strategyHandlers } from '../http/routes/strategies.ts';
import { serveMailboxPage, systemHandlers } from '../http/routes/system.ts';
import { tradingHandlers } from '../http/routes/trading.ts';
import { treasuryHandlers } from '../http/routes/treasury.ts';
import { triggerHandlers } from '../http/routes/triggers.ts';
import { walletFollowHandlers } from '../http/routes/wallet-follows.ts';
import { walletHandlers } from '../http/routes/wallets.ts';
import { serveWeb } from '../http/serve-web.ts';
import { loadPersonalWallet } from '../ledger/wallets.ts';
import { isRoundSwap } from '../trading/rounds/round-memo.ts';
import { requireToken } from '../market/token-facts.ts';
import { TraderBoard } from '../market/wallets/trader-board.ts';
import { loadOwnTrades } from '../portfolio/own-trades.ts';
import { loadStrategiesOfWallets } from '../portfolio/strategy-wallets.ts';
import { SharedRateLimit } from '../platform/shared-rate-limit.ts';
import { isOpenedSince } from '../trading/trade.ts';
import { addressRefused } from './address-refused.ts';
import type { Areas } from './areas.ts';
import type { Base } from './base.ts';
import { askEngines } from './commands.ts';
import { readinessOf } from './ops.ts';

const CLOSE_IDLE_MS = 100;

/** The HTTP API with its pages, not yet listening. */
export function createApi(base: Base, areas: Areas): FastifyInstance {
  const { config, clock, log, metrics, database, sessions, secret, keeper, processes } = base;
  const { market, trading } = areas;
  const idempotency = new Idempotency({
    database,
    bus: processes,
    clock,
    secret,
    isNewIntent: async (name, userId, request, since) =>
      name === 'tokenClose' && (await isOpenedSince(database, userId, request, since)),
    aloneSince: keeper ? undefined : new Date(clock.nowMs()),
  });
  const chainReadLimit = new ChainReadLimit(clock);
  const handlers = createHandlers(base, areas, chainReadLimit);
  const app = buildServer({
    local: config.local,
    handlers: keeper ? askEngines(handlers, { bus: processes, sql: database, clock }) : handlers,
    authenticate: (token) => sessions.authenticate(token),
    apiKeys: new ApiKeyDoor(database, clock),
    readiness: readinessOf(base, areas),
    isStopping: base.isStopping,
    idempotently: (name, caller, request, run) => idempotency.run(name, caller, request, run),
    clock,
    log,
    metrics,
    isOpsApart: config.OPS_PORT !== undefined,
    rateLimitPerSecond: config.RATE_LIMIT_PER_SECOND,
    limitsOver: keeper ? processes : undefined,
    trustProxy: config.TRUST_PROXY,
    publicOrigin: config.PUBLIC_ORIGIN,
  });
  if (config.local) serveMailboxPage(app, database);
  registerLogoRoute(app, market.logos);
  registerChainProxy(app, { rpcUrl: config.SOLANA_RPC_URL, limit: chainReadLimit, log });
  registerExports(app, trading, (token) => sessions.authenticate(token));
  return app;
}

/** Answers the port it listens on. */
export async function startApi(
  { config, clock, keeper, stops, stopAtOnce }: Pick<Base, 'config' | 'clock' | 'keeper' | 'stops' | 'stopAtOnce'>,
  { accounts }: Pick<Areas, 'accounts'>,
  app: FastifyInstance,
): Promise<number> {
  const webDirectory = config.WEB_DIR ?? fileURLToPath(new URL('../../../web/dist', import.meta.url));
  if (existsSync(join(webDirectory, 'index.html'))) await serveWeb(app, webDirectory);
  await accounts.hasher.ready().catch((error: Error) => stopAtOnce(error.message));
  // Several processes of one machine may listen on one port.
  const { HOST, PORT } = config;
  await app
    .listen({ port: PORT, host: HOST, ...(keeper ? { reusePort: true } : {}) })
    .catch(addressRefused(stopAtOnce, { HOST, PORT }));
  stops.push(async () => {
    const closing = app.close().then(() => 'closed');
    // Requests under way are answered; their connections, kept for the next request, would hold the process.
    while ((await Promise.race([closing, clock.pause(CLOSE_IDLE_MS)])) !== 'closed') app.server.closeIdleConnections();
  });
  const listening = app.server.address();
  return typeof listening === 'object' && listening !== null ? listening.port : config.PORT;
}

/** Of one account. */
const MAILED_CHANGES_PER_HOUR = 30;

export function createHandlers(base: Base, areas: Areas, chainReadLimit = new ChainReadLimit(base.clock)): Handlers {
  const { config, clock, log, database, rpc } = base;
  const { accounts, venue, market, treasury, trading, triggers, strategies, alerts, channels, walletFollows } = areas;
  const { withdrawals, withdrawalDeps, reserveKey, faucet } = treasury;
  const replays = { perSecond: Math.max(0.5, config.RATE_LIMIT_PER_SECOND / 50), atOnce: 1, waiting: 100 };
  const handlers = {
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
    ...treasuryHandlers({ accounts, deps: withdrawalDeps, withdrawals }),
    ...tradingHandlers(trading, { bookQuotesPerSecond: config.RATE_LIMIT_PER_SECOND / 50 }),
    ...portfolioHandlers(trading, strategies),
    ...triggerHandlers(triggers),
    ...strategyHandlers(strategies, trading.solUsd, areas.followKey),
    ...alertHandlers({
      database,
      alerts: alerts.alerts,
      prices: alerts.prices,
      channels,
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
      strategyWalletsAmong: (addresses) => loadStrategiesOfWallets(database, addresses),
      ownTrades: (userId, token, page) =>
        loadOwnTrades({ database, solUsdAt: (atMs) => market.solUsd.at(atMs) }, userId, token, page),
      watchlistOf: (userId) => loadWatchlist(database, userId),
      candleReadsPerSecond: config.RATE_LIMIT_PER_SECOND / 5,
    }),
    ...walletFollowHandlers(walletFollows),
    ...explorerHandlers({
      rpc,
      limit: chainReadLimit,
      tokens: market.store.tokens,
      isRoundSwap: (signature) => isRoundSwap(database, signature),
      log,
    }),
    ...walletHandlers({
      database,
      store: market.store,
      traders: new TraderBoard(database, clock),
      solUsd: market.solUsd,
      clock,
    }),
  };
  const mailed = { perSecond: MAILED_CHANGES_PER_HOUR / 3600, burst: MAILED_CHANGES_PER_HOUR };
  return limitMailedChanges(
    limitReplays(handlers, new CallerReadLimit(clock, replays)),
    new SharedRateLimit({ sql: database, clock, name: 'changes that are mailed', ...mailed }),
  );
}
