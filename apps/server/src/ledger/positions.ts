import type { BaseUnits } from '@hunter/domain/numbers/base-units';
import type { Lamports } from '@hunter/domain/numbers/lamports';
import { FLAT, heldTokens, positionAfter, withUnseen, type Fill, type Position } from '@hunter/domain/record/position';
import { roundTripAfter, type RoundTrip } from '@hunter/domain/record/round-trip';
import type { OpenTrip } from '@hunter/domain/record/win-rate';
import type { Address } from '@hunter/solana/address';
import { arrayText, readArray, type Sql } from '../platform/postgres.ts';
import { LOCK_ORDER } from './balances.ts';

/** One thing that happened to a token in a book. `reference` names its cause: a repeated one changes nothing. */
export type FillRow = {
  reference: string;
  userId: string;
  bookId: string;
  mint: Address;
  fill: Fill;
  /** Of tokens that left without us: what they had cost. */
  sentCostLamports?: Lamports;
  at: Date;
  orderId?: string;
  signature?: string;
  slot?: bigint;
};

type TripState = { id: bigint | null; trip: RoundTrip };
type BookState = {
  userId: string;
  bookId: string;
  mint: Address;
  position: Position;
  openedAt: Date | null;
  trip: TripState | null;
  ended: TripState[];
};

/**
 * Records fills and brings positions and round trips up to date in the caller's transaction. Positions are locked in one
 * order by everyone; callers post to the journal first, so that balances are always locked before positions.
 */
export async function recordFills(sql: Sql, rows: readonly FillRow[]): Promise<void> {
  if (rows.length === 0) return;
  await applyFills(sql, await insertFills(sql, rows));
}

/** Likewise for fills that are recorded elsewhere: the allocations of a round are its fills. */
export async function applyFills(sql: Sql, rows: readonly FillRow[]): Promise<void> {
  if (rows.length === 0) return;
  const states = await lockPositions(sql, rows);
  for (const row of rows) applyFill(states.get(keyOf(row.bookId, row.mint))!, row);
  await savePositions(sql, states);
  await saveTrips(sql, states);
}

/** Positions by book and mint, locked until the transaction ends; those that do not exist are left out. */
export async function lockPositionsAt(
  sql: Sql,
  keys: readonly { bookId: string; mint: Address }[],
): Promise<Map<string, Position>> {
  const rows = await selectLocked(sql, keys);
  return new Map(rows.map((row) => [keyOf(row.bookId, row.mint), positionOf(row)]));
}

/** A block's time has whole seconds, so one second counts as later. */
export async function hasPositionOpenedSince(
  sql: Sql,
  { userId, mint, bookId, since }: { userId: string; mint: Address; bookId: string | null; since: Date },
): Promise<boolean> {
  const rows = await sql.query(
    `select 1 from position where user_id = $1 and mint = $2 and quantity + uncosted_tokens > 0
       and opened_at > $3::timestamptz - interval '1 second' and ($4::uuid is null or book_id = $4) limit 1`,
    [userId, mint, since, bookId],
  );
  return rows.length > 0;
}

/** What the tokens in the personal wallet cost: what they are worth changes by the second, and those from outside have no cost. */
export async function loadCostOf(sql: Sql, userId: string): Promise<Lamports> {
  const rows = await sql.query<{ cost: Lamports }>(
    `select coalesce(sum(p.cost_lamports), 0)::numeric(40, 0) as cost from position p join book b on b.id = p.book_id
     where p.user_id = $1 and b.kind = 'personal'`,
    [userId],
  );
  return rows[0]!.cost;
}

function selectLocked(sql: Sql, keys: readonly { bookId: string; mint: Address }[]): Promise<PositionRow[]> {
  return sql.query<PositionRow>(
    `select h.book_id as "bookId", h.asset as mint, h.quantity, h.cost_lamports as "costLamports",
       h.uncosted_tokens as "uncostedTokens", h.realised_lamports as "realizedLamports",
       h.outside_proceeds_lamports as "outsideProceedsLamports", h.opened_at as "openedAt"
     from holding h join (select distinct * from unnest($1::uuid[], $2::text[])) k (book_id, asset) using (book_id, asset)
     where h.quantity is not null ${LOCK_ORDER}`,
    [keys.map((key) => key.bookId), keys.map((key) => key.mint)],
  );
}

