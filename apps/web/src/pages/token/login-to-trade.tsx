import { Link, useLocation } from '@tanstack/react-router';
import { useT } from '../../i18n/i18n.ts';
import { buttonClass } from '../../ui/button.tsx';

/** In the place of the trade panel, for somebody without a session. */
export function LoginToTrade() {
  const t = useT();
  const redirect = useLocation({ select: ({ href }) => href });
  return (
    <div className="flex flex-col gap-3 py-2 text-center" data-testid="login-to-trade">
      <h2>{t('trade.login.title')}</h2>
      <p className="text-sm text-muted">{t('trade.login.text')}</p>
      <LoginLink size="l" />
      <Link to="/register" search={{ redirect }} className={buttonClass('ghost', 'l')}>
        {t('trade.login.register')}
      </Link>
    </div>
  );
}

/** The way back leads here. */
export function LoginLink({ size }: { size: 's' | 'l' }) {
  const t = useT();
  const redirect = useLocation({ select: ({ href }) => href });
  return (
    <Link to="/login" search={{ redirect }} className={buttonClass('accent', size)}>
      {t('trade.login.login')}
    </Link>
  );
}
