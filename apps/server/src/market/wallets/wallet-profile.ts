import type { CallReply } from '@hunter/contract/calls';
import { isProvenWallet } from '@hunter/domain/market/notice';
import type { Sql } from '../../platform/postgres.ts';
import { LAUNCH_COLUMNS, sinceLaunchOf, type LaunchRow } from '../reads/since-launch.ts';
import { logoUrlOf, printMicroUsd } from '../reads/token-views.ts';
import type { TokenDirectory, TokenRow } from '../token-directory.ts';
import { loadLastTrades, loadPeriodFigures, printFigures } from './trader-figures.ts';

type Reply = CallReply<'getWallet'>;
/** What the market knows of a wallet; who tracks it and which strategy it belongs to are others' to say. */
export type WalletProfile = Omit<Reply, 'labels' | 'trackedAs'> & { labels: Omit<Reply['labels'], 'strategy'> };

const LAUNCHED_MAX = 20;

export async function loadWalletProfile(
  sql: Sql,
  tokens: TokenDirectory,
  address: string,
  nowMs: number,
): Promise<WalletProfile> {
  const [{ '7d': week, '30d': month, all }, lastTrades, firstSeen] = await Promise.all([
    loadPeriodFigures(sql, address, nowMs),
    loadLastTrades(sql, [address]),
    loadFirstSeen(sql, address),
  ]);
  const launched = [...tokens.ofCreator(address)]
    .map((id) => tokens.byId(id)!)
    .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  const fates = await loadFates(
    sql,
    launched.slice(0, LAUNCHED_MAX).map(({ id }) => id),
  );
  const pool = tokens.ofPool(address);
  return {
    address,
    firstSeen,
    lastTrade: lastTrades.get(address) ?? null,
    periods: { '7d': printFigures(week), '30d': printFigures(month), all: printFigures(all) },
    labels: {
      pool: pool ? tokenRef(pool) : null,
      smartMoney: isProvenWallet({ closedTrips: all.closed, wonTrips: all.won, realizedLamports: all.realized }),
      launched: {
        total: launched.length,
        lists: launched.slice(0, LAUNCHED_MAX).map((token) => ({
          ...tokenRef(token),
          createdAt: token.createdAt.getTime(),
          ...(fates.get(token.id) ?? { marketCap: null, sinceLaunch: null }),
        })),
      },
    },
  };
}

export function tokenRef({ mint, symbol }: Pick<TokenRow, 'mint' | 'symbol'>) {
  return { tokenContractAddress: mint, tokenSymbol: symbol, tokenLogoUrl: logoUrlOf(mint) };
}

type Fate = { marketCap: string | null; sinceLaunch: string | null };

async function loadFates(sql: Sql, tokenIds: readonly number[]): Promise<Map<number, Fate>> {
  if (tokenIds.length === 0) return new Map();
  const rows = await sql.query<LaunchRow & { id: number; marketCap: bigint }>(
    `select t.id, t.created_at as "createdAt", s.price_usd as "priceUsd", s.market_cap_usd as "marketCap", ${LAUNCH_COLUMNS}
     from token t join token_stats s on s.token_id = t.id where t.id = any($1::int[])`,
    [tokenIds],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      { marketCap: row.priceUsd === 0n ? null : printMicroUsd(row.marketCap), sinceLaunch: sinceLaunchOf(row) },
    ]),
  );
}

async function loadFirstSeen(sql: Sql, address: string): Promise<number | null> {
  const rows = await sql.query<{ at: Date | null }>(`select first_at as at from trader where address = $1`, [address]);
  return rows[0]?.at?.getTime() ?? null;
}
