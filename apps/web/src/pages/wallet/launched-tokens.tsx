import type { CallReply } from '@hunter/contract/calls';
import { useMemo } from 'react';
import { useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { Percent, Usd } from '../../ui/numbers.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';
import { TokenLink } from '../../ui/token-link.tsx';

type Launched = CallReply<'getWallet'>['labels']['launched'];

export function LaunchedTokens({ launched: { lists, total } }: { launched: Launched }) {
  const t = useT();
  const columns = useMemo(() => columnsOf(t), [t]);
  return (
    <>
      <Table
        label={t('wallet.tabs.launched')}
        columns={columns}
        rows={lists}
        rowKey={({ tokenContractAddress }) => tokenContractAddress}
      />
      {total > lists.length && (
        <p className="px-4 py-2.5 text-xs text-faint">{t('wallet.launched.shown', { count: lists.length, total })}</p>
      )}
    </>
  );
}

function columnsOf(t: Translate): readonly Column<Launched['lists'][number]>[] {
  return [
    { key: 'token', header: t('wallet.holdings.token'), align: 'start', cell: (row) => <TokenLink token={row} /> },
    { key: 'cap', header: t('wallet.launched.marketCap'), cell: ({ marketCap }) => <Usd value={marketCap} /> },
    {
      key: 'since',
      header: t('wallet.launched.since'),
      cell: ({ sinceLaunch }) => <Percent value={sinceLaunch} />,
    },
    {
      key: 'created',
      header: t('wallet.launched.created'),
      cell: ({ createdAt }) => <RelativeTime timeMs={createdAt} className="text-muted" />,
    },
  ];
}
