import type { Address } from '@hunter/solana/address';
import { printDecimal } from '@hunter/domain/numbers/decimal';
import type { Accounts } from '../accounts/accounts.ts';
import { EmailCodes } from '../accounts/email-codes.ts';
import { requireNotFrozen } from '../accounts/freeze.ts';
import { LoginThrottle } from '../accounts/login-throttle.ts';
import { PasswordHasher } from '../accounts/password-hash.ts';
import { keepOpen } from '../accounts/sessions.ts';
import { loadRecipient } from '../accounts/settings.ts';
import { SignerWalletKeys } from '../accounts/signer-wallet-keys.ts';
import { createTellUser } from '../accounts/tell-user.ts';
import { AlertChannels } from '../alerts/alert-channels.ts';
import { createMarket } from '../market/market.ts';
import { isPool } from '../market/is-pool.ts';
import { isMint } from '../ledger/journal.ts';
import { loadTokenSymbols } from '../market/token-symbols.ts';
import type { WalletPart } from '../ledger/wallet-part.ts';
import { Database, type Sql } from '../platform/postgres.ts';
import { loadWorth } from '../portfolio/account-value.ts';
import { createAlerts } from '../portfolio/create-alerts.ts';
import { loadUnrecorded } from '../portfolio/unrecorded-events.ts';
import { placeInStrategy } from '../strategies/copying/place-strategy-round.ts';
import { loadFollowersInput } from '../strategies/copying/round-parts.ts';
import { createStrategies } from '../strategies/create-strategies.ts';
import type { LaneOwners } from '../strategies/strategy-lanes.ts';
import { createTrading } from '../trading/create-trading.ts';
import { placeInBook } from '../trading/trade.ts';
import { BalancePushes } from '../treasury/balance-pushes.ts';
import { DepositWatch } from '../treasury/deposit-watch.ts';
import { Faucet } from '../treasury/faucet.ts';
import { countUnreadable } from '../treasury/odd-arrivals.ts';
import { createOutflowAlarm } from '../treasury/outflow-alarm.ts';
import { RESERVE_KEY } from '../treasury/reserves/reserve-loop.ts';
import { loadWalletsInTransfer } from '../treasury/transfers/transfer-store.ts';
import { TransferSignerClient } from '../treasury/transfers/transfer-signer.ts';
import { Transfers } from '../treasury/transfers/transfers.ts';
import type { TokenSymbols } from '../treasury/wallet-movements.ts';
import { loadWalletInfo, type WalletInfo } from '../treasury/wallet-info.ts';
import { loadAccountsBetween } from '../treasury/watched-addresses.ts';
import { WithdrawalSignerClient } from '../treasury/withdrawal-signer.ts';
import { Withdrawals } from '../treasury/withdrawals.ts';
import { createTriggers } from '../triggers/create-triggers.ts';
import { LocalVenue } from '../venue/local-venue.ts';
import { loadCopiedWallets, type WalletFollows } from '../wallet-follows/wallet-follow.ts';
import type { Base } from './base.ts';

// The areas, put together but not started: every role has all of them and starts what is its own.

/** More than are used to settle at once, so that firing finds one. Made when they are first needed. */
const TRIGGER_CONNECTIONS = 6;

export type AreaDeps = Base & {
  /** Which lanes of strategies are this process's; without it, all. */
  laneOwners?: LaneOwners | undefined;
};

export type Areas = ReturnType<typeof createAreas>;

