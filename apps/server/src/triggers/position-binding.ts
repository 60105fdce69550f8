import type { OpenPosition } from '../ledger/positions.ts';
import type { Trigger } from './trigger.ts';

/** Whether the position that is open now is the one the trigger was placed for. */
export function isOfPosition({ position }: Trigger, open: OpenPosition | undefined): boolean {
  if (position === null || open === undefined) return false;
  return position.tripId === null ? +position.openedAt === +open.openedAt : position.tripId === open.tripId;
}
