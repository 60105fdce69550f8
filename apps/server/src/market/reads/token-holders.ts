import type { CallReply } from '@hunter/contract/calls';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { printDecimal, printPercentOf } from '@hunter/domain/numbers/decimal';
import { LAMPORTS_PER_SOL, printSol } from '@hunter/domain/numbers/lamports';
import { price, PRICE_DECIMALS, valueAtPrice } from '@hunter/domain/numbers/price';
import type { Sql } from '../../platform/postgres.ts';
import type { TokenRow } from '../token-directory.ts';

/** A wallet that made this much with at least this many closed round trips is called a top trader. */
const TOP_TRADER_LAMPORTS = 5_000_000_000n;
const TOP_TRADER_ROUND_TRIPS = 5;

type StatsRow = { holders: number; poolTokens: bigint; priceSol: bigint | null };
type HolderRow = { address: string; amount: bigint; realized: bigint; roundTrips: number; profit: Profit | null };
/** On this token, in lamports; `cost` is that of the `known` units, which the wallet bought. */
type Profit = { made: bigint; cost: bigint; known: bigint };
type FoundRow = Omit<HolderRow, 'profit'> & Profit;

export async function loadHolders(
  sql: Sql,
  token: TokenRow,
  { limit, sortBy }: { limit: number; sortBy: 'amount' | 'profit' },
  ownWallet: string | null,
): Promise<CallReply<'getTokenHolders'>> {
  // One statement, so that count, pool and holders are of one moment. The few that are shown are found first, and only
  // they are looked up elsewhere.
  // Who made most is found by what the price makes of the rest; a wallet that holds nothing any more counts too.
  const shown =
    sortBy === 'amount'
      ? `select token_id, trader_id, amount, cost_lamports, known_units, realized_lamports from holder
         where token_id = $1 and amount > 0 order by amount desc limit $2`
      : `select h.token_id, h.trader_id, h.amount, h.cost_lamports, h.known_units, h.realized_lamports
         from holder h join token_stats p using (token_id)
         where h.token_id = $1 and (h.realized_lamports <> 0 or h.known_units > 0)
         order by h.realized_lamports - h.cost_lamports + h.known_units * p.price_sol / $3::numeric desc limit $2`;
  const found = await sql.query<StatsRow & (FoundRow | { address: null })>(
    `select t.holders, t.pool_tokens as "poolTokens", nullif(t.price_sol, 0) as "priceSol", r.address, h.amount,
            h.cost_lamports as cost, h.known_units as known, h.realized_lamports as made,
            coalesce(s.realized_lamports, 0) as realized, coalesce(s.round_trips, 0) as "roundTrips"
     from token_stats t left join (${shown}) h using (token_id)
     left join trader r on r.id = h.trader_id left join trader_stats s on s.trader_id = h.trader_id
     where t.token_id = $1 order by h.amount desc`,
    sortBy === 'amount' ? [token.id, limit] : [token.id, limit, unitsPerLamportPrice(token.decimals)],
  );
  const { holders, poolTokens, priceSol } = found[0] ?? { holders: 0, poolTokens: 0n, priceSol: null };
  const rows: HolderRow[] = found
    .filter((row) => row.address !== null)
    .map(({ made, cost, known, ...row }) => ({ ...row, profit: { made, cost, known } }));
  const withPool: HolderRow[] =
    sortBy === 'amount' && token.pool !== null && poolTokens > 0n
      ? [{ address: token.pool, amount: poolTokens, realized: 0n, roundTrips: 0, profit: null }, ...rows]
      : rows;
  const unrealizedOf = (row: HolderRow): bigint | null => unrealized(row, priceSol, token.decimals);
  const totalOf = (row: HolderRow): bigint => (row.profit?.made ?? 0n) + (unrealizedOf(row) ?? 0n);
  const rank = sortBy === 'amount' ? (row: HolderRow) => row.amount : totalOf;
  const labelOf = (row: HolderRow) => {
    if (row.address === token.pool) return 'pool' as const;
    if (row.address === ownWallet) return 'you' as const;
    if (row.address === token.creator) return 'creator' as const;
    if (row.realized >= TOP_TRADER_LAMPORTS && row.roundTrips >= TOP_TRADER_ROUND_TRIPS) return 'top-trader' as const;
    return undefined;
  };
  return {
    lists: withPool
      .toSorted((a, b) => (rank(a) < rank(b) ? 1 : -1))
      .slice(0, limit)
      .map((row) => {
        const label = labelOf(row);
        const left = unrealizedOf(row);
        return {
          address: row.address,
          amount: printDecimal(row.amount, token.decimals),
          percent: token.supply === 0n ? '0' : printPercentOf(row.amount, token.supply, 4, 'nearest'),
          realizedProfit: row.profit === null ? null : printSol(row.profit.made),
          unrealizedProfit: left === null ? null : printSol(left),
          ...(label === undefined ? {} : { label }),
        };
      }),
    total: holders,
  };
}

/** Of what the wallet bought and still holds, at the last price; null where it bought none of it. */
function unrealized({ amount, profit }: HolderRow, priceSol: bigint | null, decimals: number): bigint | null {
  if (profit === null || priceSol === null) return null;
  const known = profit.known < amount ? profit.known : amount;
  if (known === 0n) return null;
  return valueAtPrice(baseUnits(known), price(priceSol), decimals) - (profit.cost * known) / profit.known;
}

/** A price is SOL per token with decimals of its own: units × price ÷ this are lamports. */
function unitsPerLamportPrice(decimals: number): string {
  return String(10n ** BigInt(decimals + PRICE_DECIMALS) / LAMPORTS_PER_SOL);
}
