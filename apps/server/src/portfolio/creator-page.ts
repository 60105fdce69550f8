import { AppError } from '@hunter/contract/app-error';
import type { CallReply } from '@hunter/contract/calls';
import { printSol } from '@hunter/domain/numbers/lamports';
import type { Strategies } from '../strategies/strategies.ts';
import { coinsOf, FROM_CARD, printCard, printShare, SELECT_CARD, type CardRow } from './strategy-cards.ts';

const STRATEGIES_SHOWN = 100;

type TotalsRow = {
  id: string;
  since: Date;
  score: number | null;
  countedTrips: number;
  wonTrips: number;
  followers: number;
  copyFunds: bigint;
  ranked: number;
  running: number;
  ended: number;
};

/** The record counts everything that a creator has published, so that nobody can hide a strategy by ending it. */
export async function loadCreator(
  deps: Strategies,
  name: string,
  userId: string | null,
): Promise<CallReply<'getCreator'>> {
  const totals = await deps.database.query<TotalsRow>(
    `select u.id, u.created_at as since, max(t.score) as score, sum(t.counted_trips)::int as "countedTrips",
       sum(t.counted_won)::int as "wonTrips",
       coalesce(sum(t.followers) filter (where s.status <> 'ended'), 0)::int as followers,
       coalesce(sum(t.copy_funds_lamports) filter (where s.status <> 'ended'), 0)::numeric(40, 0) as "copyFunds",
       (count(*) filter (where t.tier = 'ranked'))::int as ranked,
       (count(*) filter (where s.status <> 'ended'))::int as running, (count(*) filter (where s.status = 'ended'))::int as ended
     from users u join strategy s on s.user_id = u.id join strategy_stats t on t.strategy_id = s.id
     where u.display_name = $1 group by u.id`,
    [name],
  );
  const creator = totals[0];
  if (!creator) throw new AppError('CREATOR_NOT_FOUND');
  const rows = await deps.database.query<CardRow>(
    `${SELECT_CARD} ${FROM_CARD} where s.user_id = $2 order by (s.status = 'ended'), s.published_at desc, s.id limit ${STRATEGIES_SHOWN}`,
    [userId, creator.id],
  );
  const facts = await deps.tokens.load(rows.flatMap((row) => coinsOf(row).map(({ mint }) => mint)));
  const { countedTrips, wonTrips, followers, ranked, running, ended } = creator;
  return {
    name,
    since: creator.since.getTime(),
    score: printShare(creator.score),
    countedTrips,
    wonTrips,
    followers,
    copyTradeFunds: printSol(creator.copyFunds),
    ranked,
    running,
    ended,
    strategies: rows.map((row) => printCard(row, facts, userId, deps.clock.nowMs())),
  };
}
