import { Outlet, useMatches } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useLoggedIn, useSessionsEnded } from '../data/session.ts';
import { useT } from '../i18n/i18n.ts';
import { late } from '../ui/late.tsx';
import { PageSpinner } from '../ui/spinner.tsx';
import { Toaster } from '../ui/toaster.tsx';
import { BottomMenu } from './main-menu.tsx';
import { Header } from './header.tsx';

// Alerts come while the user is anywhere; their code and texts load a moment after the page.
const NoticeToasts = late(() => import('../features/notices/notice-toasts.tsx'), { texts: ['notices'] });

const TriggerToasts = late(() => import('../features/triggers/trigger-toasts.tsx'), { texts: ['triggers'] });

const HelpLayer = late(() => import('../features/help/help-layer.tsx'), { texts: ['help'] });

// It speaks up seconds after a connection is lost, so it need not be there before.
const ConnectionBar = late(() => import('../features/connection/connection-bar.tsx'));

/** After the first answers of a page, which matter more to somebody who just came. */
const LATER_MS = 1_500;

/** Made anew for each session: nothing that one user has read, typed or opened stays for the next. */
export function AppShell() {
  return <Shell key={useSessionsEnded()} />;
}

/** Header, the routed page, and what floats above both. */
function Shell() {
  const t = useT();
  const meta = useMatches({ select: (matches) => matches.at(-1)?.staticData.meta });
  const titleText = meta ? t(meta.title) : null;
  const product = t('shell.product');
  const loggedIn = useLoggedIn();
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), LATER_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    document.title = titleText ? `${titleText} · ${product}` : product;
  }, [titleText, product]);
  // Before the browser paints, so that the frame from index.html and the app's own are never seen together or neither.
  useLayoutEffect(() => document.getElementById('first-paint')?.remove(), []);
  return (
    <>
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-lg bg-accent px-4 py-2 font-semibold text-on-accent focus:translate-y-0"
      >
        {t('shell.skip')}
      </a>
      <Header />
      {settled && <ConnectionBar />}
      <main
        id="content"
        tabIndex={-1}
        className="min-h-[calc(100dvh-var(--header-height))] outline-none max-lg:pb-[calc(4rem+env(safe-area-inset-bottom))] lg:has-[~[data-floating]]:pb-16"
      >
        {/* The way to the login page takes a moment, in which a page without a session would only be refused. */}
        {loggedIn || !meta?.requiresAuth ? <Outlet /> : <PageSpinner />}
      </main>
      <BottomMenu />
      <Toaster />
      {settled && <HelpLayer />}
      {loggedIn && settled && (
        <>
          <NoticeToasts />
          <TriggerToasts />
        </>
      )}
    </>
  );
}
