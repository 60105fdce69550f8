import { useMemo } from 'react';
import { useI18n } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { Chip } from '../../ui/chip.tsx';
import { Percent, Sol } from '../../ui/numbers.tsx';
import { StrategyLink } from '../../ui/strategy-link.tsx';
import type { Column } from '../../ui/table.tsx';
import { RecordTable } from './record-table.tsx';
import type { RecordRow } from './record-table.tsx';
import { shortTime } from './short-time.ts';

type Row = RecordRow<'strategy'>;

/** Strategies and follows of the user as one row each, from opening to closing. */
export function StrategyRecord() {
  const { t, language } = useI18n();
  const columns = useMemo(() => strategyColumns(t, language), [t, language]);
  return (
    <RecordTable
      type="strategy"
      label={t('account.record.strategyTable')}
      columns={columns}
      rowKey={(row) => `${row.bookId}:${row.role}`}
    />
  );
}

function strategyColumns(t: Translate, language: 'en' | 'zh'): readonly Column<Row>[] {
  return [
    {
      key: 'name',
      header: t('account.record.strategyName'),
      align: 'start',
      cell: (row) => (
        <span className="flex items-center gap-2">
          <StrategyLink slug={row.slug} name={row.strategyName} className="max-w-48 max-sm:max-w-40" />
          <Chip className="max-sm:hidden">{t(`account.record.${row.role}`)}</Chip>
        </span>
      ),
    },
    {
      key: 'openTime',
      header: t('account.record.openTime'),
      from: 'md',
      cell: (row) => <span className="num text-muted">{shortTime(row.openTime, language)}</span>,
    },
    {
      key: 'closeTime',
      header: t('account.record.closeTime'),
      from: 'md',
      cell: (row) =>
        row.closeTime === null ? (
          <span className="text-faint">{t('account.record.running')}</span>
        ) : (
          <span className="num text-muted">{shortTime(row.closeTime, language)}</span>
        ),
    },
    {
      key: 'openAmount',
      header: t('account.record.openAmount'),
      from: 'sm',
      cell: (row) => <Sol value={row.openAmount} />,
    },
    { key: 'totalPnl', header: t('account.record.totalPnl'), cell: (row) => <Sol value={row.totalPnl} tone /> },
    { key: 'changeRate', header: t('account.record.changeRate'), cell: (row) => <Percent value={row.changeRate} /> },
  ];
}
