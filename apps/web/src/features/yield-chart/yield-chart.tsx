import { formatPercent } from '@hunter/domain/format-percent';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent, RefObject } from 'react';
import { useI18n } from '../../i18n/i18n.ts';
import type { I18n } from '../../i18n/i18n.ts';
import { Percent } from '../../ui/numbers.tsx';
import { exactTime } from '../../ui/relative-time.ts';
import { linePath, nearestIndex, valueAt, yieldScale } from './yield-scale.ts';
import type { Frame, YieldPoint } from './yield-scale.ts';

export const CHART_HEIGHT = 292;
const margins = { left: 2, right: 54, top: 12, bottom: 24 } as const;

type Scale = ReturnType<typeof yieldScale>;

/** Whose line stands beside the strategy's. */
type Other = 'follower' | 'simulated';

/** The yield of a strategy over time, and what the median follower, or a simulated one, got of it. */
export function YieldChart({
  strategy,
  followers,
  other = 'follower',
}: {
  strategy: readonly YieldPoint[];
  followers: readonly YieldPoint[];
  other?: Other;
}) {
  const i18n = useI18n();
  const { t } = i18n;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [at, setAt] = useState<number | null>(null);
  const frame: Frame = useMemo(() => ({ width: Math.max(width, 200), height: CHART_HEIGHT, ...margins }), [width]);
  const scale = useMemo(
    () =>
      yieldScale(
        [...strategy, ...followers].toSorted((a, b) => a.t - b.t),
        frame,
      ),
    [strategy, followers, frame],
  );

  const last = strategy.at(-1);
  const first = strategy[0];
  if (!last || !first) return null;
  const end = strategy.length - 1;
  const index = at === null ? null : Math.min(at, end);
  const point = index === null ? null : (strategy[index] as YieldPoint);

  function onPointer(event: PointerEvent<HTMLDivElement>): void {
    const bounds = event.currentTarget.getBoundingClientRect();
    const inner = frame.width - margins.left - margins.right;
    const share = (event.clientX - bounds.left - margins.left) / inner;
    setAt(nearestIndex(strategy, first!.t + share * (last!.t - first!.t)));
  }

  function onKey(event: KeyboardEvent): void {
    const next = indexAfterKey(event.key, index ?? end, end);
    if (event.key === 'Escape') setAt(null);
    if (next === null) return;
    event.preventDefault();
    setAt(next);
  }

  return (
    <div
      ref={box}
      role="slider"
      tabIndex={0}
      aria-label={t('strategy.chart.label')}
      aria-valuemin={0}
      aria-valuemax={end}
      aria-valuenow={index ?? end}
      aria-valuetext={spokenPoint(point ?? last, followers, other, i18n)}
      className="relative w-full touch-pan-y rounded-m select-none"
      style={{ height: CHART_HEIGHT }}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onPointerLeave={() => setAt(null)}
      onKeyDown={onKey}
      onBlur={() => setAt(null)}
      data-testid="yield-chart"
    >
      {width > 0 && <Picture strategy={strategy} followers={followers} scale={scale} frame={frame} point={point} />}
      {point && <PointBox point={point} followers={followers} other={other} x={scale.x(point.t)} width={frame.width} />}
    </div>
  );
}

function spokenPoint(point: YieldPoint, followers: readonly YieldPoint[], other: Other, { t, language }: I18n): string {
  const follower = valueAt(followers, point.t);
  return t(follower === null ? 'strategy.chart.point' : 'strategy.chart.pointBoth', {
    time: exactTime(point.t, language),
    strategy: formatPercent(point.value),
    other: t(`strategy.chart.${other}`),
    follower: formatPercent(follower),
  });
}

function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const watch = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    watch.observe(element);
    return () => watch.disconnect();
  }, [box]);
  return width;
}

/** Null for a key that does not move. */
function indexAfterKey(key: string, now: number, end: number): number | null {
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageDown: -20, PageUp: 20 };
  const step = steps[key];
  if (key === 'Home') return 0;
  if (key === 'End') return end;
  return step === undefined ? null : Math.max(0, Math.min(end, now + step));
}

type PictureProps = {
  strategy: readonly YieldPoint[];
  followers: readonly YieldPoint[];
  scale: Scale;
  frame: Frame;
  /** The one that is pointed at. */
  point: YieldPoint | null;
};

