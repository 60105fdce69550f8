import { useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { onHelp } from '../../data/help.ts';
import type { Help } from '../../data/help.ts';
import { useUser } from '../../data/session.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { isTyping } from '../../ui/is-typing.ts';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import { doneCount, stepNames } from './first-steps.ts';

const GuideDialog = lazy(() => import('./guide-dialog.tsx'));
const KeysDialog = lazy(() => import('./keys-dialog.tsx'));

/** What helps from anywhere: the guide of the first hour, and the list of keys. */
export default function HelpLayer() {
  const [open, setOpen] = useState<Help | null>(null);
  const loggedIn = useUser((user) => user !== null);
  useEffect(() => onHelp(setOpen), []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      if (document.querySelector('[role=dialog],[role=alertdialog]')) return;
      event.preventDefault();
      setOpen('keys');
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      {loggedIn && <GuidePill onOpen={() => setOpen('guide')} />}
      <Suspense fallback={null}>
        {open === 'guide' && loggedIn && <GuideDialog onClose={() => setOpen(null)} />}
        {open === 'keys' && <KeysDialog onClose={() => setOpen(null)} />}
      </Suspense>
    </>
  );
}

/** Out of the way of what is done at the bottom of a page, and gone once the guide is finished or left. */
function GuidePill({ onOpen }: { onOpen: () => void }) {
  const t = useT();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const query = useApiQuery('getMyFirstSteps', {}, { quiet: true, refetchIntervalMs: 30_000 });
  const steps = query.data;
  const narrow = useMediaQuery('(max-width: 1023px)');
  const filling = useSyncExternalStore(onFocus, isFillingIn);
  // The whole screen of a token is in use; there the guide is in the user's menu only.
  if (!steps || steps.left || path.startsWith('/token/')) return null;
  // A small screen has no room beside a form: the pill would lie on a field or on the button that sends it.
  if (narrow && filling) return null;
  const done = doneCount(steps);
  if (done === stepNames.length) return null;
  return (
    <button
      type="button"
      className="fixed bottom-4 left-4 z-20 flex h-10 items-center gap-2 rounded-full border border-line-strong bg-raised pr-4 pl-2 text-sm font-semibold shadow-pop hover:bg-hover max-lg:bottom-[calc(4.5rem+env(safe-area-inset-bottom))]"
      data-testid="guide-pill"
      onClick={onOpen}
    >
      <span className="num grid size-7 place-items-center rounded-full bg-accent-soft text-xs text-accent-text">
        {done}/{stepNames.length}
      </span>
      {t('help.guide.title')}
    </button>
  );
}

function onFocus(listener: () => void): () => void {
  document.addEventListener('focusin', listener);
  document.addEventListener('focusout', listener);
  return () => {
    document.removeEventListener('focusin', listener);
    document.removeEventListener('focusout', listener);
  };
}

function isFillingIn(): boolean {
  const focused = document.activeElement;
  return isTyping(focused) || focused?.closest('form,[role=dialog]') != null;
}
