import { lazy, Suspense, useState } from 'react';
import { useUser } from '../../data/session.ts';
import { loadAreas, useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { shortAddress } from '../../ui/short-address.ts';

const FollowWalletDialog = lazy(async () => {
  const [dialog] = await Promise.all([import('./follow-wallet-dialog.tsx'), loadAreas(['walletFollow', 'strategy'])]);
  return dialog;
});

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
  const loggedIn = useUser((user) => user !== null);
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
        // On a phone it has no room beside the others, and gets a line of its own.
        <Button className="max-sm:w-full" onClick={() => setOpen(true)}>
          {t('wallet.follow')}
        </Button>
      )}
      {open && (
        <Suspense fallback={null}>
          <FollowWalletDialog address={address} name={name} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
