import { FOLLOW_LASTED_MS, FOLLOW_MIN_LAMPORTS, splitGap, type GapParts } from '@hunter/domain/record/follower-return';
import type { Lamports } from '@hunter/domain/numbers/lamports';
import { rate, type Rate } from '@hunter/domain/numbers/rate';
import { mulDiv } from '@hunter/domain/numbers/rounding';
import { spotPrice } from '@hunter/domain/market/swap-maths';
import type { Address } from '@hunter/solana/address';
import type { Pools } from '../strategies/book-holdings.ts';
import type { Strategies } from '../strategies/strategies.ts';
import type { Strategy } from '../strategies/strategy-store.ts';

type Totals = { deposited: Lamports; followerFees: Lamports };
type SkippedBuys = { mint: Address; spend: bigint; leadIn: bigint; leadOut: bigint };

/**
 * Where the difference between the yield and the followers' median return comes from, over the follows that count in it. Price and fees
 * are counted exactly; what skipped buys would have gained is taken at today's price; the rest is timing.
 */
export async function loadFollowerGap(
  deps: Strategies,
  strategy: Strategy,
  yieldRate: Rate,
  followerReturn: bigint | null,
  pools: Pools,
): Promise<GapParts | null> {
  if (followerReturn === null) return null;
  const lasted = new Date(deps.clock.nowMs() - FOLLOW_LASTED_MS);
  const [totals, creator, skipped] = await Promise.all([
    loadTotals(deps, strategy, lasted),
    loadCreatorFees(deps, strategy),
    loadSkippedBuys(deps, strategy, lasted),
  ]);
  // Fees the creator paid are inside the yield; only what followers paid beyond the same share is a gap.
  const sharedFees = mulDiv(creator, totals.deposited, strategy.capitalLamports, 'floor');
  return splitGap({
    yieldRate,
    followerReturn: rate(followerReturn),
    depositedLamports: totals.deposited,
    // Creator and followers trade in one swap, at one price.
    priceLamports: 0n,
    feeLamports: totals.followerFees - sharedFees,
    skippedLamports: skipped.reduce((sum, buys) => sum + wouldHaveGained(buys, pools), 0n),
  });
}

/** The follows whose median return it is: see `isCountedFollow`. */
const COUNTED = `f.strategy_id = $1 and f.amount_lamports >= ${FOLLOW_MIN_LAMPORTS}
  and coalesce(f.closed_at, now()) - f.opened_at >= interval '1 hour' and f.opened_at <= $2`;

async function loadTotals(deps: Strategies, { id }: Strategy, lasted: Date): Promise<Totals> {
  const rows = await deps.database.query<Totals>(
    `select (select coalesce(sum(f.amount_lamports), 0)::numeric(40, 0) from follow f where ${COUNTED}) as deposited, (
       select coalesce(sum(coalesce(share_of(r.shares, a.place, 2), a.fee_lamports)), 0)::numeric(40, 0)
       from follow f join allocation a on a.follow_id = f.id left join (
         -- Copied, so that the shares of a round are read once for all of its followers.
         select e.order_id, e.shares || ''::bytea as shares
         from strategy s join trade_order o on o.wallet_id = s.wallet_id and o.is_round
           join round_entry e on e.order_id = o.id and e.act = 'fill'
         where s.id = $1 offset 0
       ) r on r.order_id = a.order_id where ${COUNTED}
     ) as "followerFees"`,
    [id, lasted],
  );
  return rows[0]!;
}

async function loadCreatorFees(deps: Strategies, { bookId }: Strategy): Promise<bigint> {
  const rows = await deps.database.query<{ fees: bigint }>(
    `select coalesce(sum(fee_lamports), 0)::numeric(40, 0) as fees from standing_fill where book_id = $1`,
    [bookId],
  );
  return rows[0]!.fees;
}

async function loadSkippedBuys(deps: Strategies, { id }: Strategy, lasted: Date): Promise<SkippedBuys[]> {
  return deps.database.query<SkippedBuys>(
    `select o.mint, coalesce(sum(a.wanted_in), 0)::numeric(40, 0) as spend, o.filled_in as "leadIn", o.filled_out as "leadOut"
     from allocation a join follow f on f.id = a.follow_id join trade_order o on o.id = a.order_id
     where ${COUNTED} and o.side = 'buy' and a.reason is not null and o.filled_out > 0
     group by o.id, o.mint, o.filled_in, o.filled_out`,
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
