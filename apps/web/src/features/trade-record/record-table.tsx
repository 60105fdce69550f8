import type { CallReply } from '@hunter/contract/calls';
import { useMyStream } from '../../data/stream.ts';
import { useApiPages } from '../../data/use-api-pages.ts';
import { useT } from '../../i18n/i18n.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import type { PagedList } from '../../ui/paged-table.tsx';
import type { Column } from '../../ui/table.tsx';

type RecordType = 'strategy' | 'trade';
export type RecordRow<Type extends RecordType> = Extract<
  CallReply<'getMyTradeRecord'>,
  { type: Type }
>['lists'][number];

/** One of the two views of the record; both are paged and follow the user's orders. */
export function RecordTable<Type extends RecordType>({
  type,
  label,
  columns,
  rowKey,
}: {
  type: Type;
  label: string;
  columns: readonly Column<RecordRow<Type>>[];
  rowKey: (row: RecordRow<Type>) => string;
}) {
  const t = useT();
  const record = useApiPages(
    'getMyTradeRecord',
    { type, pageSize: 20 },
    { refetchIntervalMs: 10_000, rowKey: (row) => rowKey(row as RecordRow<Type>) },
  );
  useMyStream('positions', record.retry, record.retry);
  return (
    <PagedTable
      label={label}
      columns={columns}
      list={record as unknown as PagedList<RecordRow<Type>>}
      rowKey={rowKey}
      empty={<EmptyState height={300} text={t('account.record.none')} />}
    />
  );
}
