// Rows that change while somebody reads or aims at them. Their figures change in place; their order waits until the pointer is away
// or the reader asks for it.
import { useState } from 'react';

type Keyed = { tokenContractAddress: string };
export type CalmRows<Row> = {
  rows: readonly Row[];
  /** The order that is shown is not the newest one. */
  behind: boolean;
};

/** `shown` are the rows as they stand on the screen. What fell out of the list stays where it is until the order is taken over. */
export function calmRows<Row extends Keyed>(
  shown: readonly Row[],
  newest: readonly Row[],
  held: boolean,
): CalmRows<Row> {
  if (!held || shown.length === 0) return { rows: newest, behind: false };
  const byKey = new Map(newest.map((row) => [row.tokenContractAddress, row]));
  const rows = shown.map((row) => byKey.get(row.tokenContractAddress) ?? row);
  const behind =
    rows.length !== newest.length ||
    rows.some((row, index) => row.tokenContractAddress !== newest[index]?.tokenContractAddress);
  const unchanged = rows.every((row, index) => row === shown[index]);
  return { rows: unchanged ? shown : rows, behind };
}

/** `view` names what the list is of: another view starts with its own order. */
export function useCalmRows<Row extends Keyed>(
  newest: readonly Row[],
  view: string,
  held: boolean,
): CalmRows<Row> & { takeOver: () => void } {
  const [state, setState] = useState({ rows: newest, view, behind: false });
  const isOther = state.view !== view;
  const next = calmRows(isOther ? [] : state.rows, newest, held);
  if (isOther || next.rows !== state.rows || next.behind !== state.behind) setState({ ...next, view });
  return { ...next, takeOver: () => setState({ rows: newest, view, behind: false }) };
}
