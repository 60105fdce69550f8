import type { CallReply } from '@hunter/contract/calls';
import type { Sql } from '../platform/postgres.ts';

/** The steps of the guide, read from what has happened and never from what was clicked. */
export async function loadFirstSteps(sql: Sql, userId: string): Promise<CallReply<'getMyFirstSteps'>> {
  const [row] = await sql.query<CallReply<'getMyFirstSteps'> & { watched: boolean }>(
    `select exists (select 1 from wallet_movement where user_id = $1 and amount > 0) as deposited,
       exists (select 1 from watched_token where user_id = $1) as watched,
       exists (select 1 from fill f join book b on b.id = f.book_id
               where f.user_id = $1 and f.kind = 'buy' and b.kind = 'personal') as bought,
       exists (select 1 from order_trigger
               where user_id = $1 and kind in ('stop-loss', 'take-profit', 'trailing-stop')) as protected,
       exists (select 1 from follow where user_id = $1)
         or exists (select 1 from wallet_follow where user_id = $1) as followed,
       exists (select 1 from equity_point where user_id = $1 and at > (
         select min(at) from (select min(at) as at from fill where user_id = $1 and kind = 'buy'
                              union all select min(opened_at) from follow where user_id = $1) first)) as recorded,
       exists (select 1 from saved_item where user_id = $1 and kind = 'guide') as left`,
    [userId],
  );
  const { watched, ...steps } = row!;
  return { ...steps, found: watched || steps.bought };
}
