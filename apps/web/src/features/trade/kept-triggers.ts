import { useRef, useState } from 'react';
import { REMEMBERED_MS } from '../../data/attempts.ts';
import type { PricesNow, TriggerDraft, TriggerType } from './trigger-draft.ts';

type Tried = { fromMs: number; atMs: number };
export type KeptTriggers = ReturnType<typeof useKeptTriggers>;

/** What is typed into the form of orders that wait. Of the page, because it stays when the form is left. */
export function useKeptTriggers() {
  const [chosen, setChosen] = useState<Partial<TriggerDraft>>({});
  // Whether a level lies above or below the price is settled when it is chosen: a price that passes it a moment before the
  // click must not turn the order around.
  const [chosenAt, setChosenAt] = useState<PricesNow | null>(null);
  // Its answer may be lost: shown as open it would leave the form, and the rest, placed again, be another order.
  const [sent, setSent] = useState<{ type: TriggerType; bookId: string | undefined; draft: TriggerDraft } | null>(null);
  const tried = useRef<Tried | null>(null);
  return {
    chosen,
    setChosen,
    chosenAt,
    setChosenAt,
    sent,
    setSent,
    /** It expires so long after it is placed, however long the form was open. Pressed again after a lost answer, it is the same order. */
    tryNow: (): Tried => {
      const atMs = Date.now();
      const before = tried.current;
      return { atMs, fromMs: before && atMs - before.atMs < REMEMBERED_MS ? before.fromMs : atMs };
    },
    setTried: (next: Tried | null) => {
      tried.current = next;
    },
  };
}
