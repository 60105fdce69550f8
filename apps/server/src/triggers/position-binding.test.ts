import { expect, it } from 'vitest';
import type { OpenPosition } from '../ledger/positions.ts';
import { isOfPosition } from './position-binding.ts';
import type { Trigger } from './trigger.ts';

const placedFor = (tripId: bigint | null, openedAt = 5) =>
  ({ position: { tripId, openedAt: new Date(openedAt) } }) as Trigger;
const open = (tripId: bigint | null, openedAt = 5) => ({ tripId, openedAt: new Date(openedAt) }) as OpenPosition;

it('belongs to the round trip it was placed for, or to what was opened at that time where nothing was bought', () => {
  expect(isOfPosition(placedFor(1n), open(1n, 9))).toBe(true);
  expect(isOfPosition(placedFor(1n), open(2n))).toBe(false);
  expect(isOfPosition(placedFor(null), open(3n))).toBe(true);
  expect(isOfPosition(placedFor(null), open(null, 6))).toBe(false);
});

it('belongs to nothing where it was placed for none, or none is open', () => {
  expect(isOfPosition({ position: null } as Trigger, open(1n))).toBe(false);
  expect(isOfPosition(placedFor(null), undefined)).toBe(false);
});
