import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import type { Scale } from '../../ui/sparkline-path.ts';
import { commonScale } from './common-scale.ts';
import { StrategyCard, StrategyCardSkeleton } from './strategy-card.tsx';
import type { Strategy } from './strategy.ts';

/** Cards side by side, as many as fit. */
export function StrategyGrid({
  strategies,
  loading,
  stale = false,
  framed = true,
  scale = commonScale(strategies),
  empty,
}: {
  strategies: readonly Strategy[];
  loading: boolean;
  /** Dims cards that still answer the filters before. */
  stale?: boolean;
  /** The empty state gets a frame of its own, where the page does not give it one. */
  framed?: boolean;
  /** Of the lines, where other grids beside this one share it. */
  scale?: Scale;
  empty: ReactNode;
}) {
  if (!loading && strategies.length === 0) return <div className={framed ? 'card' : undefined}>{empty}</div>;
  return (
    <div
      className={classNames(
        'grid gap-3.5 [grid-template-columns:repeat(auto-fill,minmax(min(100%,292px),1fr))] transition-opacity',
        stale && 'opacity-60',
      )}
      aria-busy={loading || stale || undefined}
    >
      {loading
        ? Array.from({ length: 8 }, (_, card) => <StrategyCardSkeleton key={card} />)
        : strategies.map((strategy) => <StrategyCard key={strategy.slug} strategy={strategy} scale={scale} />)}
    </div>
  );
}