export type PositionRow = {
  bookId: string;
  mint: Address;
  quantity: BaseUnits;
  costLamports: Lamports;
  uncostedTokens: BaseUnits;
  realizedLamports: bigint;
  outsideProceedsLamports: bigint;
  openedAt: Date | null;
};

export const SELECT_POSITION = `select p.book_id as "bookId", p.mint, p.quantity, p.cost_lamports as "costLamports",
  p.uncosted_tokens as "uncostedTokens", p.realised_lamports as "realizedLamports",
  p.outside_proceeds_lamports as "outsideProceedsLamports", p.opened_at as "openedAt" from position p`;

export function positionOf(row: PositionRow): Position {
  const { quantity, costLamports, uncostedTokens, realizedLamports, outsideProceedsLamports } = row;
  return { quantity, costLamports, uncostedTokens, realizedLamports, outsideProceedsLamports };
}

export type TripRow = {
  id: bigint;
  bookId: string;
  mint: Address;
  openedAt: Date;
  closedAt: Date | null;
  closedBy: 'sold' | 'moved' | null;
  openLamports: Lamports;
  openTokens: BaseUnits;
  /** Net of the fee, so it may be negative. */
  closeLamports: bigint | null;
  closeTokens: BaseUnits | null;
  boughtTokens: bigint;
  boughtLamports: Lamports;
  soldTokens: bigint;
  soldLamports: bigint;
  quantity: BaseUnits;
  costLamports: Lamports;
  realizedLamports: bigint;
};

/** Purchases in rounds change an open trip only by what its position has gained: its row is as it was when it was last written. */
export const SELECT_TRIP = `select t.id, t.book_id as "bookId", t.mint, t.opened_at as "openedAt", t.closed_at as "closedAt",
  t.closed_by as "closedBy", t.open_lamports as "openLamports", t.open_tokens as "openTokens",
  t.close_lamports as "closeLamports", t.close_tokens as "closeTokens",
  t.bought_tokens + coalesce(live.tokens - t.quantity, 0) as "boughtTokens",
  t.bought_lamports + coalesce(live.cost - t.cost_lamports, 0) as "boughtLamports", t.sold_tokens as "soldTokens",
  t.sold_lamports as "soldLamports", coalesce(live.tokens, t.quantity) as quantity,
  coalesce(live.cost, t.cost_lamports) as "costLamports", t.realised_lamports as "realizedLamports"
  from round_trip t left join lateral (
    select h.quantity as tokens, h.cost_lamports as cost from holding h where h.book_id = t.book_id and h.asset = t.mint
  ) live on t.closed_at is null`;

export function tripOf(row: TripRow): RoundTrip {
  return {
    openedAtMs: row.openedAt.getTime(),
    closedAtMs: row.closedAt?.getTime() ?? null,
    closedBy: row.closedBy,
    openPrice: { numerator: row.openLamports, denominator: row.openTokens },
    closePrice: row.closeTokens === null ? null : { numerator: row.closeLamports!, denominator: row.closeTokens },
    boughtTokens: row.boughtTokens,
    boughtLamports: row.boughtLamports,
    soldTokens: row.soldTokens,
    soldLamports: row.soldLamports,
    position: {
      ...FLAT,
      quantity: row.quantity,
      costLamports: row.costLamports,
      realizedLamports: row.realizedLamports,
    },
  };
}

export function keyOf(bookId: string, mint: Address): string {
  return `${bookId} ${mint}`;
}

