import { FOLLOW_LASTED_MS, splitGap, type GapParts } from '@hunter/domain/follower-return';
import type { Lamports } from '@hunter/domain/lamports';
import { rate, type Rate } from '@hunter/domain/rate';
import { mulDiv } from '@hunter/domain/rounding';
import { spotPrice } from '@hunter/domain/swap-maths';
import type { Pools } from '../strategies/book-holdings.ts';
import type { Strategies } from '../strategies/strategies.ts';
import type { Strategy } from '../strategies/strategy-store.ts';

type Totals = { deposited: Lamports; followerFees: Lamports; worsePrice: bigint };
type SkippedBuys = { mint: string; spend: bigint; leadIn: bigint; leadOut: bigint };

/**
 * Where the difference between the yield and the followers' median return comes from, over the follows that lasted. Price and fees are
 * counted exactly; what skipped buys would have gained is taken at today's price; the rest is timing.
 */
export async function loadFollowerGap(
  parts: Strategies,
  strategy: Strategy,
  yieldRate: Rate,
  followerReturn: bigint | null,
  pools: Pools,
): Promise<GapParts | null> {
  if (followerReturn === null) return null;
  const lasted = new Date(parts.clock.nowMs() - FOLLOW_LASTED_MS);
  const [totals, creator, skipped] = await Promise.all([
    loadTotals(parts, strategy, lasted),
    loadCreatorFees(parts, strategy),
    loadSkippedBuys(parts, strategy, lasted),
  ]);
  // Fees the creator paid are inside the yield; only what followers paid beyond the same share is a gap.
  const sharedFees = mulDiv(creator, totals.deposited, strategy.capitalLamports, 'floor');
  return splitGap({
    yieldRate,
    followerReturn: rate(followerReturn),
    depositedLamports: totals.deposited,
    priceLamports: totals.worsePrice,
    feeLamports: totals.followerFees - sharedFees,
    skippedLamports: skipped.reduce((sum, buys) => sum + wouldHaveGained(buys, pools), 0n),
  });
}

const LASTED = `f.strategy_id = $1 and coalesce(f.closed_at, now()) - f.opened_at >= interval '1 hour' and f.opened_at <= $2`;

async function loadTotals(parts: Strategies, { id }: Strategy, lasted: Date): Promise<Totals> {
  const rows = await parts.database.query<Totals>(
    `select coalesce(sum(f.amount_lamports), 0)::numeric(40, 0) as deposited,
       coalesce(sum(x.fees), 0)::numeric(40, 0) as "followerFees", coalesce(sum(x.worse), 0)::numeric(40, 0) as "worsePrice"
     from follow f left join lateral (
       select sum(o.fee_lamports) as fees,
         sum(case when l.filled_out > 0 and o.filled_out > 0 then
           case o.side when 'buy' then o.filled_in - trunc(o.filled_out * l.filled_in / l.filled_out)
             else trunc(o.filled_in * l.filled_out / l.filled_in) - o.filled_out end end) as worse
       from trade_order o left join trade_order l on l.id = o.parent_id where o.book_id = f.book_id
     ) x on true where ${LASTED}`,
    [id, lasted],
  );
  return rows[0]!;
}

async function loadCreatorFees(parts: Strategies, { bookId }: Strategy): Promise<bigint> {
  const rows = await parts.database.query<{ fees: bigint }>(
    `select coalesce(sum(fee_lamports), 0)::numeric(40, 0) as fees from fill where book_id = $1`,
    [bookId],
  );
  return rows[0]!.fees;
}

async function loadSkippedBuys(parts: Strategies, { id }: Strategy, lasted: Date): Promise<SkippedBuys[]> {
  return parts.database.query<SkippedBuys>(
    `select r.mint, trunc(sum(f.amount_lamports * r.amount_in / r.creator_before))::numeric(40, 0) as spend,
       l.filled_in as "leadIn", l.filled_out as "leadOut"
     from copy c join follow f on f.id = c.follow_id join copy_round r on r.id = c.round_id join trade_order l on l.id = r.id
     where ${LASTED} and c.side = 'buy' and c.state = 'skipped' and l.filled_out > 0 and r.creator_before > 0
     group by r.id, r.mint, l.filled_in, l.filled_out`,
    [id, lasted],
  );
}

function wouldHaveGained({ mint, spend, leadIn, leadOut }: SkippedBuys, pools: Pools): bigint {
  const pool = pools.get(mint);
  if (!pool) return 0n;
  const { numerator, denominator } = spotPrice(pool);
  const tokens = mulDiv(spend, leadOut, leadIn, 'floor');
  return mulDiv(tokens, numerator, denominator, 'floor') - spend;
}
