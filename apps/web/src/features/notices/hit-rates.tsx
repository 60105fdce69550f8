import type { CallReply } from '@hunter/contract/calls';
import { useMemo } from 'react';
import { useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { Percent } from '../../ui/numbers.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';

type HitRate = CallReply<'getTokenGoldenDogNotice'>['hitRates'][number];

const missesOf = ({ graded, gold, silver, bronze }: HitRate) => graded - gold - silver - bronze;

/** How often each kind of alert was right, misses and dead coins included. */
export function HitRates({ rates }: { rates: readonly HitRate[] }) {
  const t = useT();
  const columns = useMemo(() => columnsOf(t), [t]);
  return (
    <div className="border-b border-line" data-testid="hit-rates">
      <div className="px-4 pt-3">
        <h2 className="text-sm! font-[550] text-muted">{t('notices.rates.title')}</h2>
        <p className="mt-0.5 text-xs text-faint">{t('notices.rates.text')}</p>
      </div>
      <Table
        label={t('notices.rates.title')}
        columns={columns}
        rows={rates}
        rowKey={({ trigger }) => trigger}
        className="mt-1"
      />
    </div>
  );
}

function columnsOf(t: Translate): readonly Column<HitRate>[] {
  return [
    {
      key: 'trigger',
      header: t('notices.rates.trigger'),
      align: 'start',
      cell: ({ trigger }) => t(`notices.trigger.${trigger}`),
    },
    { key: 'graded', header: t('notices.rates.graded'), cell: ({ graded }) => graded },
    { key: 'gold', header: t('notices.rates.gold'), cell: ({ gold }) => gold, from: 'sm' },
    { key: 'silver', header: t('notices.rates.silver'), cell: ({ silver }) => silver, from: 'sm' },
    { key: 'bronze', header: t('notices.rates.bronze'), cell: ({ bronze }) => bronze, from: 'sm' },
    { key: 'misses', header: t('notices.rates.misses'), cell: missesOf },
    { key: 'dead', header: t('notices.rates.dead'), cell: ({ dead }) => dead, from: 'sm' },
    {
      key: 'rate',
      header: t('notices.rates.rate'),
      cell: ({ hitRate }) => <Percent value={hitRate} tone={false} className="font-semibold" />,
    },
  ];
}
