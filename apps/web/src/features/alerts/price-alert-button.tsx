import { useState } from 'react';
import { useLoggedIn } from '../../data/session.ts';
import { useT } from '../../i18n/i18n.ts';
import { late } from '../../ui/late.tsx';
import { IconButton } from '../../ui/button.tsx';
import { BellIcon } from '../../ui/icons.tsx';

const PriceAlertDialog = late(() => import('./price-alert.tsx'), { texts: ['alerts'] });

type PriceAlertButtonProps = { address: string; symbol: string; price: string | null };

export function PriceAlertButton(props: PriceAlertButtonProps) {
  const t = useT();
  const loggedIn = useLoggedIn();
  const [open, setOpen] = useState(false);
  if (!loggedIn) return null;
  return (
    <>
      <IconButton
        label={t('shell.priceAlert', { symbol: props.symbol })}
        className="size-[24px]! pointer-coarse:size-9!"
        onClick={() => setOpen(true)}
      >
        <BellIcon size={15} />
      </IconButton>
      {open && <PriceAlertDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
