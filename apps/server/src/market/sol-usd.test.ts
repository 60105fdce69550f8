import { describe, expect, it } from 'vitest';
import { createLog } from '../platform/log.ts';
import type { Database } from '../platform/postgres.ts';
import { SolUsd } from './sol-usd.ts';

const MINUTE_MS = 60_000;
const NOW_MS = 20_000 * MINUTE_MS;

async function started(minutes: readonly number[]): Promise<SolUsd> {
  const rows = minutes.map((minute) => ({ at: new Date(minute * MINUTE_MS), usd: BigInt(minute) }));
  const solUsd = new SolUsd({
    venue: { solUsdMicro: async () => 1n },
    database: { query: async () => rows, write: async () => [] } as unknown as Database,
    clock: { nowMs: () => NOW_MS, pause: () => new Promise(() => {}) },
    log: createLog('silent'),
  });
  await solUsd.start();
  return solUsd;
}

describe('the price of SOL at a minute', () => {
  it('is the one known at it, or else the nearest before it, however long ago and in whatever order they came', async () => {
    const solUsd = await started([19_500, 12_000, 18_000]);
    expect(await solUsd.at(18_000 * MINUTE_MS + 59_999)).toBe(18_000n);
    expect(await solUsd.at(19_499 * MINUTE_MS)).toBe(18_000n);
    expect(await solUsd.at(17_999 * MINUTE_MS)).toBe(12_000n);
    expect(await solUsd.at(19_999 * MINUTE_MS)).toBe(19_500n);
    expect(await solUsd.at(NOW_MS)).toBe(1n);
  });

  it('is the oldest known one for what came before all of them', async () => {
    const solUsd = await started([12_000, 18_000]);
    expect(await solUsd.at(11_000 * MINUTE_MS)).toBe(12_000n);
  });
});