export async function insertFills(sql: Sql, rows: readonly FillRow[]): Promise<FillRow[]> {
  const parts = rows.map(({ fill, sentCostLamports = 0n }) => ({
    tokens: 'tokens' in fill ? fill.tokens : 0n,
    lamports: 'lamports' in fill ? fill.lamports : 0n,
    fee: 'feeLamports' in fill ? fill.feeLamports : 0n,
    cost: fill.kind === 'moved-in' ? fill.costLamports : sentCostLamports,
    uncosted: fill.kind === 'moved-in' ? fill.uncostedTokens : 0n,
  }));
  // The rows to be locked next are made sure of in the same statement; a statement does not see what it inserts itself.
  const inserted = await sql.write<{ reference: string }>(
    `with zero as (
       insert into holding (book_id, asset, quantity, cost_lamports)
       select distinct book_id, mint, 0, 0 from unnest($3::uuid[], $4::text[]) v (book_id, mint) order by 1, 2
       on conflict (book_id, asset) do update set quantity = 0, cost_lamports = 0 where holding.quantity is null
     )
     insert into fill (reference, user_id, book_id, mint, kind, tokens, lamports, fee_lamports, cost_lamports,
       uncosted_tokens, order_id, signature, slot, at)
     select * from unnest($1::text[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::numeric[], $7::numeric[],
       $8::numeric[], $9::numeric[], $10::numeric[], $11::uuid[], $12::text[], $13::bigint[], $14::timestamptz[])
     on conflict (reference) do nothing returning reference`,
    [
      rows.map((row) => row.reference),
      rows.map((row) => row.userId),
      rows.map((row) => row.bookId),
      rows.map((row) => row.mint),
      rows.map((row) => row.fill.kind),
      parts.map((part) => part.tokens),
      parts.map((part) => part.lamports),
      parts.map((part) => part.fee),
      parts.map((part) => part.cost),
      parts.map((part) => part.uncosted),
      rows.map((row) => row.orderId ?? null),
      rows.map((row) => row.signature ?? null),
      rows.map((row) => row.slot ?? null),
      rows.map((row) => row.at),
    ],
  );
  const fresh = new Set(inserted.map((row) => row.reference));
  return rows.filter((row) => fresh.has(row.reference));
}

export async function lockPositions(
  sql: Sql,
  rows: readonly Pick<FillRow, 'userId' | 'bookId' | 'mint'>[],
): Promise<Map<string, BookState>> {
  const states = new Map<string, BookState>();
  for (const { userId, bookId, mint } of rows) {
    const flat = { position: FLAT, openedAt: null, trip: null, ended: [] };
    states.set(keyOf(bookId, mint), { userId, bookId, mint, ...flat });
  }
  const keys = [...states.values()];
  const columns = [keys.map((key) => key.bookId), keys.map((key) => key.mint)];
  for (const row of await selectLocked(sql, keys)) {
    const state = states.get(keyOf(row.bookId, row.mint))!;
    state.position = positionOf(row);
    state.openedAt = row.openedAt;
  }
  const trips = await sql.query<TripRow>(
    `${SELECT_TRIP} join unnest($1::uuid[], $2::text[]) k (book_id, mint) using (book_id, mint) where t.closed_at is null`,
    columns,
  );
  for (const row of trips) states.get(keyOf(row.bookId, row.mint))!.trip = { id: row.id, trip: tripOf(row) };
  return states;
}

export function applyFill(state: BookState, row: FillRow): void {
  const { fill } = row;
  state.position = withUnseen(state.position, fill);
  const trip = roundTripAfter(state.trip?.trip ?? null, fill, row.at.getTime(), state.position.uncostedTokens);
  state.position = positionAfter(state.position, fill);
  const after = heldTokens(state.position);
  if (after === 0n) state.openedAt = null;
  else state.openedAt ??= row.at;
  if (trip === null) return;
  const changed: TripState = { id: state.trip?.id ?? null, trip };
  if (trip.closedAtMs === null) state.trip = changed;
  else if (state.trip !== null) {
    state.ended.push(changed);
    state.trip = null;
  }
}

