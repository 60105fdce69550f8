import { decideGuard, type GuardReason } from '@hunter/domain/follow-guard';
import { lamports, type Lamports } from '@hunter/domain/lamports';
import { divFloor, larger } from '@hunter/domain/rounding';
import type { Ratio } from '@hunter/domain/swap-maths';
import { equityOf, loadHoldings, mintsOf, type Holdings } from './book-holdings.ts';
import { beginClosing, closeFollows } from './cancel-follow.ts';
import { loadCopyableCoin } from './copying/load-copyable-coin.ts';
import { settingsOf } from './follow-settings.ts';
import { selectFollow, type Follow } from './follow-store.ts';
import type { Strategies } from './strategies.ts';

type GuardedRow = Follow & { guard: GuardReason | null; guardSince: Date | null };

const SELECT_GUARDED = selectFollow(`f.guard, f.guard_since as "guardSince"`);

/**
 * Asks of every follow with a stop loss or a take profit whether its value has reached it, and closes those where it stayed
 * there. Those of one strategy leave together, in one round at one price: in a thin pool the second of two rounds would pay for
 * the first. What was reached is kept in the database, so that the minute survives a restart.
 */
export async function guardFollows(deps: Strategies): Promise<void> {
  const follows = await deps.database.query<GuardedRow>(
    `${SELECT_GUARDED} where f.status = 'active' and (f.stop_loss_bps is not null or f.take_profit_bps is not null)
       and ${deps.lanes.mineCondition('f.strategy_id', '$1')}`,
    [deps.lanes.mineValue],
  );
  if (follows.length === 0) return;
  const holdings = await loadHoldings(
    deps.database,
    follows.map(({ bookId }) => bookId),
  );
  const pools = await deps.pools.load(mintsOf(holdings.values()));
  const nowMs = deps.clock.nowMs();
  const leaving = new Set<string>();
  for (const follow of follows) {
    const book = holdings.get(follow.bookId)!;
    const liquidationLamports = equityOf(book, pools);
    const { stopLoss, takeProfit } = settingsOf(follow);
    const guarded = {
      stopLoss,
      takeProfit,
      investedLamports: lamports(larger(0n, follow.amountLamports - (follow.returnedLamports ?? 0n))),
      liquidationLamports,
      reached: follow.guard === null ? null : { reason: follow.guard, sinceMs: follow.guardSince!.getTime() },
    };
    // The reference costs a read per coin, so it is asked for only where the value itself has got there.
    const isNear = decideGuard({ ...guarded, referenceLamports: liquidationLamports }, nowMs).kind !== 'clear';
    const referenceLamports = isNear ? await referenceValue(deps, follow, book) : liquidationLamports;
    const decision = decideGuard({ ...guarded, referenceLamports }, nowMs);
    await apply(deps, follow, decision);
    if (decision.kind === 'close') leaving.add(follow.strategyId);
  }
  for (const strategyId of leaving) await closeFollows(deps, strategyId);
}

async function apply(deps: Strategies, follow: GuardedRow, decision: ReturnType<typeof decideGuard>): Promise<void> {
  if (decision.kind === 'close') {
    deps.log.info({ follow: follow.id, guard: decision.reason }, 'follow guard reached; closing the follow');
    return beginClosing(deps, follow, decision.reason);
  }
  const reason = decision.kind === 'waiting' ? decision.reason : null;
  if (reason === follow.guard) return;
  await deps.database.query(`update follow set guard = $2, guard_since = $3 where id = $1 and status = 'active'`, [
    follow.id,
    reason,
    decision.kind === 'waiting' ? new Date(decision.sinceMs) : null,
  ]);
}

/** SOL and deposits as they are, coins at their reference prices; null where one of them has none. */
async function referenceValue(deps: Strategies, follow: Follow, book: Holdings): Promise<Lamports | null> {
  let value: bigint = book.lamports + book.rentLamports;
  for (const [mint, tokens] of book.tokens) {
    const { reference } = await loadCopyableCoin(deps, follow.strategyId, mint, undefined);
    if (reference === null) return null;
    value += worthAt(tokens, reference);
  }
  return lamports(value);
}

function worthAt(tokens: bigint, price: Ratio): bigint {
  return divFloor(tokens * price.numerator, price.denominator);
}
