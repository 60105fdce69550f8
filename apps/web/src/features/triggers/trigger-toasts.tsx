import { useRef } from 'react';
import { useMyStream } from '../../data/stream.ts';
import { useT } from '../../i18n/i18n.ts';
import { toast } from '../../ui/toast-store.ts';
import { kindText, outcomeText } from './trigger-text.ts';
import { refreshTriggers } from './use-triggers.ts';

/** Ends that the user caused just now, or that another message tells already. */
const untold = ['canceled', 'other-fired', 'position-closed', 'entry-not-filled', 'book-closed'] as const;

/** Tells how triggers ended, wherever the user is. Renders nothing. */
export default function TriggerToasts() {
  const t = useT();
  const told = useRef(new Set<string>());
  useMyStream(
    'triggers',
    (trigger) => {
      refreshTriggers();
      const { id, state, outcome, tokenSymbol: symbol } = trigger;
      if (state !== 'ended' || outcome === null || told.current.has(id)) return;
      told.current.add(id);
      if ((untold as readonly string[]).includes(outcome)) return;
      const name = kindText(trigger, t);
      if (outcome === 'filled' || outcome === 'schedule-done') {
        toast.success(t('triggers.toast.filled', { name, symbol }));
      } else toast.error(t('triggers.toast.ended', { name, symbol, reason: outcomeText(trigger, t) }));
    },
    refreshTriggers,
  );
  return null;
}
