import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useUser } from '../../data/session.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { EyeIcon } from '../../ui/icons.tsx';
import { TrackDialog } from './track-dialog.tsx';

/** `name` is the one that the user gave the wallet; null while it is not tracked. */
export function TrackButton({ address, name }: { address: string; name: string | null }) {
  const t = useT();
  const user = useUser();
  const here = useLocation({ select: ({ href }) => href });
  const [open, setOpen] = useState(false);
  if (!user) {
    return (
      <Link to="/login" search={{ redirect: here }} className={buttonClass('ghost', 'm')}>
        {t('wallet.track.logIn')}
      </Link>
    );
  }
  return (
    <>
      <Button tone="ghost" icon={<EyeIcon size={15} />} onClick={() => setOpen(true)}>
        {name === null ? t('wallet.track.track') : t('wallet.track.rename')}
      </Button>
      {open && <TrackDialog address={address} name={name ?? ''} onClose={() => setOpen(false)} />}
    </>
  );
}