export async function savePositions(sql: Sql, states: Map<string, BookState>): Promise<void> {
  const entries = [...states.values()];
  await sql.write(
    `update holding h set quantity = v.quantity, cost_lamports = v.cost, uncosted_tokens = v.uncosted,
       realised_lamports = v.realised, outside_proceeds_lamports = v.outside, opened_at = v.opened_at
     from unnest($1::uuid[], $2::text[], $3::numeric[], $4::numeric[], $5::numeric[], $6::numeric[], $7::numeric[],
       $8::timestamptz[]) v (book_id, mint, quantity, cost, uncosted, realised, outside, opened_at)
     where h.book_id = v.book_id and h.asset = v.mint`,
    [
      entries.map((entry) => entry.bookId),
      entries.map((entry) => entry.mint),
      entries.map((entry) => entry.position.quantity),
      entries.map((entry) => entry.position.costLamports),
      entries.map((entry) => entry.position.uncostedTokens),
      entries.map((entry) => entry.position.realizedLamports),
      entries.map((entry) => entry.position.outsideProceedsLamports),
      entries.map((entry) => entry.openedAt),
    ],
  );
}

export async function saveTrips(sql: Sql, states: Map<string, BookState>): Promise<void> {
  const all = [...states.values()].flatMap(({ userId, bookId, mint, ...state }) => {
    const trips = state.trip === null ? state.ended : [...state.ended, state.trip];
    return trips.map(({ id, trip }) => ({ id, trip, bookId, mint, userId }));
  });
  const columns = (rows: typeof all) => [
    rows.map(({ trip }) => (trip.closedAtMs === null ? null : new Date(trip.closedAtMs))),
    rows.map(({ trip }) => trip.closedBy),
    rows.map(({ trip }) => trip.closePrice?.numerator ?? null),
    rows.map(({ trip }) => trip.closePrice?.denominator ?? null),
    rows.map(({ trip }) => trip.boughtTokens),
    rows.map(({ trip }) => trip.boughtLamports),
    rows.map(({ trip }) => trip.soldTokens),
    rows.map(({ trip }) => trip.soldLamports),
    rows.map(({ trip }) => trip.position.quantity),
    rows.map(({ trip }) => trip.position.costLamports),
    rows.map(({ trip }) => trip.position.realizedLamports),
  ];
  const known = all.filter((row) => row.id !== null);
  // Closed ones are written before new ones open: one open trip per book and token.
  if (known.length > 0) {
    await sql.write(
      `update round_trip t set closed_at = v.closed_at, closed_by = v.closed_by, close_lamports = v.close_lamports,
         close_tokens = v.close_tokens, bought_tokens = v.bought_tokens, bought_lamports = v.bought_lamports,
         sold_tokens = v.sold_tokens, sold_lamports = v.sold_lamports, quantity = v.quantity,
         cost_lamports = v.cost, realised_lamports = v.realised
       from unnest($1::timestamptz[], $2::text[], $3::numeric[], $4::numeric[], $5::numeric[], $6::numeric[],
         $7::numeric[], $8::numeric[], $9::numeric[], $10::numeric[], $11::numeric[], $12::bigint[])
         v (closed_at, closed_by, close_lamports, close_tokens, bought_tokens, bought_lamports, sold_tokens,
            sold_lamports, quantity, cost, realised, id)
       where t.id = v.id`,
      [...columns(known), known.map((row) => row.id)],
    );
  }
  const opened = all.filter((row) => row.id === null);
  if (opened.length === 0) return;
  await sql.write(
    `insert into round_trip (closed_at, closed_by, close_lamports, close_tokens, bought_tokens, bought_lamports,
       sold_tokens, sold_lamports, quantity, cost_lamports, realised_lamports, book_id, mint, user_id, opened_at,
       open_lamports, open_tokens)
     select * from unnest($1::timestamptz[], $2::text[], $3::numeric[], $4::numeric[], $5::numeric[], $6::numeric[],
       $7::numeric[], $8::numeric[], $9::numeric[], $10::numeric[], $11::numeric[], $12::uuid[], $13::text[],
       $14::uuid[], $15::timestamptz[], $16::numeric[], $17::numeric[])`,
    [
      ...columns(opened),
      opened.map((row) => row.bookId),
      opened.map((row) => row.mint),
      opened.map((row) => row.userId),
      opened.map((row) => new Date(row.trip.openedAtMs)),
      opened.map((row) => row.trip.openPrice.numerator),
      opened.map((row) => row.trip.openPrice.denominator),
    ],
  );
}

