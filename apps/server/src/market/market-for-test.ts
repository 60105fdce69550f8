import type { Plain } from '@hunter/domain/plain-for-test';
import { createLog } from '../platform/log.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/postgres.ts';
import { useTestDatabase } from '../platform/postgres-for-test.ts';
import type { MarketToken, MarketTrade } from './market-source.ts';
import { MarketStore } from './market-store.ts';
import { displayNames, nameFlagsOf } from './name-flags.ts';
import { TokenBoard } from './reads/token-board.ts';

/** A database for the tests of one file. */
export function aMarketDatabase(): { readonly database: Database; emptyStore: () => Promise<MarketStore> } {
  let database: Database;
  useTestDatabase((opened) => {
    database = opened;
  });
  return {
    get database() {
      return database;
    },
    emptyStore: () => emptyMarket(database),
  };
}

export async function emptyMarket(database: Database): Promise<MarketStore> {
  await database.write(
    `truncate notice, holder_history, insider, token_safety, sol_price, trade, candle_1m, candle_1h, holder, trader_stats, trader_day,
       token_stats, token, trader, market_cursor restart identity cascade`,
  );
  return new MarketStore(database, nameFlagsOf, displayNames);
}

/** The lists as the store has them now. */
export async function aLoadedBoard(
  database: Database,
  store: MarketStore,
  { clock = systemClock, lagMs = 0 }: { clock?: Clock; lagMs?: number | null } = {},
): Promise<TokenBoard> {
  const log = createLog('silent');
  const board = new TokenBoard({
    sql: database,
    search: store.tokens.search,
    riskOf: () => 'ok',
    lagMs: () => lagMs,
    clock,
    log,
  });
  await board.load();
  return board;
}

export function aToken(overrides: Partial<Plain<MarketToken>> = {}): MarketToken {
  const token: Plain<MarketToken> = {
    mint: 'MintA',
    name: 'Frog',
    symbol: 'FROG',
    decimals: 6,
    tokenProgram: 'Token',
    logoUrl: null,
    creator: null,
    pool: 'PoolA',
    supply: 1_000_000_000_000_000n,
    createdAtMs: 1_700_000_000_000,
    curveLamports: null,
    curvePool: null,
    graduatedAtMs: null,
    links: null,
    ...overrides,
  };
  return token as MarketToken;
}

export const START_MS = 1_790_000_000_000;

export function aTrade(overrides: Partial<Plain<MarketTrade>> = {}): MarketTrade {
  const trade: Plain<MarketTrade> = {
    mint: 'MintA',
    seq: 1n,
    atMs: START_MS,
    isBuy: true,
    lamports: 1_000_000_000n,
    baseUnits: 5_000_000n,
    arrivedUnits: overrides.baseUnits ?? 5_000_000n,
    wallet: 'W1',
    signature: `S${overrides.seq ?? 1n}`,
    walletUnitsAfter: null,
    poolLamportsAfter: 50_000_000_000n,
    poolUnitsAfter: 900_000_000_000n,
    feeLamports: 10_000n,
    solUsdMicro: 150_000_000n,
    ...overrides,
  };
  return trade as MarketTrade;
}
