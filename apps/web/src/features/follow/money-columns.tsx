import type { Translate } from '../../i18n/i18n.ts';
import { Sol } from '../../ui/numbers.tsx';
import { Profit } from '../../ui/profit.tsx';
import type { Column } from '../../ui/table.tsx';

type Invested = { amount: string; equity: string | null; pnl: string | null; changeRate: string | null };

/** What was put in, what it is worth, and the difference. */
export function moneyColumns<Row extends Invested>(t: Translate): readonly Column<Row>[] {
  return [
    { key: 'put', header: t('strategies.following.put'), from: 'md', cell: (row) => <Sol value={row.amount} /> },
    { key: 'worth', header: t('strategies.following.worth'), from: 'sm', cell: (row) => <Sol value={row.equity} /> },
    {
      key: 'profit',
      header: t('strategies.following.profit'),
      cell: (row) => <Profit percent={row.changeRate} sol={row.pnl} />,
    },
  ];
}
