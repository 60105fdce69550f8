import { lamports } from '@hunter/domain/numbers/lamports';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { expect, it } from 'vitest';
import { mintNamed } from '@hunter/domain/address-for-test';
import type { Database } from '../../platform/postgres.ts';
import { useTestDatabase } from '../../platform/postgres-for-test.ts';
import type { Pools } from '../book-holdings.ts';
import { loadPoolMarks, savePoolMarks } from './pool-marks.ts';

const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 86_400_000;
const FROM_MS = Date.UTC(2026, 0, 1, 0, 0, 34);

let database: Database;
useTestDatabase((opened) => {
  database = opened;
});

/** Keeps the pools of these coins so many minutes after the beginning, with that many lamports in each. */
async function keep(minutes: number, ...mints: string[]): Promise<void> {
  const solReserve = lamports(BigInt(1_000_000 + minutes));
  const rest = { tokenReserve: baseUnits(1n), virtualSol: lamports(0n), virtualTokens: baseUnits(0n), feeBps: 50n };
  const pools: Pools = new Map(mints.map((mint) => [mintNamed(mint), { solReserve, ...rest }]));
  await savePoolMarks(database, pools, new Date(FROM_MS + minutes * MINUTE_MS));
}

async function marksOfWeek(...mints: string[]) {
  const marks = await loadPoolMarks(database, mints.map(mintNamed), FROM_MS, FROM_MS + WEEK_MS);
  return marks.map(({ atMs, pools }) => [
    Math.ceil((atMs - FROM_MS) / MINUTE_MS),
    Object.fromEntries([...pools].map(([mint, { solReserve }]) => [mint, Number(solReserve) - 1_000_000])),
  ]);
}

it('gives over a week every mark that was kept, at whatever minute, where hours lie between them', async () => {
  for (const minutes of [1_000, 2_003, 3_001, 5_000]) await keep(minutes, 'A', 'B');
  expect(await marksOfWeek('A', 'B')).toEqual(
    [1_000, 2_003, 3_001, 5_000].map((minutes) => [minutes, { A: minutes, B: minutes }]),
  );
});

it('begins with each pool as it was last kept before, and gives over a long span one of each step', async () => {
  await keep(-300, 'C');
  await keep(-200, 'C', 'D');
  await keep(-100, 'D');
  for (let minutes = 1; minutes <= 34; minutes += 1) await keep(minutes, 'C');
  const [first, ...others] = await marksOfWeek('C', 'D');
  expect(first).toEqual([0, { C: -200, D: -100 }]);
  expect(others).toEqual([
    [1, { C: 1 }],
    [18, { C: 18 }],
  ]);
});
