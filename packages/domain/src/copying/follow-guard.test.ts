import { describe, expect, it } from 'vitest';
import { basisPoints } from '../numbers/basis-points.ts';
import { decideGuard, type GuardedFollow } from './follow-guard.ts';
import { lamports } from '../numbers/lamports.ts';

const NOW = 1_000_000;

function aFollow(overrides: Partial<GuardedFollow> = {}): GuardedFollow {
  return {
    stopLoss: basisPoints(4_000),
    takeProfit: 10_000n,
    investedLamports: lamports(1_000n),
    returnedLamports: lamports(0n),
    liquidationLamports: lamports(1_000n),
    referenceLamports: lamports(1_000n),
    reached: null,
    ...overrides,
  };
}
const at = (value: bigint, reference = value): Partial<GuardedFollow> => ({
  liquidationLamports: lamports(value),
  referenceLamports: lamports(reference),
});

describe('a guard', () => {
  it('is clear between the stop loss and the take profit', () => {
    expect(decideGuard(aFollow(at(601n)), NOW)).toEqual({ kind: 'clear' });
    expect(decideGuard(aFollow(at(1_999n)), NOW)).toEqual({ kind: 'clear' });
  });

  it('waits for a minute at the level and then closes', () => {
    expect(decideGuard(aFollow(at(600n)), NOW)).toEqual({ kind: 'waiting', reason: 'stop-loss', sinceMs: NOW });
    const reached = { reason: 'stop-loss' as const, sinceMs: NOW - 59_999 };
    expect(decideGuard(aFollow({ ...at(600n), reached }), NOW)).toEqual({ kind: 'waiting', ...reached });
    expect(decideGuard(aFollow({ ...at(600n), reached: { ...reached, sinceMs: NOW - 60_000 } }), NOW)).toEqual({
      kind: 'close',
      reason: 'stop-loss',
    });
    expect(decideGuard(aFollow(at(2_000n)), NOW)).toMatchObject({ kind: 'waiting', reason: 'take-profit' });
  });

  it('begins anew when the value recovered, and when the other guard is reached', () => {
    const reached = { reason: 'take-profit' as const, sinceMs: 0 };
    expect(decideGuard(aFollow({ reached }), NOW)).toEqual({ kind: 'clear' });
    expect(decideGuard(aFollow({ ...at(500n), reached }), NOW)).toEqual({
      kind: 'waiting',
      reason: 'stop-loss',
      sinceMs: NOW,
    });
  });

  it('counts what was taken out: taking it is neither a loss nor a gain', () => {
    const taken = { returnedLamports: lamports(500n) };
    expect(decideGuard(aFollow({ ...at(300n), ...taken }), NOW)).toEqual({ kind: 'clear' });
    expect(decideGuard(aFollow({ ...at(100n), ...taken }), NOW)).toMatchObject({ reason: 'stop-loss' });
    expect(decideGuard(aFollow({ ...at(1_499n), ...taken }), NOW)).toEqual({ kind: 'clear' });
    expect(decideGuard(aFollow({ ...at(1_500n), ...taken }), NOW)).toMatchObject({ reason: 'take-profit' });
    expect(decideGuard(aFollow({ ...at(400n), returnedLamports: lamports(1_200n) }), NOW)).toEqual({ kind: 'clear' });
  });

  it('needs both values there: a drained pool or a stale reference alone ends nothing', () => {
    for (const [value, reference] of [
      [500n, 900n],
      [900n, 500n],
      [2_100n, 1_500n],
      [1_500n, 2_100n],
    ] as const) {
      expect(decideGuard(aFollow(at(value, reference)), NOW)).toEqual({ kind: 'clear' });
    }
  });

  it('keeps what was reached while nobody can say what the follow is worth, and closes by no guess', () => {
    const reached = { reason: 'stop-loss' as const, sinceMs: NOW - 90_000 };
    const unknown = { liquidationLamports: null, referenceLamports: null };
    expect(decideGuard(aFollow({ ...unknown, reached }), NOW)).toEqual({ kind: 'waiting', ...reached });
    expect(decideGuard(aFollow({ ...at(600n), liquidationLamports: null, reached }), NOW)).toMatchObject(reached);
    expect(decideGuard(aFollow({ ...at(600n), referenceLamports: null, reached }), NOW)).toMatchObject(reached);
    // One that recovered says enough, and so does a guard that is off.
    expect(decideGuard(aFollow({ ...at(601n), referenceLamports: null, reached }), NOW)).toEqual({ kind: 'clear' });
    expect(decideGuard(aFollow({ ...at(601n), liquidationLamports: null, reached }), NOW)).toEqual({ kind: 'clear' });
    expect(decideGuard(aFollow({ ...unknown, stopLoss: null, reached }), NOW)).toEqual({ kind: 'clear' });
    expect(decideGuard(aFollow({ ...at(600n), reached }), NOW)).toEqual({ kind: 'close', reason: 'stop-loss' });
  });

  it('is clear where a value is unknown or the guard is off', () => {
    expect(decideGuard(aFollow({ ...at(1n), referenceLamports: null }), NOW)).toEqual({ kind: 'clear' });
    expect(decideGuard(aFollow({ ...at(1n), liquidationLamports: null }), NOW)).toEqual({ kind: 'clear' });
    expect(decideGuard(aFollow({ ...at(1n), stopLoss: null }), NOW)).toEqual({ kind: 'clear' });
    expect(decideGuard(aFollow({ ...at(9_999n), takeProfit: null }), NOW)).toEqual({ kind: 'clear' });
  });

  it('is clear at any value where none was set', () => {
    expect(decideGuard(aFollow({ ...at(0n), stopLoss: null, takeProfit: null }), NOW)).toEqual({ kind: 'clear' });
    expect(decideGuard(aFollow({ ...at(9_000n), takeProfit: null }), NOW)).toEqual({ kind: 'clear' });
  });
});
