import { lazy, Suspense, useState } from 'react';
import { useT } from '../../../i18n/i18n.ts';
import { Button } from '../../../ui/button.tsx';

const KeyDialog = lazy(() => import('./key-dialog.tsx'));

export function KeyExport() {
  const t = useT();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button tone="ghost" onClick={() => setOpen(true)}>
        {t('account.security.showKey')}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <KeyDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