function Picture({ strategy, followers, scale, frame, point }: PictureProps) {
  const fillId = useId();
  const line = useMemo(() => linePath(strategy, scale), [strategy, scale]);
  const followerLine = useMemo(() => linePath(followers, scale), [followers, scale]);
  const first = strategy[0] as YieldPoint;
  const last = strategy.at(-1) as YieldPoint;
  const tone = last.value > 0 ? 'text-up' : last.value < 0 ? 'text-down' : 'text-muted';
  const base = scale.y(0);
  return (
    <svg width={frame.width} height={CHART_HEIGHT} className="block" aria-hidden="true">
      <defs>
        <linearGradient
          id={fillId}
          x1="0"
          x2="0"
          // Strongest beside the line, which lies below zero for a loss.
          y1={last.value < 0 ? 1 : 0}
          y2={last.value < 0 ? 0 : 1}
          className={tone}
        >
          <stop offset="0" stopColor="currentColor" stopOpacity="0.2" />
          <stop offset="1" stopColor="currentColor" stopOpacity="0.02" />
        </linearGradient>
      </defs>
      <Axes scale={scale} frame={frame} spanMs={last.t - first.t} />
      <g className={tone}>
        <path
          d={`${line}L${scale.x(last.t)} ${base}L${scale.x(first.t)} ${base}Z`}
          fill={`url(#${fillId})`}
          stroke="none"
        />
        <path d={line} fill="none" stroke="currentColor" strokeWidth="2" strokeLinejoin="round" />
        {point === null && <circle cx={scale.x(last.t)} cy={scale.y(last.value)} r="3.5" fill="currentColor" />}
      </g>
      {followerLine !== '' && (
        <path
          d={followerLine}
          fill="none"
          stroke="var(--accent-text)"
          strokeWidth="1.6"
          strokeDasharray="5 4"
          strokeLinejoin="round"
        />
      )}
      {point && <Mark point={point} other={valueAt(followers, point.t)} scale={scale} tone={tone} />}
    </svg>
  );
}

function Axes({ scale, frame, spanMs }: { scale: Scale; frame: Frame; spanMs: number }) {
  const { language } = useI18n();
  const format = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', {
    ...(spanMs > 36 * 3_600_000 ? { day: 'numeric', month: 'short' } : { hour: '2-digit', minute: '2-digit' }),
    ...(spanMs < 600_000 ? { second: '2-digit' } : {}),
  });
  // A strategy that is seconds old would repeat one label; the first of equals is enough.
  const timeLabels = scale.times
    .map((ms) => ({ ms, text: format.format(ms) }))
    .filter(({ text }, index, all) => all.findIndex((other) => other.text === text) === index);
  return (
    <>
      {scale.ticks.map((tick) => (
        <g key={tick}>
          <line
            x1={margins.left}
            x2={frame.width - margins.right + 6}
            y1={scale.y(tick)}
            y2={scale.y(tick)}
            stroke={tick === 0 ? 'var(--line-strong)' : 'var(--line)'}
            strokeDasharray={tick === 0 ? undefined : '2 4'}
          />
          <text x={frame.width - 2} y={scale.y(tick) + 4} textAnchor="end" className="num fill-faint text-2xs">
            {`${tick > 0 ? '+' : ''}${tick}%`}
          </text>
        </g>
      ))}
      {timeLabels.map(({ ms, text }) => (
        <text key={ms} x={scale.x(ms)} y={CHART_HEIGHT - 6} textAnchor="middle" className="num fill-faint text-2xs">
          {text}
        </text>
      ))}
    </>
  );
}

type MarkProps = { point: YieldPoint; other: number | null; scale: Scale; tone: string };

function Mark({ point, other, scale, tone }: MarkProps) {
  const x = scale.x(point.t);
  const ring = { cx: x, stroke: 'var(--surface)', strokeWidth: 2 };
  return (
    <g>
      <line
        x1={x}
        x2={x}
        y1={margins.top}
        y2={CHART_HEIGHT - margins.bottom}
        stroke="var(--muted)"
        strokeDasharray="3 3"
      />
      <circle {...ring} cy={scale.y(point.value)} r="4.5" className={tone} fill="currentColor" />
      {other !== null && <circle {...ring} cy={scale.y(other)} r="4" fill="var(--accent-text)" />}
    </g>
  );
}

type PointBoxProps = { point: YieldPoint; followers: readonly YieldPoint[]; other: Other; x: number; width: number };

function PointBox({ point, followers, other: whose, x, width }: PointBoxProps) {
  const { t, language } = useI18n();
  const other = valueAt(followers, point.t);
  const rows = [
    { label: t('strategy.chart.strategy'), value: point.value },
    ...(other === null ? [] : [{ label: t(`strategy.chart.${whose}`), value: other }]),
  ];
  return (
    <div
      className="pointer-events-none absolute top-1 z-1 rounded-lg border border-line-strong bg-raised px-3 py-2 text-sm shadow-pop"
      style={x > width / 2 ? { right: width - x + 12 } : { left: x + 12 }}
      aria-hidden="true"
    >
      <p className="num mb-1 text-xs text-faint">{exactTime(point.t, language)}</p>
      {rows.map(({ label, value }) => (
        <p key={label} className="flex items-baseline justify-between gap-5">
          <span className="text-muted">{label}</span>
          <Percent value={value} className="font-semibold" />
        </p>
      ))}
    </div>
  );
}
