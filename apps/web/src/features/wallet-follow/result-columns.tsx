import type { Translate } from '../../i18n/i18n.ts';
import { Sol } from '../../ui/numbers.tsx';
import { Profit } from '../../ui/profit.tsx';
import type { Column } from '../../ui/table.tsx';

type Result = {
  equity: string | null;
  pnl: string | null;
  changeRate: string | null;
  copied: number;
  skipped: number;
};

/** What following a wallet has become, with money or on paper. */
export function resultColumns<Row extends Result>(t: Translate): readonly Column<Row>[] {
  return [
    {
      key: 'worth',
      header: t('strategies.following.worth'),
      from: 'sm',
      cell: (follow) => <Sol value={follow.equity} />,
    },
    {
      key: 'profit',
      header: t('strategies.following.profit'),
      cell: (follow) => <Profit percent={follow.changeRate} sol={follow.pnl} />,
    },
    {
      key: 'copied',
      header: t('walletFollow.table.copied'),
      from: 'md',
      cell: (follow) => t('walletFollow.table.copiedText', { copied: follow.copied, skipped: follow.skipped }),
    },
  ];
}
