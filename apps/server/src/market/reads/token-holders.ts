import type { CallReply } from '@hunter/contract/calls';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { printDecimal, printPercentOf } from '@hunter/domain/numbers/decimal';
import { LAMPORTS_PER_SOL, printSol } from '@hunter/domain/numbers/lamports';
import { price, PRICE_DECIMALS, valueAtPrice } from '@hunter/domain/numbers/price';
import { readArray, type Sql } from '../../platform/postgres.ts';
import type { TokenRow } from '../token-directory.ts';

/** A wallet that made this much with at least this many closed round trips is called a top trader. */
const TOP_TRADER_LAMPORTS = 5_000_000_000n;
const TOP_TRADER_ROUND_TRIPS = 5;

/** The shown holders as one text per column: a reply of ten fields is read much faster than one of five hundred. */
type Found = {
  holders: number;
  poolTokens: bigint;
  priceSol: bigint | null;
  addresses: string;
  amounts: string;
  costs: string;
  known: string;
  made: string;
  topTraders: string;
};
type Holder = { address: string; amount: bigint; profit: Profit | null; isTopTrader: boolean };
/** On this token, in lamports; `left` is that of what the wallet bought and still holds, null where it bought none of it. */
type Profit = { made: bigint; left: bigint | null };

export async function loadHolders(
  sql: Sql,
  token: TokenRow,
  { limit, sortBy }: { limit: number; sortBy: 'amount' | 'profit' },
): Promise<CallReply<'getTokenHolders'>> {
  // One statement, so that count, pool and holders are of one moment. The few that are shown are found first, and only
  // they are looked up elsewhere.
  // Who made most is found by what the price makes of the rest; a wallet that holds nothing any more counts too.
  const shown =
    sortBy === 'amount'
      ? `select trader_id, amount, cost_lamports, known_units, realized_lamports from holder
         where token_id = $1 and amount > 0 order by amount desc limit $2`
      : `select h.trader_id, h.amount, h.cost_lamports, h.known_units, h.realized_lamports
         from holder h join token_stats p using (token_id)
         where h.token_id = $1 and (h.realized_lamports <> 0 or h.known_units > 0)
         order by h.realized_lamports - h.cost_lamports + h.known_units * p.price_sol / $3::numeric desc limit $2`;
  const [found] = await sql.query<Found>(
    `select t.holders, t.pool_tokens as "poolTokens", nullif(t.price_sol, 0) as "priceSol",
            coalesce(addresses::text, '{}') as addresses, amounts::text, costs::text, known::text, made::text,
            top_traders::text as "topTraders"
     from token_stats t, (
       select array_agg(r.address) as addresses, array_agg(h.amount) as amounts, array_agg(h.cost_lamports) as costs,
              array_agg(h.known_units) as known, array_agg(h.realized_lamports) as made,
              array_agg(s.realized_lamports >= ${TOP_TRADER_LAMPORTS} and s.round_trips >= ${TOP_TRADER_ROUND_TRIPS}) as top_traders
       from (${shown}) h join trader r on r.id = h.trader_id left join trader_stats s on s.trader_id = h.trader_id
     ) a
     where t.token_id = $1`,
    sortBy === 'amount' ? [token.id, limit] : [token.id, limit, unitsPerLamportPrice(token.decimals)],
  );
  if (!found) return { lists: [], total: 0 };
  const rows = holdersOf(found, token.decimals);
  if (sortBy === 'amount' && token.pool !== null && found.poolTokens > 0n) {
    rows.push({ address: token.pool, amount: found.poolTokens, profit: null, isTopTrader: false });
  }
  const rank =
    sortBy === 'amount'
      ? (row: Holder) => row.amount
      : ({ profit }: Holder) => (profit?.made ?? 0n) + (profit?.left ?? 0n);
  const labelOf = ({ address, isTopTrader }: Holder) => {
    if (address === token.pool) return 'pool' as const;
    if (address === token.creator) return 'creator' as const;
    return isTopTrader ? ('top-trader' as const) : undefined;
  };
  return {
    lists: rows
      .sort((a, b) => (rank(a) < rank(b) ? 1 : -1))
      .slice(0, limit)
      .map((row) => {
        const label = labelOf(row);
        const { made = null, left = null } = row.profit ?? {};
        return {
          address: row.address,
          amount: printDecimal(row.amount, token.decimals),
          percent: token.supply === 0n ? '0' : printPercentOf(row.amount, token.supply, 4, 'nearest'),
          realizedProfit: made === null ? null : printSol(made),
          unrealizedProfit: left === null ? null : printSol(left),
          ...(label === undefined ? {} : { label }),
        };
      }),
    total: found.holders,
  };
}

/** The same list with what is known elsewhere of its wallets. */
export function labelAs(
  label: 'strategy' | 'you',
  wallets: { has: (address: string) => boolean },
  holders: CallReply<'getTokenHolders'>,
): CallReply<'getTokenHolders'> {
  return { ...holders, lists: holders.lists.map((row) => (wallets.has(row.address) ? { ...row, label } : row)) };
}

function holdersOf(found: Found, decimals: number): Holder[] {
  const addresses = readArray(found.addresses);
  if (addresses.length === 0) return [];
  const columns = [found.amounts, found.costs, found.known, found.made].map((text) => readArray(text).map(BigInt));
  const [amounts, costs, known, made] = columns as [bigint[], bigint[], bigint[], bigint[]];
  const topTraders = readArray(found.topTraders);
  return addresses.map((address, i) => {
    const amount = amounts[i]!;
    const left = unrealized({ amount, cost: costs[i]!, known: known[i]! }, found.priceSol, decimals);
    return { address, amount, profit: { made: made[i]!, left }, isTopTrader: topTraders[i] === 't' };
  });
}

/** At the last price; `cost` is that of the `known` units, which the wallet bought. */
function unrealized(
  held: { amount: bigint; cost: bigint; known: bigint },
  priceSol: bigint | null,
  decimals: number,
): bigint | null {
  const left = held.known < held.amount ? held.known : held.amount;
  if (priceSol === null || left === 0n) return null;
  return valueAtPrice(baseUnits(left), price(priceSol), decimals) - (held.cost * left) / held.known;
}

/** A price is SOL per token with decimals of its own: units × price ÷ this are lamports. */
function unitsPerLamportPrice(decimals: number): string {
  return String(10n ** BigInt(decimals + PRICE_DECIMALS) / LAMPORTS_PER_SOL);
}
