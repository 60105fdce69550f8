import { FLAT, type Fill } from '@hunter/domain/record/position';
import type { Sql } from '../platform/postgres.ts';
import {
  applyFill,
  insertFills,
  keyOf,
  lockPositions,
  savePositions,
  saveTrips,
  SELECT_TRIP,
  type FillRow,
  type TripRow,
} from './positions.ts';

type Place = Pick<FillRow, 'bookId' | 'mint' | 'userId'>;
type StoredFill = Place & Pick<FillRow, 'reference' | 'at'> & Fill;

/**
 * Takes fills back that did not happen after all. Their rows stay, and a second table says that they no longer count; positions and
 * round trips of their books are computed again from those that do.
 */
export async function undoFills(sql: Sql, references: readonly string[], at: Date): Promise<void> {
  const undone = await sql.write<Place>(
    `with undone as (
       insert into fill_undone (reference, at) select f.reference, $2 from fill f where f.reference = any($1::text[])
       on conflict do nothing returning reference
     )
     select distinct f.book_id as "bookId", f.mint, f.user_id as "userId" from fill f join undone using (reference)`,
    [references, at],
  );
  await computeAgain(sql, undone);
}

/** Fills that come instead of undone ones, in their place among the others. */
export async function replaceFills(sql: Sql, rows: readonly FillRow[]): Promise<void> {
  if (rows.length === 0) return;
  const places = new Map(rows.map(({ bookId, mint, userId }) => [keyOf(bookId, mint), { bookId, mint, userId }]));
  await insertFills(sql, rows);
  await computeAgain(sql, [...places.values()]);
}

async function computeAgain(sql: Sql, places: readonly Place[]): Promise<void> {
  if (places.length === 0) return;
  const states = await lockPositions(sql, places);
  const keys = [places.map(({ bookId }) => bookId), places.map(({ mint }) => mint)];
  const fills = await sql.query<StoredFill>(
    `select f.book_id as "bookId", f.mint, f.user_id as "userId", f.reference, f.at, f.kind, f.tokens, f.lamports,
       f.fee_lamports as "feeLamports", f.cost_lamports as "costLamports", f.uncosted_tokens as "uncostedTokens"
     from standing_fill f join unnest($1::uuid[], $2::text[]) k (book_id, mint) using (book_id, mint)
     where f.book_id = any($1::uuid[]) order by f.place, f.id`,
    keys,
  );
  for (const state of states.values()) Object.assign(state, { position: FLAT, openedAt: null, trip: null, ended: [] });
  for (const row of fills) applyFill(states.get(keyOf(row.bookId, row.mint))!, { ...row, fill: row });
  await savePositions(sql, states);
  const before = await sql.query<TripRow>(
    `${SELECT_TRIP} join unnest($1::uuid[], $2::text[]) k (book_id, mint) using (book_id, mint) order by t.id`,
    keys,
  );
  const gone = keepIds(states, before);
  await sql.write(`delete from round_trip where id = any($1::bigint[])`, [gone]);
  await saveTrips(sql, states);
}

/** A trip that opened as before is the same one, and whoever names it still finds it. Answers the ids of those that are gone. */
function keepIds(states: Awaited<ReturnType<typeof lockPositions>>, before: readonly TripRow[]): bigint[] {
  const free = new Set(before);
  for (const [key, state] of states) {
    for (const each of state.trip === null ? state.ended : [...state.ended, state.trip]) {
      const { openedAtMs, openPrice } = each.trip;
      const same = [...free].find(
        (row) =>
          keyOf(row.bookId, row.mint) === key &&
          +row.openedAt === openedAtMs &&
          row.openLamports === openPrice.numerator &&
          row.openTokens === openPrice.denominator,
      );
      if (!same) continue;
      each.id = same.id;
      free.delete(same);
    }
  }
  return [...free].map(({ id }) => id);
}
