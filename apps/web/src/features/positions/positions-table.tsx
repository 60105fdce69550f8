import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useMyStream } from '../../data/stream.ts';
import { useApiPages } from '../../data/use-api-pages.ts';
import { useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { late } from '../../ui/late.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Sol, Tokens, Usd } from '../../ui/numbers.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Profit } from '../../ui/profit.tsx';
import type { Column } from '../../ui/table.tsx';
import { TokenLink } from '../../ui/token-link.tsx';
import type { Position } from './position.ts';

const CloseDialog = late(() => import('./close-dialog.tsx'), { texts: ['trade'] });

const HiddenTokens = late(() => import('./hidden-tokens.tsx'));

async function hide({ tokenContractAddress }: Position): Promise<void> {
  const { setHidden } = await import('./hidden-tokens.tsx');
  await setHidden(tokenContractAddress, true);
}

/** Without a frame it fits beside the figures. */
const phoneButton = 'max-sm:border-transparent max-sm:px-1 max-sm:text-accent-text';

const rowKey = ({ bookId, tokenContractAddress }: Position) => `${bookId}:${tokenContractAddress}`;

/** Open positions per book, with their worth as it is now, and a way to close each. */
export function PositionsTable() {
  const t = useT();
  const positions = useApiPages('getMyPositions', { pageSize: 100 }, { refetchIntervalMs: 5_000, rowKey });
  const [closing, setClosing] = useState<Position | null>(null);
  const [showsHidden, setShowsHidden] = useState(false);
  useMyStream('positions', positions.retry, positions.retry);
  const columns = useMemo(() => positionColumns(t, setClosing), [t]);
  return (
    <>
      <PagedTable
        label={t('account.positions.table')}
        columns={columns}
        list={positions}
        rowKey={rowKey}
        empty={
          <EmptyState
            height={300}
            text={t('account.positions.none')}
            action={
              <Link to="/strategies" className={buttonClass('ghost', 's')}>
                {t('account.positions.browse')}
              </Link>
            }
          />
        }
      />
      <button
        type="button"
        className="px-4 py-3 text-sm font-medium text-accent-text hover:underline"
        aria-expanded={showsHidden}
        onClick={() => setShowsHidden(!showsHidden)}
      >
        {t('account.positions.hidden')}
      </button>
      {showsHidden && <HiddenTokens />}
      {closing && (
        <CloseDialog
          address={closing.tokenContractAddress}
          symbol={closing.tokenSymbol}
          onClose={() => setClosing(null)}
        />
      )}
    </>
  );
}

function positionColumns(t: Translate, onClose: (position: Position) => void): readonly Column<Position>[] {
  return [
    {
      key: 'token',
      header: t('account.positions.token'),
      align: 'start',
      cell: (row) => (
        <TokenLink
          token={row}
          below={
            <bdi className="max-w-16 truncate text-xs font-normal text-faint min-[380px]:max-w-20 sm:hidden">
              {row.bookKind === 'personal' ? t('account.books.personal') : row.bookName}
            </bdi>
          }
        />
      ),
    },
    {
      key: 'book',
      header: t('account.positions.book'),
      align: 'start',
      from: 'sm',
      cell: (row) => (
        <span className="flex items-center gap-2">
          <Chip tone={row.bookKind === 'personal' ? 'plain' : 'accent'}>{t(`account.books.${row.bookKind}`)}</Chip>
          {row.bookKind !== 'personal' && <bdi className="max-w-36 truncate text-sm text-muted">{row.bookName}</bdi>}
        </span>
      ),
    },
    {
      key: 'openTime',
      header: t('account.positions.openTime'),
      from: 'lg',
      cell: (row) => <RelativeTime timeMs={row.openTime} className="text-muted" />,
    },
    { key: 'amount', header: t('account.positions.amount'), from: 'md', cell: (row) => <Tokens value={row.amount} /> },
    { key: 'cost', header: t('account.positions.cost'), from: 'lg', cell: (row) => <Sol value={row.cost} /> },
    {
      key: 'value',
      header: t('account.positions.value'),
      cell: (row) => (
        <span className="flex flex-col items-end leading-tight">
          <Sol value={row.value} />
          <Usd value={row.valueUsd} className="text-xs text-faint" />
        </span>
      ),
    },
    {
      key: 'profit',
      header: t('account.positions.profit'),
      cell: (row) => <Profit percent={row.unrealizedPercent} sol={row.unrealizedProfit} />,
    },
    {
      key: 'close',
      header: t('account.positions.close'),
      headerHidden: true,
      cell: (row) => <Actions row={row} onClose={onClose} />,
    },
  ];
}

function Actions({ row, onClose }: { row: Position; onClose: (position: Position) => void }) {
  const t = useT();
  return (
    <span className="flex justify-end gap-2 max-sm:flex-col max-sm:items-end">
      {/* What came from outside and was never bought may be spam. */}
      {row.cost === null && (
        <Button
          tone="ghost"
          size="s"
          className={phoneButton}
          aria-label={t('account.positions.hideLabel', { symbol: row.tokenSymbol })}
          onClick={() => void hide(row)}
        >
          {t('account.positions.hide')}
        </Button>
      )}
      <Button
        tone="ghost"
        size="s"
        className={phoneButton}
        aria-label={t('account.positions.closeLabel', { symbol: row.tokenSymbol })}
        onClick={() => onClose(row)}
      >
        {t('account.positions.close')}
      </Button>
    </span>
  );
}