/** A position as long as anything of it is held. Its round trip is null where nothing of it was bought here. */
export type OpenPosition = PositionRow & { openedAt: Date; tripId: bigint | null };

/** By book and mint (`keyOf`); those that are flat are left out. */
export async function loadOpenPositions(
  sql: Sql,
  keys: readonly { bookId: string; mint: Address }[],
): Promise<Map<string, OpenPosition>> {
  if (keys.length === 0) return new Map();
  const rows = await sql.query<OpenPosition>(
    `select q.*, t.id as "tripId" from (
       ${SELECT_POSITION} join (select distinct * from unnest($1::uuid[], $2::text[])) k (book_id, mint) using (book_id, mint)
       where p.opened_at is not null
     ) q left join round_trip t on t.book_id = q."bookId" and t.mint = q.mint and t.closed_at is null`,
    [keys.map((key) => key.bookId), keys.map((key) => key.mint)],
  );
  return new Map(rows.map((row) => [keyOf(row.bookId, row.mint), row]));
}

/** Round trips in a coin that began and ended alike: those who copy a creator have them with each of his. */
export type ClosedTrips = { mint: Address; openedAt: Date; closedAt: Date; bookIds: string[] };

/** Round trips of these books that were opened since then and ended with a sale, nothing of them having left in kind. */
export async function loadClosedTrips(sql: Sql, bookIds: readonly string[], since: Date): Promise<ClosedTrips[]> {
  const rows = await sql.query<Omit<ClosedTrips, 'bookIds'> & { bookIds: string }>(
    `select mint, opened_at as "openedAt", closed_at as "closedAt", array_agg(book_id)::text as "bookIds"
     from round_trip where book_id = any($1::uuid[]) and opened_at > $2 and closed_by = 'sold' and sold_tokens >= bought_tokens
     group by mint, opened_at, closed_at`,
    [arrayText(bookIds), since],
  );
  return rows.map((row) => ({ ...row, bookIds: readArray(row.bookIds) }));
}

export type TripCount = { bookId: string; closed: number; won: number };

/** A trip whose sales have lost money so far. */
const HAS_LOST = 't.sold_tokens > 0 and t.realised_lamports < 0';

/** Round trips that the win rate counts, by book; a book without one is left out. */
export async function countRoundTrips(sql: Sql, bookIds: readonly string[]): Promise<Map<string, TripCount>> {
  const rows = await sql.query<TripCount>(
    `select book_id as "bookId", count(*)::int as closed, (count(*) filter (where t.realised_lamports > 0))::int as won
     from round_trip t where book_id = any($1::uuid[]) and (closed_by = 'sold' or (${HAS_LOST})) group by book_id`,
    [bookIds],
  );
  return new Map(rows.map((row) => [row.bookId, row]));
}

export type UnsoldTrip = OpenTrip & { bookId: string; mint: Address; quantity: BaseUnits };

/** Open round trips that the win rate does not count. */
export function loadUnsoldTrips(sql: Sql, bookIds: readonly string[]): Promise<UnsoldTrip[]> {
  return sql.query<UnsoldTrip>(
    `select t.book_id as "bookId", t.mint, p.quantity, p.cost_lamports as "costLamports", t.realised_lamports as "realizedLamports"
     from round_trip t join position p on p.book_id = t.book_id and p.mint = t.mint
     where t.book_id = any($1::uuid[]) and t.closed_at is null and not (${HAS_LOST})`,
    [bookIds],
  );
}
