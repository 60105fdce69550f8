import { useState } from 'react';
import { useLoggedIn, useUser } from '../../data/session.ts';
import { useT } from '../../i18n/i18n.ts';
import { late } from '../../ui/late.tsx';
import { Button } from '../../ui/button.tsx';
import { shortAddress } from '../../ui/short-address.ts';

const FollowWalletDialog = late(() => import('./follow-wallet-dialog.tsx'), { texts: ['walletFollow', 'strategy'] });

/** For those who are logged in, but not for their own wallet; visitors find the way to the login beside it. */
export function FollowWalletButton({
  address,
  name,
  inRow = false,
}: {
  address: string;
  name: string | null;
  /** In a table, where the row says whom. */
  inRow?: boolean;
}) {
  const t = useT();
  const loggedIn = useLoggedIn();
  const isOwn = useUser((user) => user?.walletInfo?.walletAddress === address);
  const [open, setOpen] = useState(false);
  if (!loggedIn || isOwn) return null;
  return (
    <>
      {inRow ? (
        <Button
          tone="ghost"
          size="s"
          aria-label={t('wallet.traders.followLabel', { name: name ?? shortAddress(address) })}
          onClick={() => setOpen(true)}
        >
          {t('wallet.traders.follow')}
        </Button>
      ) : (
        // On a phone it gets a line of its own where it has no room beside the others.
        <Button className="max-sm:grow" onClick={() => setOpen(true)}>
          {t('wallet.follow')}
        </Button>
      )}
      {open && <FollowWalletDialog address={address} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}
