// A long table of rows of one height, of which only the visible ones exist. The cells are memoised: they render again when
// their own row object changes, or through their own subscription inside a cell, never because a neighbour did.
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useRef } from 'react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { EmptyState } from './empty-state.tsx';
import { Skeleton } from './skeleton.tsx';
import { columnFrom } from './table.tsx';
import type { Column } from './table.tsx';

type VirtualTableProps<Row> = {
  label: string;
  /** Keep this array the same between renders (define it outside or memoise it): rows are memoised by it. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** CSS grid tracks, one per column, e.g. `minmax(0,1fr) 90px 90px`. */
  tracks: string;
  height: number | string;
  loading?: boolean;
  empty?: ReactNode;
  /** Called when the last rows come into view, to load older ones. */
  onEnd?: () => void;
};

const ROW_HEIGHT = 38;

export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, columns, rows, rowKey, tracks, loading = false } = props;
  const scroller = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- the compiler would freeze its getters; this app is built without it.
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 4,
    getItemKey: (index) => rowKey(rows[index] as Row),
    onChange: (instance) => {
      const last = instance.range?.endIndex ?? 0;
      if (rows.length > 0 && last >= rows.length - 5) props.onEnd?.();
    },
  });
  const items = virtual.getVirtualItems();
  return (
    <div
      ref={scroller}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-busy={loading || undefined}
      tabIndex={0}
      className="overflow-auto [contain:strict] scroll-thin"
      style={{ height: props.height }}
    >
      <Heads columns={columns as readonly Column<unknown>[]} tracks={tracks} />
      {loading && rows.length === 0 && (
        <div className="px-4" aria-hidden="true">
          {Array.from({ length: 8 }, (_, row) => (
            <div key={row} className="flex items-center border-b border-line/55" style={{ height: ROW_HEIGHT }}>
              <Skeleton />
            </div>
          ))}
        </div>
      )}
      {!loading && rows.length === 0 && (props.empty ?? <EmptyState />)}
      {/* The rows follow one another below a gap for those above: a new one then moves the others without a word to them. */}
      <div role="rowgroup" style={{ height: virtual.getTotalSize(), paddingTop: items[0]?.start ?? 0 }}>
        {items.map((item) => (
          <div
            key={item.key}
            role="row"
            aria-rowindex={item.index + 2}
            className="grid items-center gap-x-3 border-b border-line/55 px-4 [contain:strict] hover:bg-hover"
            style={{ height: ROW_HEIGHT, gridTemplateColumns: tracks }}
          >
            <Cells row={rows[item.index]} columns={columns as readonly Column<unknown>[]} />
          </div>
        ))}
      </div>
    </div>
  );
}

/**
 * Without the row's number, which changes for all rows with each new one. Cells are not clipped: each clip is a step of its
 * own whenever the page is put together from layers, and figures fit their tracks.
 */
const Cells = memo(function Cells({ row, columns }: { row: unknown; columns: readonly Column<unknown>[] }) {
  return columns.map((column) => (
    <div
      key={column.key}
      role="cell"
      className={classNames(
        'min-w-0 whitespace-nowrap',
        column.align === 'start' ? 'text-left' : 'text-right',
        column.from && columnFrom[column.from],
      )}
    >
      {column.cell(row)}
    </div>
  ));
});

function Heads({ columns, tracks }: { columns: readonly Column<unknown>[]; tracks: string }) {
  return (
    <div role="rowgroup" className="sticky top-0 z-1 bg-surface">
      <div
        role="row"
        className="grid items-center gap-x-3 border-b border-line px-4 py-[9px] text-xs font-medium text-faint"
        style={{ gridTemplateColumns: tracks }}
      >
        {columns.map((column) => (
          <span
            key={column.key}
            role="columnheader"
            className={classNames(
              'truncate',
              column.align === 'start' ? 'text-left' : 'text-right',
              column.from && columnFrom[column.from],
            )}
          >
            {column.header}
          </span>
        ))}
      </div>
    </div>
  );
}
