import type { CallReply } from '@hunter/contract/calls';
import { printDecimal, printPercentOf } from '@hunter/domain/decimal';
import type { Sql } from '../../platform/postgres.ts';
import type { TokenRow } from '../token-directory.ts';

/** A wallet that made this much with at least this many closed round trips is called a top trader. */
const TOP_TRADER_LAMPORTS = 5_000_000_000n;
const TOP_TRADER_ROUND_TRIPS = 5;

type StatsRow = { holders: number; poolTokens: bigint };
type HolderRow = { address: string; amount: bigint; realized: bigint; roundTrips: number };

export async function loadHolders(
  sql: Sql,
  token: TokenRow,
  limit: number,
  ownWallet: string | null,
): Promise<CallReply<'getTokenHolders'>> {
  // One statement, so that count, pool and holders are of one moment. The few that are shown are found first, and only
  // they are looked up elsewhere.
  const found = await sql.query<StatsRow & (HolderRow | { address: null })>(
    `select t.holders, t.pool_tokens as "poolTokens", r.address, h.amount,
            coalesce(s.realized_lamports, 0) as realized, coalesce(s.round_trips, 0) as "roundTrips"
     from token_stats t left join (
       select token_id, trader_id, amount from holder where token_id = $1 and amount > 0 order by amount desc limit $2
     ) h using (token_id)
     left join trader r on r.id = h.trader_id left join trader_stats s on s.trader_id = h.trader_id
     where t.token_id = $1 order by h.amount desc`,
    [token.id, limit],
  );
  const { holders, poolTokens } = found[0] ?? { holders: 0, poolTokens: 0n };
  const rows = found.filter((row) => row.address !== null);
  const withPool: HolderRow[] =
    token.pool !== null && poolTokens > 0n
      ? [{ address: token.pool, amount: poolTokens, realized: 0n, roundTrips: 0 }, ...rows]
      : rows;
  const labelOf = (row: HolderRow) => {
    if (row.address === token.pool) return 'pool' as const;
    if (row.address === ownWallet) return 'you' as const;
    if (row.address === token.creator) return 'creator' as const;
    if (row.realized >= TOP_TRADER_LAMPORTS && row.roundTrips >= TOP_TRADER_ROUND_TRIPS) return 'top-trader' as const;
    return undefined;
  };
  return {
    lists: withPool
      .toSorted((a, b) => (a.amount < b.amount ? 1 : -1))
      .slice(0, limit)
      .map((row) => {
        const label = labelOf(row);
        return {
          address: row.address,
          amount: printDecimal(row.amount, token.decimals),
          percent: token.supply === 0n ? '0' : printPercentOf(row.amount, token.supply, 4, 'nearest'),
          ...(label === undefined ? {} : { label }),
        };
      }),
    total: holders,
  };
}
