import { useEffect } from 'react';
import type { Translate } from '../../i18n/i18n.ts';
import { draftLines } from './draft-lines.ts';
import type { ChartPrices, DraftedOrders } from './draft-lines.ts';
import { protectLines } from './protect-lines.ts';
import type { Holding, PlannedLine, ProtectedBuy } from './protect-lines.ts';

/** What is being composed in one of the forms. */
export type PlannedOrders = ProtectedBuy | DraftedOrders;

export function plannedLines(
  orders: PlannedOrders,
  held: Holding | null,
  now: ChartPrices,
  t: Translate,
): PlannedLine[] {
  return 'draft' in orders ? draftLines(orders, held, now, t) : protectLines(orders, held, t);
}

/** Tells when it changes, and that there is nothing once the form is left. */
export function useTellPlanned(orders: PlannedOrders | null, onPlanned: (orders: PlannedOrders | null) => void): void {
  const key = JSON.stringify(orders);
  useEffect(() => {
    onPlanned(orders);
    // The key stands for the orders, which are a new object with every render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key, onPlanned]);
  useEffect(() => () => onPlanned(null), [onPlanned]);
}
