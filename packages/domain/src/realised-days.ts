import { FLAT, positionAfter, type Fill, type Position } from './position.ts';

/** `position` names the book and token that it happened in. */
export type DatedFill = { readonly position: string; readonly fill: Fill; readonly atMs: number };
export type RealisedDay = { lamports: bigint; sales: number };

/**
 * What each day realised: the fills of all positions from their first one on, each position in its own order, applied by the same
 * rule as everywhere. A failed transaction realises its fee; buying realises nothing.
 */
export function realisedByDay(fills: Iterable<DatedFill>, dayOf: (atMs: number) => string): Map<string, RealisedDay> {
  const positions = new Map<string, Position>();
  const days = new Map<string, RealisedDay>();
  for (const { position, fill, atMs } of fills) {
    const before = positions.get(position) ?? FLAT;
    const after = positionAfter(before, fill);
    positions.set(position, after);
    const realised = after.realisedLamports - before.realisedLamports;
    if (fill.kind !== 'sell' && realised === 0n) continue;
    const day = dayOf(atMs);
    const known = days.get(day) ?? { lamports: 0n, sales: 0 };
    known.lamports += realised;
    if (fill.kind === 'sell') known.sales += 1;
    days.set(day, known);
  }
  return days;
}
