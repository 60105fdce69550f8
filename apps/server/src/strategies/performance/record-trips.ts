import type { BaseUnits } from '@hunter/domain/numbers/base-units';
import { basisPoints } from '@hunter/domain/numbers/basis-points';
import type { Lamports } from '@hunter/domain/numbers/lamports';
import type { OffMarketReason } from '@hunter/domain/record/off-market';
import type { CountedTrip, RecordTrip } from '@hunter/domain/record/record-trip';
import type { Address } from '@hunter/solana/address';
import type { Sql } from '../../platform/postgres.ts';
import { rowValues } from '../../platform/columns-of.ts';

/** A trip of the record with the row that keeps it. */
export type StoredTrip = { id: bigint; strategyId: string; userId: string; mint: Address; trip: RecordTrip };

type TripRow = {
  id: bigint;
  strategyId: string;
  userId: string;
  mint: Address;
  openedAt: Date;
  closedAt: Date | null;
  openingLamports: Lamports;
  openingEquityLamports: Lamports;
  equityLamports: Lamports;
  heldTokens: BaseUnits;
  costLamports: Lamports;
  proceedsLamports: bigint;
  poolLamports: Lamports;
  poolFeeBps: number;
  offMarket: OffMarketReason | null;
};

const SELECT_TRIP = `select id, strategy_id as "strategyId", user_id as "userId", mint, opened_at as "openedAt",
  closed_at as "closedAt", opening_lamports as "openingLamports", opening_equity_lamports as "openingEquityLamports",
  equity_lamports as "equityLamports", held_tokens as "heldTokens", cost_lamports as "costLamports",
  proceeds_lamports as "proceedsLamports", pool_lamports as "poolLamports", pool_fee_bps as "poolFeeBps",
  off_market as "offMarket" from record_trip`;

function storedTrip({ id, strategyId, userId, mint, openedAt, closedAt, poolFeeBps, ...amounts }: TripRow): StoredTrip {
  const [openedAtMs, closedAtMs] = [openedAt.getTime(), closedAt?.getTime() ?? null];
  return {
    id,
    strategyId,
    userId,
    mint,
    trip: { ...amounts, openedAtMs, closedAtMs, poolFee: basisPoints(poolFeeBps) },
  };
}

/** By mint; there is at most one of each. */
export async function lockOpenTrips(
  sql: Sql,
  strategyId: string,
  mints: readonly Address[],
): Promise<ReadonlyMap<string, StoredTrip>> {
  const rows = await sql.query<TripRow>(
    `${SELECT_TRIP} where strategy_id = $1 and mint = any($2::text[]) and closed_at is null order by id for update`,
    [strategyId, mints],
  );
  return new Map(rows.map((row) => [row.mint, storedTrip(row)]));
}

/** Open trips that count by their mark, those first whose last mark is the oldest. */
export async function loadTripsToMark(
  sql: Sql,
  openedBefore: Date,
  markedBefore: Date,
  limit: number,
): Promise<StoredTrip[]> {
  const rows = await sql.query<TripRow>(
    `${SELECT_TRIP} where closed_at is null and opened_at <= $1 and (marked_at is null or marked_at <= $2)
     order by marked_at nulls first limit $3`,
    [openedBefore, markedBefore, limit],
  );
  return rows.map(storedTrip);
}

/** `id` is null for a trip that was opened just now. */
export async function saveTrip(
  sql: Sql,
  { id, strategyId, userId, mint, trip }: Omit<StoredTrip, 'id'> & { id: bigint | null },
  counted: CountedTrip | null,
): Promise<void> {
  const values = [
    trip.closedAtMs === null ? null : new Date(trip.closedAtMs),
    ...rowValues(trip, 'equityLamports', 'heldTokens', 'costLamports', 'proceedsLamports', 'poolLamports'),
    Number(trip.poolFee),
    trip.offMarket,
    counted?.outcome ?? null,
    counted?.x ?? null,
  ];
  if (id !== null) {
    await sql.write(
      `update record_trip set closed_at = $2, equity_lamports = $3, held_tokens = $4, cost_lamports = $5, proceeds_lamports = $6,
         pool_lamports = $7, pool_fee_bps = $8, off_market = $9, outcome = $10, x = $11 where id = $1`,
      [id, ...values],
    );
    return;
  }
  await sql.write(
    `insert into record_trip (strategy_id, user_id, mint, opened_at, opening_lamports, opening_equity_lamports, closed_at,
       equity_lamports, held_tokens, cost_lamports, proceeds_lamports, pool_lamports, pool_fee_bps, off_market, outcome, x)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [strategyId, userId, mint, new Date(trip.openedAtMs), trip.openingLamports, trip.openingEquityLamports, ...values],
  );
}

export type TripMark = { id: bigint; mark: { lamports: Lamports; counted: CountedTrip | null } | null };

/** A mark that nobody could tell leaves the last one, and is asked for again later. */
export async function saveMarks(sql: Sql, marks: readonly TripMark[], at: Date): Promise<void> {
  if (marks.length === 0) return;
  await sql.write(
    `update record_trip t set marked_at = $2, mark_lamports = case when v.known then v.lamports else t.mark_lamports end,
       outcome = case when v.known then v.outcome else t.outcome end, x = case when v.known then v.x else t.x end
     from unnest($1::bigint[], $3::boolean[], $4::numeric[], $5::text[], $6::float8[]) v (id, known, lamports, outcome, x)
     where t.id = v.id and t.closed_at is null`,
    [
      marks.map(({ id }) => id),
      at,
      marks.map(({ mark }) => mark !== null),
      marks.map(({ mark }) => mark?.lamports ?? null),
      marks.map(({ mark }) => mark?.counted?.outcome ?? null),
      marks.map(({ mark }) => mark?.counted?.x ?? null),
    ],
  );
}
