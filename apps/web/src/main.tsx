import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from '@tanstack/react-router';
import { connectApi } from './data/api.ts';
import { session } from './data/session.ts';
import { TOKEN_KEY } from './data/session-store.ts';
import { restoreWallet } from './features/session/restore-wallet.ts';
import { i18n, startI18n } from './i18n/i18n.ts';
import { router } from './router.tsx';
import { leavesForLogin } from './safe-redirect.ts';
import { startTheme } from './ui/theme.ts';
import { toast } from './ui/toast-store.ts';
import './styles/main.css';

startTheme();
const texts = startI18n();

connectApi({
  language: i18n.language,
  showError: toast.error,
  onUnauthorized: (why) => {
    const known = (['revoked', 'password-changed', 'password-reset', 'frozen'] as const).find((each) => each === why);
    toast.info(i18n.t(known ? `shell.sessionEnded.${known}` : 'shell.sessionExpired'));
    const { href, pathname } = router.state.location;
    if (leavesForLogin(pathname)) void router.navigate({ to: '/login', search: { redirect: href } });
  },
});

// Another tab logged in or out: this one follows, and leaves a page that needs a session.
addEventListener('storage', (event) => {
  if (event.key !== TOKEN_KEY && event.key !== null) return;
  session.reread();
  void router.invalidate();
});

void restoreWallet();

// Long after the first page, which needs nothing of it.
setTimeout(() => void import('./start-service-worker.ts').then((module) => module.startServiceWorker()), 5_000);

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
// Not awaited here: a module that waits could not share its code with the pages.
void texts.then(() =>
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  ),
);