export function createAreas(deps: AreaDeps) {
  const { config, database, rpc, subscriptions, secret, bus, clock, log } = deps;
  const venue = new LocalVenue({ url: config.VENUE_URL, apiKey: config.VENUE_API_KEY, clock });
  const market = createMarket({
    database,
    indexing: deps.ownership.databaseOf('indexer'),
    rpc,
    subscriptions,
    venue,
    bus,
    processes: deps.processes,
    clock,
    log,
  });
  /** Tokens are priced by trading, which is made after those who ask. */
  const walletInfoOf = (sql: Sql, userId: string): Promise<WalletInfo> =>
    loadWalletInfo(sql, userId, (of) => loadWorth({ database: sql, pools: areas.trading.pools }, of));
  const tell = createTellUser({
    secret,
    clock,
    origin: config.PUBLIC_ORIGIN ?? `http://localhost:${config.PORT}`,
  });
  const symbols: TokenSymbols = (assets) => loadTokenSymbols(database, assets.filter(isMint));
  const accounts = createAccounts(deps, { loadWalletInfo: walletInfoOf, tell });
  const treasury = createTreasury(deps, { walletInfoOf, symbols, tell });
  const followKey = (leafId: string) => secret.mac('allocation', leafId);
  const trading = tradingOf(deps, {
    venue,
    followKey,
    requireNotFrozen,
    balanceChanged: (userId) => treasury.balances.changed(userId),
    solUsd: () => {
      const now = market.solUsd.now();
      return now === null ? null : printDecimal(now.usdMicro, 6);
    },
    placeInStrategy: (order) => placeInStrategy(areas.strategies, order),
    followersInput: (order) => loadFollowersInput(areas.strategies, order),
    orderSettled: (orders) => {
      if (deps.ownership.owns('triggers')) areas.triggers.ordersSettled(orders);
    },
  });
  const triggerDatabase = new Database(config.DATABASE_URL, log, { maxConnections: TRIGGER_CONNECTIONS });
  deps.stops.push(() => triggerDatabase.close());
  const triggers = createTriggers({
    trading,
    ownDatabase: triggerDatabase,
    store: market.store,
    solUsd: market.solUsd,
    lease: () => deps.ownership.leaseOf('triggers'),
    requireNotFrozen,
    bus,
    log,
  });
  const strategies = createStrategies({
    trading,
    store: market.store,
    transfers: treasury.transfers,
    createWallet: (owner) => deps.signer.createStrategyWallet(owner),
    clock,
    bus,
    log,
    laneOwners: deps.laneOwners,
    coinFacts: (mint) => market.safety.copyFactsOf(mint),
    referencePrice: (mint, linkedWallets) => market.references.of(mint, linkedWallets),
    referenceToBuy: (mint, linkedWallets) => market.references.toBuy(mint, linkedWallets),
    copiedWallets: loadCopiedWallets,
    boughtLately: (mint, wallets) => market.references.boughtLately(mint, wallets),
    loadUnrecorded,
    balanceChanged: (userId) => treasury.balances.changed(userId),
    creatorBought: async (mint, detail) => void (await market.notices.raise(mint, 'creator-buy', detail)),
  });
  const channels = new AlertChannels({
    database,
    secret,
    recipientOf: loadRecipient,
    tell,
    keepOpen,
    push: { hosts: config.PUSH_HOSTS.split(','), loopback: config.local, contact: config.PUSH_CONTACT },
    telegram: config.TELEGRAM_BOT_TOKEN ? { url: config.TELEGRAM_API_URL, token: config.TELEGRAM_BOT_TOKEN } : null,
    clock,
    log,
  });
  const alerts = createAlerts({
    database,
    bus,
    senders: channels.senders,
    tokens: trading.tokens,
    symbols,
    onTrades: (listener) => market.store.onTrades(listener),
    clock,
    log,
  });
  const walletFollows: WalletFollows = {
    database,
    rpc,
    pools: strategies.pools,
    tokens: trading.tokens,
    coinFacts: async (mint, wallets) => {
      const [facts, reference] = await Promise.all([
        strategies.coinFacts(mint),
        strategies.referenceToBuy(mint, wallets),
      ]);
      return { ...facts, reference };
    },
    place: (order, kind) => placeInBook(trading, { kind }, order),
    clock,
    log,
    balanceChanged: (userId) => treasury.balances.changed(userId),
  };
  const areas = {
    accounts,
    venue,
    market,
    treasury,
    trading,
    triggers,
    strategies,
    alerts,
    channels,
    walletFollows,
    followKey,
  };
  return areas;
}

function createAccounts(
  { config, database, clock, log, secret, signer, sessions }: Base,
  { loadWalletInfo, tell }: Pick<Accounts, 'loadWalletInfo' | 'tell'>,
): Accounts {
  // On one machine everybody comes from one address, so local mode does not limit by it.
  const codeLimits = config.local
    ? { perAddressPerHour: 100_000, globalPerHour: 1_000_000 }
    : { perAddressPerHour: 30, globalPerHour: 10_000 };
  return {
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
      account: new LoginThrottle({ sql: database, clock, name: 'account' }),
      device: new LoginThrottle({ sql: database, clock, name: 'device' }),
      address: new LoginThrottle({ sql: database, clock, name: 'address', freeFailures: config.local ? 1000 : 20 }),
    },
    loadWalletInfo,
    tell,
  };
}

function createTreasury(
  { database, rpc, subscriptions, signer, secret, metrics, bus, clock, log }: Base,
  deps: {
    walletInfoOf: (sql: Sql, userId: string) => Promise<WalletInfo>;
    symbols: TokenSymbols;
    tell: Accounts['tell'];
  },
) {
  const { symbols, tell } = deps;
  const alarm = createOutflowAlarm(metrics.registry, log);
  const balances = new BalancePushes(database, bus, clock, log, deps.walletInfoOf);
  const withdrawalDeps = {
    database,
    rpc,
    signer: new WithdrawalSignerClient(database, signer),
    balances,
    symbols,
    isPool: (address: Address) => isPool(database, address),
    tell,
    clock,
    log,
  };
  return {
    faucet: new Faucet(database, rpc),
    balances,
    /** Watches a part of the wallets; what it writes goes to `on`. */
    deposits: (on: Database, part: WalletPart) =>
      new DepositWatch({ database: on, rpc, subscriptions, symbols, bus, balances, alarm, tell, clock, log }, part),
    withdrawalDeps,
    withdrawals: new Withdrawals(withdrawalDeps),
    transfers: new Transfers({
      database,
      rpc,
      signer: new TransferSignerClient(database, signer),
      balances,
      clock,
      log,
    }),
    reserveKey: (bookId: string) => secret.mac(RESERVE_KEY, bookId),
  };
}

type TradingDeps = Parameters<typeof createTrading>[0];

function tradingOf(
  { database, rpc, subscriptions, signer, bus, log, metrics }: Base,
  deps: Pick<
    TradingDeps,
    | 'venue'
    | 'followKey'
    | 'requireNotFrozen'
    | 'balanceChanged'
    | 'solUsd'
    | 'placeInStrategy'
    | 'followersInput'
    | 'orderSettled'
  >,
) {
  return createTrading({
    database,
    rpc,
    subscriptions,
    signer,
    bus,
    log,
    unexplained: (lamports, differences) => {
      metrics.unexplainedLamports.set(Number(lamports));
      metrics.unexplainedDifferences.set(differences);
      countUnreadable(database).then(
        (count) => metrics.unreadableTransactions.set(count),
        () => {},
      );
    },
    inTransfer: loadWalletsInTransfer,
    accountsBetween: loadAccountsBetween,
    ...deps,
  });
}
