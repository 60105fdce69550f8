import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { useI18n } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { Percent, Price, Sol, Tokens } from '../../ui/numbers.tsx';
import type { Column } from '../../ui/table.tsx';
import { TokenLink } from '../../ui/token-link.tsx';
import { RecordTable } from './record-table.tsx';
import type { RecordRow } from './record-table.tsx';
import { shortTime } from './short-time.ts';

type Row = RecordRow<'trade'>;

/** Round trips: from the first buy to the sale of the last token, one row each. */
export function TradeRecord() {
  const { t, language } = useI18n();
  const columns = useMemo(() => tradeColumns(t, language), [t, language]);
  return (
    <RecordTable
      type="trade"
      label={t('account.record.tradeTable')}
      columns={columns}
      rowKey={(row) => `${row.bookId}:${row.tokenContractAddress}:${row.openTime}`}
    />
  );
}

function tradeColumns(t: Translate, language: 'en' | 'zh'): readonly Column<Row>[] {
  return [
    {
      key: 'name',
      header: t('account.record.name'),
      align: 'start',
      cell: (row) => <TokenLink token={row} below={<BookName row={row} t={t} />} />,
    },
    {
      key: 'open',
      header: t('account.record.openPrice'),
      from: 'md',
      cell: (row) => pair(<Price value={row.openPrice} unit="sol" />, shortTime(row.openTime, language)),
    },
    {
      key: 'close',
      header: t('account.record.closePrice'),
      from: 'md',
      cell: (row) =>
        row.closeTime === null ? (
          <span className="text-faint">{t('account.record.open')}</span>
        ) : (
          pair(<Price value={row.closePrice} unit="sol" />, shortTime(row.closeTime, language))
        ),
    },
    {
      key: 'bought',
      header: t('account.record.bought'),
      from: 'lg',
      cell: (row) => pair(<Sol value={row.totalBuyValue} />, <Tokens value={row.totalBuyAmount} />),
    },
    {
      key: 'sold',
      header: t('account.record.sold'),
      from: 'lg',
      cell: (row) => pair(<Sol value={row.totalSellValue} />, <Tokens value={row.totalSellAmount} />),
    },
    {
      key: 'balance',
      header: t('account.record.currentBalance'),
      from: 'xl',
      cell: (row) => <Tokens value={row.currentBalance} />,
    },
    {
      key: 'realized',
      header: t('account.record.realized'),
      from: 'sm',
      cell: (row) => <Sol value={row.realizedProfit} tone />,
    },
    {
      key: 'unrealized',
      header: t('account.record.unrealized'),
      from: 'sm',
      cell: (row) => <Sol value={row.unrealizedProfit} tone />,
    },
    {
      key: 'pnl',
      header: t('account.record.pnl'),
      cell: (row) => pair(<Sol value={row.pnl} tone />, <Percent value={row.pnlPercent} />),
    },
  ];
}

function pair(top: ReactNode, below: ReactNode): ReactNode {
  return (
    <span className="flex flex-col items-end leading-tight">
      {top}
      <span className="text-xs text-faint">{below}</span>
    </span>
  );
}

function BookName({ row, t }: { row: Row; t: Translate }) {
  return (
    <bdi className="max-w-32 truncate text-xs font-normal text-faint">
      {row.bookKind === 'personal' ? t('account.books.personal') : row.bookName}
    </bdi>
  );
}
