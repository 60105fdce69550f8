import { Link } from '@tanstack/react-router';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useT } from '../i18n/i18n.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { WarningIcon } from '../ui/icons.tsx';

/** A page failed while rendering; the shell around it lives on. */
export function PageError({ error }: ErrorComponentProps) {
  const t = useT();
  useEffect(() => console.error(error), [error]);
  return (
    <div
      role="alert"
      className="mx-auto flex min-h-[400px] max-w-md flex-col items-center justify-center gap-3 px-5 text-center"
    >
      <WarningIcon size={34} className="text-warn" />
      <h1 className="text-xl">{t('ui.error.pageTitle')}</h1>
      <p className="text-muted">{t('ui.error.pageText')}</p>
      <div className="mt-2 flex gap-2.5">
        {/* Code that could not be loaded is asked for again by a new document only. */}
        <Button onClick={() => location.reload()}>{t('ui.retry')}</Button>
        <Link to="/strategies" className={buttonClass('ghost')}>
          {t('shell.notFound.strategies')}
        </Link>
      </div>
    </div>
  );
}
