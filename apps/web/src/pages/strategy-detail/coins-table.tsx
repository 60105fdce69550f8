import { addDecimals, compareDecimals, subtractDecimals } from '@hunter/domain/numbers/decimal';
import { useMemo } from 'react';
import { useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Percent, Sol, Tokens } from '../../ui/numbers.tsx';
import { Profit } from '../../ui/profit.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';
import { TokenLink } from '../../ui/token-link.tsx';
import { bookSearch } from './strategy-detail.ts';
import type { StrategyDetail } from './strategy-detail.ts';

type Coin = StrategyDetail['positions'][number];

export function CoinsTable({ strategy }: { strategy: StrategyDetail }) {
  const t = useT();
  const ended = strategy.status === 'ended';
  const other = otherSol(strategy);
  const columns = useMemo(() => coinColumns(t, { bookId: strategy.bookId }), [t, strategy.bookId]);
  return (
    <>
      <Table
        label={t('strategy.coins.table')}
        columns={columns}
        rows={strategy.positions}
        rowKey={(coin) => coin.tokenContractAddress}
        empty={<EmptyState height={140} text={t(ended ? 'strategy.coins.noneEnded' : 'strategy.coins.none')} />}
      />
      {!ended && (
        <div className="px-4 py-2">
          <KeyValue label={t('strategy.coins.freeSol')}>
            <Sol value={strategy.freeSol} />
          </KeyValue>
          {other !== null && compareDecimals(other, '0') > 0 && (
            <KeyValue label={t('strategy.coins.otherSol')}>
              <Sol value={other} />
            </KeyValue>
          )}
        </div>
      )}
    </>
  );
}

/** The SOL of orders under way and of token accounts: with the coins and the free SOL it adds up to the current value. */
function otherSol({ equity, freeSol, positions }: StrategyDetail): string | null {
  const values = positions.map(({ value }) => value);
  return values.includes(null) ? null : subtractDecimals(equity, addDecimals(freeSol, ...(values as string[])));
}

function coinColumns(t: Translate, strategy: Pick<StrategyDetail, 'bookId'>): readonly Column<Coin>[] {
  return [
    {
      key: 'coin',
      header: t('strategy.coins.coin'),
      align: 'start',
      cell: (coin) => <TokenLink token={coin} search={bookSearch(strategy)} />,
    },
    {
      key: 'weight',
      header: t('strategy.coins.weight'),
      align: 'start',
      width: '22%',
      cell: (coin) => (
        <span className="flex items-center gap-2.5">
          <Percent value={coin.weight} tone={false} className="w-16 text-right" />
          <span className="h-1.5 w-full max-w-28 min-w-8 rounded-full bg-hover max-sm:hidden" aria-hidden="true">
            <span
              className="block h-full rounded-full bg-accent"
              style={{ width: `${Math.min(100, Number(coin.weight))}%` }}
            />
          </span>
        </span>
      ),
    },
    { key: 'amount', header: t('strategy.coins.amount'), from: 'sm', cell: (coin) => <Tokens value={coin.amount} /> },
    { key: 'cost', header: t('strategy.coins.cost'), from: 'md', cell: (coin) => <Sol value={coin.cost} /> },
    { key: 'value', header: t('strategy.coins.value'), cell: (coin) => <Sol value={coin.value} /> },
    {
      key: 'profit',
      header: t('strategy.coins.profit'),
      cell: (coin) => <Profit percent={coin.profitPercent} sol={coin.profit} />,
    },
  ];
}
