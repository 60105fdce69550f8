import { expect, it } from 'vitest';
import type { Database } from '../../platform/postgres.ts';
import { useTestDatabase } from '../../platform/postgres-for-test.ts';
import { thinPoints } from './thin-points.ts';

const ID = '00000000-0000-0000-0000-000000000001';
const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 10, 1);
const MINUTE_MS = 60_000;
const RESTING = [185, 190, 195, 239, 245, 250, 299];

let database: Database;
useTestDatabase((opened) => (database = opened));

const left = async () => {
  const rows = await database.query<{ minute: number }>(
    `select (extract(epoch from at - $1::timestamptz) / 60)::int as minute from nav_point order by at`,
    [new Date(START_MS)],
  );
  return rows.map(({ minute }) => minute);
};
const add = (points: readonly (readonly [number, number])[]) =>
  database.write(
    `insert into nav_point (strategy_id, at, nav, equity_lamports) select $1, v.at, v.nav, 1
     from unnest($2::timestamptz[], $3::numeric[]) v (at, nav)`,
    [ID, points.map(([minute]) => new Date(START_MS + minute * MINUTE_MS)), points.map(([, nav]) => nav)],
  );

it('keeps where a strategy began, the last of each hour, and what its drawdown is computed from', async () => {
  await database.transaction(async (sql) => {
    // Without the user, book and wallet that it refers to.
    await sql.write(`set local session_replication_role = replica`);
    await sql.write(
      `insert into strategy (id, user_id, book_id, wallet_id, slug, name, status, auto_clear, capital_lamports, published_at)
       values ($1, $1, $1, $1, 'a', 'a', 'running', true, 1, $2)`,
      [ID, new Date(START_MS)],
    );
    await sql.write(
      `insert into strategy_stats (strategy_id, units, nav, peak, worst_peak, worst_low, equity_lamports, marked_at)
       values ($1, 1, 100, 180, 150, 60, 1, $2)`,
      [ID, new Date(START_MS)],
    );
  });
  await add([
    [0, 100],
    [10, 90],
    [20, 150],
    [30, 140],
    [59, 130],
    [61, 60],
    [70, 110],
    [119, 120],
    [125, 180],
    [130, 115],
    [140, 116],
    // At its high and resting there: the first of these says it.
    ...RESTING.map((minute) => [minute, minute === 299 ? 120 : 180] as const),
  ]);
  // Until then the third hour is not old; its points wait for the next time.
  await thinPoints(database, START_MS + 8 * DAY_MS + 120 * MINUTE_MS, null);
  expect(await left()).toEqual([0, 20, 59, 61, 119, 125, 130, 140, ...RESTING]);
  await thinPoints(database, START_MS + 8 * DAY_MS + 180 * MINUTE_MS, START_MS + 8 * DAY_MS + 120 * MINUTE_MS);
  expect(await left()).toEqual([0, 20, 59, 61, 119, 125, 140, ...RESTING]);
  await thinPoints(database, START_MS + 8 * DAY_MS + 300 * MINUTE_MS, START_MS + 8 * DAY_MS + 180 * MINUTE_MS);
  expect(await left()).toEqual([0, 20, 59, 61, 119, 125, 140, 185, 239, 299]);
});

it('looks at nothing that it has looked at before', async () => {
  await add([[15, 100]]);
  await thinPoints(database, START_MS + 9 * DAY_MS, START_MS + 8 * DAY_MS + 180 * MINUTE_MS);
  expect(await left()).toContain(15);
  await thinPoints(database, START_MS + 9 * DAY_MS, null);
  expect(await left()).not.toContain(15);
});
