import { FLAT, positionAfter, withUnseen, type Fill, type Position } from './position.ts';

/** `position` names the book and token that it happened in. */
export type DatedFill = { readonly position: string; readonly fill: Fill; readonly atMs: number };
export type RealizedDay = { lamports: bigint; sales: number };

/**
 * What each day realized: the fills of all positions from their first one on, each position in its own order, applied by the same
 * rule as everywhere. A failed transaction realizes its fee; buying realizes nothing.
 */
export function realizedByDay(fills: Iterable<DatedFill>, dayOf: (atMs: number) => string): Map<string, RealizedDay> {
  const positions = new Map<string, Position>();
  const days = new Map<string, RealizedDay>();
  for (const { position, fill, atMs } of fills) {
    const before = withUnseen(positions.get(position) ?? FLAT, fill);
    const after = positionAfter(before, fill);
    positions.set(position, after);
    const realized = after.realizedLamports - before.realizedLamports;
    if (fill.kind !== 'sell' && realized === 0n) continue;
    const day = dayOf(atMs);
    const known = days.get(day) ?? { lamports: 0n, sales: 0 };
    known.lamports += realized;
    if (fill.kind === 'sell') known.sales += 1;
    days.set(day, known);
  }
  return days;
}
