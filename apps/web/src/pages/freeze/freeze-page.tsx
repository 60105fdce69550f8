import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../data/api.ts';
import { mailToken } from '../../data/mail-token.ts';
import { session } from '../../data/session.ts';
import { AuthLayout } from '../../features/session/auth-layout.tsx';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { usePending } from '../../ui/use-pending.ts';
import { Warning } from '../../ui/warning.tsx';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Of the freeze page. No link can claim it, and it outlives the page, which is made anew when a session ends. */
    frozen?: true;
  }
}

/** Where the link of every security mail leads. Opening it changes nothing; the button does. */
export default function FreezePage() {
  const t = useT();
  const navigate = useNavigate();
  const isFrozen = useLocation({ select: ({ state }) => state.frozen === true });
  const [token] = useState(() => mailToken(globalThis.location.hash));
  const [pending, run] = usePending();

  const freeze = () =>
    run(async () => {
      await api.call('freezeAccount', { token: token! });
      session.clear();
      void navigate({ to: '/freeze', state: { frozen: true }, replace: true });
    });

  if (isFrozen) {
    return (
      <AuthLayout title={t('mailed.freeze.done')} text={t('mailed.freeze.doneText')}>
        <Link to="/unfreeze" className="font-semibold text-accent-text hover:underline">
          {t('mailed.freeze.unfreeze')}
        </Link>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={t('mailed.freeze.title')} text={t('mailed.freeze.text')}>
      <div className="flex flex-col gap-4">
        <p className="rounded-m bg-warn-soft px-3 py-2 text-sm text-warn">{t('mailed.freeze.key')}</p>
        {token === null ? (
          <Warning text={t('mailed.freeze.noLink')} />
        ) : (
          <Button size="l" className="w-full" pending={pending} onClick={() => void freeze()}>
            {t('mailed.freeze.submit')}
          </Button>
        )}
      </div>
    </AuthLayout>
  );
}
