// Those who join by SOL count buy what the creator holds, at the weights of the day they came. Everybody who waits buys in one round
// per coin. What a limit leaves over is tried again for a day, in parts worth their fee and as far as the creator holds the coin still;
// what is then missing stays SOL.

import { randomUUID } from 'node:crypto';
import { AppError } from '@hunter/contract/app-error';
import type { Address } from '@hunter/domain/address';
import { baseUnits, type BaseUnits } from '@hunter/domain/numbers/base-units';
import { basisPoints } from '@hunter/domain/numbers/basis-points';
import type { CopySkipReason } from '@hunter/domain/copying/copy-skip';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { limitPrice } from '@hunter/domain/copying/limit-price';
import { joinLeft, lowestHeld, planJoinRound, type JoinLeft, type PlannedBuy } from '@hunter/domain/copying/round-plan';
import { enqueueAll } from '../../platform/outbox.ts';
import type { Sql } from '../../platform/postgres.ts';
import type { HeldOrder } from '../../trading/order.ts';
import { loadJoined, loadJoinedLately, loadTokenChanges } from '../../trading/rounds/allocation-store.ts';
import type { NewPart } from '../../trading/rounds/round.ts';
import { loadHoldings, mintsOf, type Pools } from '../book-holdings.ts';
import { JOIN_SLIPPAGE_BPS, NETWORK_FEE_LAMPORTS } from '../costs.ts';
import { tellFollows, type FollowPlanRow } from '../follow-store.ts';
import { requireQuiet, waitUntilQuiet } from '../open-orders.ts';
import type { Strategies } from '../strategies.ts';
import { loadStrategyById, lockStrategy, type Strategy } from '../strategy-store.ts';
import { loadCoinOfCreator, loadPeople, loadWalletsToBuy } from './load-copyable-coin.ts';
import { followerOf, loadBuyCandidates, type BuyCandidate } from './plan-buys.ts';
import { giveRunUpBack, isRunUpBound } from './run-up-budgets.ts';
import { whyNotCopied } from './why-not-copied.ts';

/** Often a coin is refused only because its safety or reference is not known yet. */
const TRY_AGAIN_MS = 60_000;
const ROUND_WAIT_MS = 90_000;

/** Topic `follows-joined`: follows of a strategy that have made their first purchases, as far as they could. */
export type FollowsJoined = { followIds: readonly string[] };

export const FOLLOWS_JOINED_TOPIC = 'follows-joined';

const IDS_PER_ROW = 500;

/** One try for everybody who waits; whoever comes while it waits for its turn is part of it. */
export function joinFollows(deps: Strategies, strategyId: string): Promise<void> {
  return deps.lanes.run(strategyId, 'join', () => joinInLane(deps, strategyId), 'join');
}

async function enqueueJoined(sql: Sql, followIds: readonly string[]): Promise<void> {
  const payloads: FollowsJoined[] = [];
  for (let start = 0; start < followIds.length; start += IDS_PER_ROW) {
    payloads.push({ followIds: followIds.slice(start, start + IDS_PER_ROW) });
  }
  await enqueueAll(sql, FOLLOWS_JOINED_TOPIC, payloads);
}

type Joining = { id: string; status: 'opening' | 'active'; plan: FollowPlanRow[]; isDue: boolean };

async function joinInLane(deps: Strategies, strategyId: string): Promise<void> {
  const { database, clock } = deps;
  const strategy = await loadStrategyById(database, strategyId);
  if (strategy.status !== 'running' || !(await waitUntilQuiet(deps, strategy.walletId))) return;
  const waiting = await loadJoining(database, strategyId, new Date(clock.nowMs()));
  if (waiting.length === 0) return;
  const ids = waiting.map(({ id }) => id);
  const book = (await loadHoldings(database, [strategy.bookId])).get(strategy.bookId)!;
  const mints = [...new Set(waiting.flatMap(({ plan }) => plan.map(({ mint }) => mint)))];
  for (const mint of mints) if (book.tokens.has(mint)) await joinCoin(deps, strategy, mint, ids);
  // Where only newcomers were due, the others keep their minute: a crowd that joins would write all of them for each.
  const isMinute = waiting.some(({ status, isDue }) => status === 'active' && isDue);
  const opened = waiting.flatMap(({ id, status }) => (status === 'opening' ? [id] : []));
  const tried = isMinute ? ids : opened;
  await database.transaction(async (sql) => {
    await sql.write(
      `update follow set status = case status when 'opening' then 'active' else status end, join_at = $2
       where id = any($1::uuid[]) and status in ('opening', 'active')`,
      [tried, new Date(clock.nowMs() + TRY_AGAIN_MS)],
    );
    // Of those canceled meanwhile, too: they bought before.
    await enqueueJoined(sql, opened);
  });
  deps.due.add(strategyId);
  await tellFollows(deps, tried);
}

