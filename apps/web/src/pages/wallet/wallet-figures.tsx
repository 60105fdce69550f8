import type { ReactNode } from 'react';
import { useState } from 'react';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { Explained } from '../../ui/explained.tsx';
import { Count, Percent, Sol } from '../../ui/numbers.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Stat } from '../../ui/stat.tsx';
import type { Wallet } from './wallet.ts';

const periods = ['7d', '30d', 'all'] as const;
type Period = (typeof periods)[number];
/** As often as the figures of its trades, which would not agree with an older balance. */
const REFRESH_MS = 15_000;

/** What the wallet made in a period, and what it has now. */
export function WalletFigures({
  address,
  wallet,
  children,
}: {
  address: string;
  wallet: Wallet | undefined;
  /** Labels, above the figures. */
  children: ReactNode;
}) {
  const t = useT();
  const [period, setPeriod] = useState<Period>('7d');
  const holdings = useApiQuery('getWalletHoldings', { address, limit: 100 }, { refetchIntervalMs: REFRESH_MS });
  const chain = useApiQuery('getChainAddress', { address }, { refetchIntervalMs: REFRESH_MS });
  return (
    <section className="card mb-3.5 p-4 sm:p-5" aria-label={t('wallet.figures')}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <div className="flex min-h-6 flex-wrap items-center gap-2 text-sm text-muted">{children}</div>
        <SegmentedControl
          label={t('wallet.period')}
          value={period}
          onChange={setPeriod}
          options={periods.map((key) => ({ key, label: t(`wallet.periods.${key}`) }))}
        />
      </div>
      <div className="grid gap-x-6 gap-y-4 [grid-template-columns:repeat(auto-fill,minmax(136px,1fr))]">
        <PeriodStats
          figures={wallet?.periods[period]}
          unsoldAtLoss={holdings.isError ? (holdings.data?.unsoldAtLoss ?? null) : holdings.data?.unsoldAtLoss}
        />
        <Stat label={t('wallet.holdingsValue')}>
          {shown(!holdings.isPending, <Sol value={holdings.data?.totalValueSol} className="text-xl" />)}
        </Stat>
        <Stat label={t('wallet.balance')}>
          {shown(!chain.isPending, <Sol value={chain.data?.sol} className="text-xl" />)}
        </Stat>
        <Stat label={t('wallet.lastTrade')}>
          {shown(
            wallet !== undefined,
            wallet?.lastTrade ? (
              <RelativeTime timeMs={wallet.lastTrade} className="text-xl" />
            ) : (
              <span className="text-faint">-</span>
            ),
          )}
        </Stat>
      </div>
    </section>
  );
}

/** What the wallet made in the period. */
function PeriodStats({
  figures,
  unsoldAtLoss,
}: {
  figures: Wallet['periods'][Period] | undefined;
  /** Now, whatever the period; undefined until the holdings have come, null where they could not be read. */
  unsoldAtLoss: number | null | undefined;
}) {
  const t = useT();
  const isKnown = figures !== undefined;
  return (
    <>
      <Stat label={<Explained label={t('wallet.realized')} text={t('wallet.definition')} />}>
        {shown(isKnown, <Sol value={figures?.realizedProfit} tone className="text-xl" />)}
      </Stat>
      <Stat label={t('wallet.winRate')}>
        {shown(
          isKnown,
          <span className="flex flex-wrap items-baseline gap-x-1.5">
            <Percent value={figures?.winRate} tone={false} className="text-xl" />
            <span className="text-sm font-normal text-faint">
              {figures?.closedTrades
                ? t('ui.wonOfClosed', { won: figures.wonTrades, closed: figures.closedTrades })
                : t('ui.noClosedTrade')}
            </span>
            {unsoldAtLoss !== undefined && unsoldAtLoss !== 0 && (
              <span className="text-xs font-normal text-faint">
                {unsoldAtLoss === null ? t('wallet.unsoldUnknown') : t('wallet.unsoldAtLoss', { count: unsoldAtLoss })}
              </span>
            )}
          </span>,
        )}
      </Stat>
      <Stat label={t('wallet.volume')}>{shown(isKnown, <Sol value={figures?.volume} className="text-xl" />)}</Stat>
      <Stat label={t('wallet.trades')}>{shown(isKnown, <Count value={figures?.trades} className="text-xl" />)}</Stat>
      <Stat label={t('wallet.tokens')}>{shown(isKnown, <Count value={figures?.tokens} className="text-xl" />)}</Stat>
    </>
  );
}

function shown(isKnown: boolean, value: ReactNode): ReactNode {
  return isKnown ? value : <Skeleton width={72} />;
}
