import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { GUIDE_OVER_KEY, GUIDE_SLOT_ID } from '../../data/guide-slot.ts';
import { onHelp } from '../../data/help.ts';
import type { Help } from '../../data/help.ts';
import { useLoggedIn, useUser } from '../../data/session.ts';
import { useStream } from '../../data/stream.ts';
import { refreshCalls, useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { late } from '../../ui/late.tsx';
import { browserStorage } from '../../ui/browser-storage.ts';
import { isForPage } from '../../ui/is-for-page.ts';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import { doneCount, stepNames } from './first-steps.ts';

const GuideDialog = late(() => import('./guide-dialog.tsx'));
const KeysDialog = late(() => import('./keys-dialog.tsx'));

/** What helps from anywhere: the guide of the first hour, and the list of keys. */
export default function HelpLayer() {
  const [open, setOpen] = useState<Help | null>(null);
  const loggedIn = useLoggedIn();
  useEffect(() => onHelp(setOpen), []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || !isForPage(event)) return;
      event.preventDefault();
      setOpen('keys');
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      {loggedIn && <GuidePill onOpen={() => setOpen('guide')} />}
      {open === 'guide' && loggedIn && <GuideDialog onClose={() => setOpen(null)} />}
      {open === 'keys' && <KeysDialog onClose={() => setOpen(null)} />}
    </>
  );
}

const IN_MENU = 'flex h-14 flex-col items-center justify-center gap-0.5 text-xs font-medium text-muted';
const FLOATING =
  'fixed bottom-4 left-4 z-20 flex h-10 items-center gap-2 rounded-full border border-line-strong bg-raised pr-4 pl-2 text-sm font-semibold shadow-pop hover:bg-hover';

/**
 * Gone once the guide is finished or left. On a small screen it is part of the menu at the bottom: over the page it would lie on
 * what is done there.
 */
function GuidePill({ onOpen }: { onOpen: () => void }) {
  const t = useT();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const query = useApiQuery('getMyFirstSteps', {}, { quiet: true, refetchIntervalMs: 30_000 });
  const steps = query.data;
  const narrow = useMediaQuery('(max-width: 1023px)');
  const done = steps ? doneCount(steps) : 0;
  const isOver = steps && (steps.left || done === stepNames.length);
  useStepsTaken(isOver === false);
  const email = useUser((user) => user?.email);
  useEffect(() => {
    if (isOver && email !== undefined) browserStorage.setItem(GUIDE_OVER_KEY, email);
    else if (isOver === false) browserStorage.removeItem(GUIDE_OVER_KEY);
  }, [isOver, email]);
  if (isOver !== false) return null;
  const menu = narrow ? document.getElementById(GUIDE_SLOT_ID) : null;
  // The whole screen of a token is in use; there the guide is in a menu only.
  if (!menu && path.startsWith('/token/')) return null;
  const pill = (
    <button
      type="button"
      className={menu ? IN_MENU : FLOATING}
      data-testid="guide-pill"
      // The shell leaves room for it at the end of the page.
      data-floating={menu === null || undefined}
      onClick={onOpen}
    >
      <span className="num grid h-5 min-w-7 place-items-center rounded-full bg-accent-soft px-1.5 text-xs text-accent-text">
        {done}/{stepNames.length}
      </span>
      {t('help.guide.title')}
    </button>
  );
  return menu ? createPortal(pill, menu) : pill;
}

/** Asks again once something has happened that may have been a step. */
function useStepsTaken(isWatched: boolean): void {
  const key = isWatched ? 'me' : null;
  const ask = () => void refreshCalls('getMyFirstSteps');
  useStream('deposits', key, ask);
  useStream('orders', key, ({ status }) => {
    if (status !== 'pending' && status !== 'sent') ask();
  });
  useStream('triggers', key, ask);
  useStream('follows', key, ask);
}
