import { baseUnits } from '@hunter/domain/numbers/base-units';
import type { CopySkipReason } from '@hunter/domain/copying/copy-skip';
import { lamports } from '@hunter/domain/numbers/lamports';
import { divFloor } from '@hunter/domain/numbers/rounding';
import type { SimulatedRound } from '@hunter/domain/copying/simulated-follow';
import { unitsIn, unitsOut, type Pool, type Ratio } from '@hunter/domain/market/swap-maths';
import type { Sql } from '../../platform/postgres.ts';
import { rowValues } from '../../platform/columns-of.ts';
import type { BookRound } from '../../trading/rounds/book-rounds.ts';
import { NETWORK_FEE_LAMPORTS, STAKE_FACTORS } from '../costs.ts';
import { POOL_COLUMNS, poolOf, type PoolRow } from './pool-columns.ts';

export type RoundMarket = {
  orderId: string;
  strategyId: string;
  at: Date;
  tier: keyof typeof STAKE_FACTORS;
  creatorBefore: bigint;
  creatorEquityLamports: bigint;
  pool: Pool | undefined;
  reference: Ratio | null;
  coinAgeMs: number;
  heldTokens: bigint;
  refusal: CopySkipReason | null;
};

/** Written in the transaction that plans the round. */
export async function insertRoundMarket(sql: Sql, market: RoundMarket): Promise<void> {
  const { pool, reference } = market;
  await sql.write(
    `insert into round_market (order_id, strategy_id, at, tier, creator_before, creator_equity_lamports, sol_reserve,
       token_reserve, virtual_sol, virtual_tokens, fee_bps, reference_numerator, reference_denominator, coin_age_ms,
       held_tokens, refusal)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      ...rowValues(market, 'orderId', 'strategyId', 'at', 'tier', 'creatorBefore', 'creatorEquityLamports'),
      pool?.solReserve ?? null,
      pool?.tokenReserve ?? null,
      pool?.virtualSol ?? null,
      pool?.virtualTokens ?? null,
      pool?.feeBps ?? null,
      reference?.numerator ?? null,
      reference?.denominator ?? null,
      Math.round(market.coinAgeMs),
      market.heldTokens,
      market.refusal,
    ],
  );
}

type MarketRow = { [Column in keyof PoolRow]: PoolRow[Column] | null } & {
  orderId: string;
  tier: keyof typeof STAKE_FACTORS;
  creatorBefore: bigint;
  equity: bigint;
  numerator: bigint | null;
  denominator: bigint | null;
  ageMs: bigint;
  heldTokens: bigint;
  refusal: CopySkipReason | null;
};

/** A purchase whose market was not kept cannot be decided again; a sale can: everybody sells the creator's fraction. */
export type PastRound = { round: BookRound; simulated: SimulatedRound | null };

export async function withMarkets(sql: Sql, rounds: readonly BookRound[]): Promise<PastRound[]> {
  const rows = await sql.query<MarketRow>(
    `select order_id as "orderId", tier, creator_before as "creatorBefore", creator_equity_lamports as equity,
       ${POOL_COLUMNS}, reference_numerator as numerator, reference_denominator as denominator, coin_age_ms as "ageMs",
       held_tokens as "heldTokens", refusal
     from round_market where order_id = any($1::uuid[])`,
    [rounds.map(({ id }) => id)],
  );
  const markets = new Map(rows.map((row) => [row.orderId, row]));
  return rounds.map((round) => ({ round, simulated: simulatedOf(round, markets.get(round.id)) }));
}

function simulatedOf(round: BookRound, market: MarketRow | undefined): SimulatedRound | null {
  if (market === undefined && round.side === 'buy') return null;
  const { filledIn, filledOut, swapIn } = round;
  return {
    atMs: round.at.getTime(),
    mint: round.mint,
    side: round.side,
    creator: {
      amountIn: filledIn,
      before: unitsIn(round.side, market?.creatorBefore ?? filledIn),
      equityLamports: lamports(market?.equity ?? 0n),
    },
    swapIn,
    // Everybody had the creator's price.
    swapOut: unitsOut(round.side, divFloor(filledOut * swapIn, filledIn)),
    feeLamports: NETWORK_FEE_LAMPORTS,
    stakeFactor: STAKE_FACTORS[market?.tier ?? 'new'],
    pool: market === undefined || market.solReserve === null ? null : poolOf(market as PoolRow),
    reference:
      market === undefined || market.numerator === null
        ? null
        : { numerator: market.numerator, denominator: market.denominator! },
    coinAgeMs: Number(market?.ageMs ?? 0n),
    heldTokens: baseUnits(market?.heldTokens ?? 0n),
    refusal: market?.refusal ?? null,
  };
}
