import { useState } from 'react';
import { useT } from '../../i18n/i18n.ts';
import { late } from '../../ui/late.tsx';
import { Button } from '../../ui/button.tsx';
import { CHART_HEIGHT } from '../../ui/line-chart.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const WalletSimulator = late(() => import('./wallet-simulator.tsx'), {
  texts: ['walletFollow', 'strategy'],
  fallback: <Skeleton height={CHART_HEIGHT} />,
});

/** Nothing is loaded or asked for before somebody wants to know. */
export function WalletSimulatorCard({ address }: { address: string }) {
  const t = useT();
  const [open, setOpen] = useState(false);
  return (
    <section className="card mb-3.5 p-4 sm:p-5" aria-label={t('wallet.simulator.title')}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2>{t('wallet.simulator.title')}</h2>
          <p className="mt-1 text-sm text-muted">{t('wallet.simulator.text')}</p>
        </div>
        {!open && (
          <Button tone="ghost" onClick={() => setOpen(true)}>
            {t('wallet.simulator.open')}
          </Button>
        )}
      </div>
      {open && <WalletSimulator address={address} />}
    </section>
  );
}
