import type { CallReply } from '@hunter/contract/calls';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { printDecimal } from '@hunter/domain/numbers/decimal';
import { LAMPORTS_PER_SOL, printSol } from '@hunter/domain/numbers/lamports';
import { price, valueAtPrice } from '@hunter/domain/numbers/price';
import { printRatePercent, rateOf } from '@hunter/domain/numbers/rate';
import type { Address } from '@hunter/solana/address';
import type { Sql } from '../../platform/postgres.ts';
import { printMicroUsd, printPrice } from '../reads/token-views.ts';
import { tokenRef } from './wallet-profile.ts';

type Row = {
  mint: Address;
  symbol: string;
  decimals: number;
  amount: bigint;
  cost: bigint;
  known: bigint;
  realized: bigint;
  /** What the sales since the position was last flat have made; below zero, it counts as lost. */
  trip: bigint;
  /** Null for a token that never traded. */
  priceSol: bigint | null;
  priceUsd: bigint | null;
};

/** More than any person holds; a wallet with more shows what of these is worth most. */
const READ_MAX = 5_000;

/** Values are at the last price, without what selling would cost; that of a token that never traded is unknown. */
export async function loadWalletHoldings(
  sql: Sql,
  address: string,
  limit: number,
  solUsdMicro: bigint | null,
): Promise<CallReply<'getWalletHoldings'>> {
  const rows = await sql.query<Row>(
    `select t.mint, t.symbol, t.decimals, h.amount, h.cost_lamports as cost, h.known_units as known,
            h.realized_lamports as realized, h.trip_lamports as trip, nullif(s.price_sol, 0) as "priceSol", nullif(s.price_usd, 0) as "priceUsd"
     from trader r join holder h on h.trader_id = r.id and h.amount > 0
       join token t on t.id = h.token_id join token_stats s on s.token_id = h.token_id
     where r.address = $1 limit $2`,
    [address, READ_MAX],
  );
  const valued = rows
    .map((row) => ({ ...row, value: valueOf(row, row.amount), ...openPart(row) }))
    .sort((a, b) => byValue(a.value ?? -1n, b.value ?? -1n) || (a.mint < b.mint ? -1 : 1));
  const total = valued.reduce((sum, { value }) => sum + (value ?? 0n), 0n);
  const usd = (lamports: bigint | null) =>
    lamports === null || solUsdMicro === null ? null : printMicroUsd((lamports * solUsdMicro) / LAMPORTS_PER_SOL);
  return {
    lists: valued.slice(0, limit).map(({ cost, unrealized, ...row }) => ({
      ...tokenRef(row),
      amount: printDecimal(row.amount, row.decimals),
      price: row.priceUsd === null ? null : printPrice(row.priceUsd),
      valueSol: row.value === null ? null : printSol(row.value),
      valueUsd: usd(row.value),
      cost: cost === null ? null : printSol(cost),
      unrealizedProfit: unrealized === null ? null : printSol(unrealized),
      unrealizedRate: unrealized === null || !cost ? null : printRatePercent(rateOf(unrealized, cost)),
      realizedProfit: printSol(row.realized),
    })),
    total: valued.length,
    unsoldAtLoss: valued.filter(({ trip, unrealized }) => trip >= 0n && unrealized !== null && trip + unrealized < 0n)
      .length,
    totalValueSol: printSol(total),
    totalValueUsd: usd(total),
  };
}

/** The wallet may have passed on some of what it bought; the cost is that of what is left of it. */
function openPart(row: Row): { cost: bigint | null; unrealized: bigint | null } {
  const known = row.known < row.amount ? row.known : row.amount;
  const cost = known === 0n ? null : (row.cost * known) / row.known;
  const value = valueOf(row, known);
  return { cost, unrealized: cost === null || value === null ? null : value - cost };
}

function byValue(a: bigint, b: bigint): number {
  return a === b ? 0 : a < b ? 1 : -1;
}

function valueOf({ priceSol, decimals }: Row, units: bigint): bigint | null {
  return priceSol === null ? null : valueAtPrice(baseUnits(units), price(priceSol), decimals);
}
