import { addDecimals, compareDecimals, subtractDecimals } from '@hunter/domain/numbers/decimal';
import { formatSol } from '@hunter/domain/format/format-sol';
import type { Translate } from '../../i18n/i18n.ts';
import { Sol } from '../../ui/numbers.tsx';
import { Profit } from '../../ui/profit.tsx';
import type { Column } from '../../ui/table.tsx';

type Invested = { amount: string; equity: string | null; pnl: string | null; changeRate: string | null };

/** What a follow has given back so far besides what it is worth; null without any, and where that is not known. */
export function returnedOf({ amount, equity, pnl }: Invested): string | null {
  if (equity === null || pnl === null) return null;
  const returned = subtractDecimals(addDecimals(amount, pnl), equity);
  return compareDecimals(returned, '0') > 0 ? returned : null;
}

/** What was put in, what it is worth and has given back, and the difference. */
export function moneyColumns<Row extends Invested>(t: Translate): readonly Column<Row>[] {
  return [
    { key: 'put', header: t('strategies.following.put'), from: 'md', cell: (row) => <Sol value={row.amount} /> },
    {
      key: 'worth',
      header: t('strategies.following.worth'),
      from: 'sm',
      cell: (row) => {
        const returned = returnedOf(row);
        return (
          <span className="flex flex-col items-end leading-tight">
            <Sol value={row.equity} />
            {returned !== null && (
              <span className="num text-xs text-faint">
                {t('strategies.following.returned', { amount: formatSol(returned) })}
              </span>
            )}
          </span>
        );
      },
    },
    {
      key: 'profit',
      header: t('strategies.following.profit'),
      cell: (row) => <Profit percent={row.changeRate} sol={row.pnl} />,
    },
  ];
}
