import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { EmptyState } from './empty-state.tsx';
import { useFocusOfRemoved } from './keep-focus.ts';
import { Skeleton } from './skeleton.tsx';

export type Column<Row> = {
  key: string;
  header: string;
  /** Said to assistive technology only, for columns of buttons that speak for themselves. */
  headerHidden?: boolean;
  cell: (row: Row) => ReactNode;
  /** Figures stand at the end, the default; names at the start. */
  align?: 'start' | 'end';
  width?: number | string;
  /** Left out below this width of the screen. */
  from?: 'sm' | 'md' | 'lg' | 'xl';
};

export const columnFrom: Record<NonNullable<Column<unknown>['from']>, string> = {
  sm: 'max-sm:hidden',
  md: 'max-md:hidden',
  lg: 'max-lg:hidden',
  xl: 'max-xl:hidden',
};

type TableProps<Row> = {
  /** Names the table for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  loading?: boolean;
  skeletonRows?: number;
  /** Of the rows as they usually are, so that those that stand for them while they load are as high. */
  rowHeight?: number;
  empty?: ReactNode;
  /** Limits the height; the head then stays while the rows scroll. */
  maxHeight?: number | string;
  className?: string;
};

/** A row of one line of text. */
const LINE_HEIGHT = 39;

function cellClasses<Row>(columns: readonly Column<Row>[]): (column: Column<Row>) => string {
  // Columns may be left out on phones, and then these stand at the edges.
  const firstOnPhones = columns.find(({ from }) => from === undefined);
  const lastOnPhones = columns.findLast(({ from }) => from === undefined);
  return (column) =>
    classNames(
      'px-3.5 py-[9px] sm:first:pl-4 sm:last:pr-4 max-sm:px-1.5',
      column === firstOnPhones && 'max-sm:pl-2.5',
      column === lastOnPhones && 'max-sm:pr-2.5',
      column.align === 'start' ? 'text-left' : 'text-right',
      column.from && columnFrom[column.from],
    );
}

/** Dense, with a head that stays. For more than about a hundred rows, or rows that change all the time, use VirtualTable. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, rowKey, loading = false, skeletonRows = 6, rowHeight = LINE_HEIGHT } = props;
  const region = useFocusOfRemoved<HTMLDivElement>();
  const cellClass = cellClasses(columns);
  return (
    <div
      ref={region}
      className={classNames('overflow-auto scroll-thin', props.className)}
      style={props.maxHeight === undefined ? undefined : { maxHeight: props.maxHeight }}
      // A table that scrolls must be reachable by keyboard to be scrolled.
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <table className="w-full border-collapse" aria-label={label} aria-busy={loading || undefined}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                style={column.width === undefined ? undefined : { width: column.width }}
                className={classNames(
                  cellClass(column),
                  'sticky top-0 z-1 bg-surface text-xs font-medium whitespace-nowrap text-faint max-sm:align-bottom max-sm:whitespace-normal shadow-[inset_0_-1px_0_var(--line)]',
                )}
              >
                {column.headerHidden ? <span className="sr-only">{column.header}</span> : column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {loading && rows.length === 0
            ? Array.from({ length: skeletonRows }, (_, row) => (
                <tr key={row} aria-hidden="true" style={{ height: rowHeight }}>
                  {columns.map((column) => (
                    <td key={column.key} className={classNames(cellClass(column), 'border-b border-line/55')}>
                      <Skeleton width="70%" className={column.align === 'start' ? '' : 'ml-auto'} />
                    </td>
                  ))}
                </tr>
              ))
            : rows.map((row) => (
                <tr key={rowKey(row)} className="hover:bg-hover">
                  {columns.map((column) => (
                    <td
                      key={column.key}
                      className={classNames(cellClass(column), 'border-b border-line/55 whitespace-nowrap')}
                    >
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
      {!loading && rows.length === 0 && (props.empty ?? <EmptyState />)}
    </div>
  );
}