/**
 * Follows whose SOL has arrived, once one of them is due. All of them: the room of an hour is shared by those who wait, and must not
 * be for whoever comes in the right second. Whoever paused meanwhile buys nothing, but has arrived all the same.
 */
async function loadJoining(sql: Sql, strategyId: string, now: Date): Promise<Joining[]> {
  const rows = await sql.query<Joining>(
    `select id, status, plan, join_at <= $2 as "isDue" from follow
     where strategy_id = $1 and join_at is not null and (status = 'opening' or status = 'active' and join_until > $2) order by id`,
    [strategyId, now],
  );
  return rows.some(({ isDue }) => isDue) ? rows : [];
}

async function joinCoin(
  deps: Strategies,
  strategy: Strategy,
  mint: Address,
  followIds: readonly string[],
): Promise<void> {
  // Most follows of the day have all they planned.
  if ((await loadPlans(deps.database, followIds, mint)).every(({ planned, joined }) => joined >= planned)) return;
  const books = await deps.database.query<{ bookId: string }>(
    `select book_id as "bookId" from follow where id = any($1::uuid[])`,
    [followIds],
  );
  const bookIds = books.map(({ bookId }) => bookId);
  const holdings = await loadHoldings(deps.database, bookIds);
  const pools = await deps.pools.load([...new Set([mint, ...mintsOf(holdings.values())])]);
  const held = await planCoin(deps, strategy, mint, followIds, pools);
  if (held === null) return;
  try {
    await deps.engine.execute(held, ROUND_WAIT_MS);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

/** Null where nobody buys; why not is noted in the plan of each. */
async function planCoin(
  deps: Strategies,
  strategy: Strategy,
  mint: Address,
  followIds: readonly string[],
  pools: Pools,
): Promise<HeldOrder | null> {
  const linking = loadPeople(deps.database, strategy.id).then((people) => loadWalletsToBuy(deps, people));
  const bought = await loadCoinOfCreator(deps, linking, mint, Promise.resolve(pools.get(mint)));
  const { coin } = bought;
  const now = new Date(deps.clock.nowMs());
  return deps.database.transaction(async (sql) => {
    await deps.lanes.requireOwned(sql, strategy.id);
    const { status } = await lockStrategy(sql, strategy.id, 'round');
    if (status !== 'running') return null;
    await requireQuiet(sql, strategy.walletId);
    const joining = new Set(followIds);
    const candidates = (await loadBuyCandidates(sql, strategy, mint, now)).filter(
      ({ followId, paused }) => joining.has(followId) && !paused,
    );
    const plans = await loadPlans(
      sql,
      candidates.map(({ followId }) => followId),
      mint,
    );
    const left = await loadLeft(sql, strategy, mint, plans);
    const buying = candidates.filter(({ followId }) => left.has(followId));
    if (buying.length === 0) return null;
    const refusal = await whyNotCopied(sql, strategy, mint, bought, now);
    const pool = pools.get(mint);
    if (refusal !== null || pool === undefined) {
      await noteReasons(
        sql,
        mint,
        buying.map(({ followId }) => ({ followId, reason: refusal ?? 'venue-refused' })),
      );
      return null;
    }
    const holdings = await loadHoldings(sql, [strategy.bookId, ...candidates.map(({ bookId }) => bookId)]);
    const held = [...holdings.values()].reduce((sum, book) => sum + (book.tokens.get(mint) ?? 0n), 0n);
    const joinedLamports = await loadJoinedLately(sql, strategy.userId, mint, now);
    const planWith = (asking: readonly BuyCandidate[]): PlannedBuy[] =>
      planJoinRound({
        coin: { ageMs: coin.ageMs, poolLamports: pool.solReserve },
        pool,
        reference: coin.reference!,
        heldTokens: baseUnits(held),
        joinedLamports,
        networkFeeLamports: NETWORK_FEE_LAMPORTS,
        followers: asking.map((candidate) => {
          const follower = followerOf(candidate, holdings.get(candidate.bookId)!, mint, pools);
          const spendable = follower.spendableLamports - NETWORK_FEE_LAMPORTS;
          return {
            ...follower,
            spendableLamports: lamports(spendable > 0n ? spendable : 0n),
            ...left.get(candidate.followId)!,
          };
        }),
      });
    let planned = planWith(buying);
    if (isRunUpBound(planned)) planned = planWith(await giveRunUpBack(sql, strategy, mint, buying, now));
    await noteReasons(sql, mint, planned.map(reasonOf));
    const parts = planned.flatMap((buy, index) => partOf(buy, buying[index]!));
    if (parts.length === 0) return null;
    const { walletId, userId, bookId } = strategy;
    const round = { id: randomUUID(), walletId, userId, bookId, kind: 'join', side: 'buy', mint, parts } as const;
    const totalIn = lamports(parts.reduce((sum, { amountIn }) => sum + amountIn, 0n));
    const leastPrice = limitPrice(pool, 'buy', totalIn, basisPoints(JOIN_SLIPPAGE_BPS));
    const limits = { slippageBps: JOIN_SLIPPAGE_BPS, ...(leastPrice === null ? {} : { leastPrice }) };
    return deps.engine.placeRound(sql, { ...round, ...limits }, now);
  });
}

function reasonOf(buy: PlannedBuy): { followId: string; reason: CopySkipReason | null } {
  return { followId: buy.followId, reason: buy.kind === 'skip' ? buy.reason : buy.limitedBy };
}

function partOf(buy: PlannedBuy, { userId, bookId }: BuyCandidate): NewPart[] {
  if (buy.kind === 'skip') return [];
  const { followId, wantedLamports: wantedIn, amountIn, limitedBy, runUpLamports, costLamports } = buy;
  const limits = { wantedIn, amountIn, limitedBy, runUpLamports, costLamports };
  return [{ bookId, userId, followId, ...limits, reason: null, freeLamports: lamports(0n) }];
}

type JoinPlan = {
  followId: string;
  plannedAt: Date;
  planned: Lamports;
  heldTokens: BaseUnits | null;
  joined: Lamports;
};

/** What the plans of follows have for a coin, and what joining has spent on it so far. */
async function loadPlans(sql: Sql, followIds: readonly string[], mint: Address): Promise<JoinPlan[]> {
  const rows = await sql.query<Omit<JoinPlan, 'joined'>>(
    `select f.id as "followId", f.opened_at as "plannedAt", (p.row ->> 'lamports')::numeric(20, 0) as planned,
       (p.row ->> 'heldTokens')::numeric(20, 0) as "heldTokens"
     from follow f cross join lateral jsonb_array_elements(f.plan) p (row)
     where f.id = any($1::uuid[]) and p.row ->> 'mint' = $2 and p.row ? 'lamports'`,
    [followIds, mint],
  );
  const joined = await loadJoined(sql, followIds, mint);
  return rows.map((row) => ({ ...row, joined: lamports(joined.get(row.followId) ?? 0n) }));
}

async function loadLeft(
  sql: Sql,
  { bookId }: Strategy,
  mint: Address,
  plans: readonly JoinPlan[],
): Promise<Map<string, JoinLeft>> {
  if (plans.length === 0) return new Map();
  const since = new Date(Math.min(...plans.map(({ plannedAt }) => plannedAt.getTime())));
  const own = (await loadHoldings(sql, [bookId])).get(bookId)!;
  const held = own.tokens.get(mint) ?? baseUnits(0n);
  const changes = await loadTokenChanges(sql, { bookId, mint, since });
  return new Map(
    plans.flatMap(({ followId, plannedAt, planned, heldTokens, joined }) => {
      const lowest = lowestHeld(held, changes, plannedAt);
      const left = joinLeft({ plannedLamports: planned, heldTokens }, joined, lowest);
      return left === null ? [] : [[followId, left] as const];
    }),
  );
}

async function noteReasons(
  sql: Sql,
  mint: Address,
  notes: readonly { followId: string; reason: CopySkipReason | null }[],
): Promise<void> {
  await sql.write(
    `update follow f set plan = (
       select coalesce(jsonb_agg(case when p.row ->> 'mint' = $3
         then p.row - 'reason' || case when v.reason is null then '{}'::jsonb else jsonb_build_object('reason', v.reason) end
         else p.row end order by p.place), '[]'::jsonb)
       from jsonb_array_elements(f.plan) with ordinality p (row, place))
     from unnest($1::uuid[], $2::text[]) v (id, reason) where f.id = v.id and exists (
       select 1 from jsonb_array_elements(f.plan) p (row) where p.row ->> 'mint' = $3 and p.row ->> 'reason' is distinct from v.reason)`,
    [notes.map(({ followId }) => followId), notes.map(({ reason }) => reason), mint],
  );
}
