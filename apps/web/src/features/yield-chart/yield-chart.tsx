import { formatPercent } from '@hunter/domain/format-percent';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';
import { useI18n } from '../../i18n/i18n.ts';
import { Percent } from '../../ui/numbers.tsx';
import { exactTime } from '../../ui/relative-time.ts';
import { linePath, nearestIndex, valueAt, yieldScale } from './yield-scale.ts';
import type { Frame, YieldPoint } from './yield-scale.ts';

export const CHART_HEIGHT = 292;
const margins = { left: 2, right: 54, top: 12, bottom: 24 } as const;

/** The yield of a strategy over time, and what the median follower got of it. */
export function YieldChart({
  strategy,
  followers,
}: {
  strategy: readonly YieldPoint[];
  followers: readonly YieldPoint[];
}) {
  const { t, language } = useI18n();
  const fillId = useId();
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [at, setAt] = useState<number | null>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const watch = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);

  const frame: Frame = useMemo(() => ({ width: Math.max(width, 200), height: CHART_HEIGHT, ...margins }), [width]);
  const scale = useMemo(() => {
    const own = yieldScale(
      [...strategy, ...followers].toSorted((a, b) => a.t - b.t),
      frame,
    );
    return own;
  }, [strategy, followers, frame]);
  const line = useMemo(() => linePath(strategy, scale), [strategy, scale]);
  const followerLine = useMemo(() => linePath(followers, scale), [followers, scale]);

  const last = strategy.at(-1);
  const first = strategy[0];
  if (!last || !first) return null;
  const colour = last.value > 0 ? 'text-up' : last.value < 0 ? 'text-down' : 'text-muted';
  const index = at === null ? null : Math.min(at, strategy.length - 1);
  const point = index === null ? null : (strategy[index] as YieldPoint);
  const other = point === null ? null : valueAt(followers, point.t);
  const base = scale.y(0);
  const spanMs = last.t - first.t;

  const timeText = (ms: number) =>
    new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', {
      ...(spanMs > 36 * 3_600_000 ? { day: 'numeric', month: 'short' } : { hour: '2-digit', minute: '2-digit' }),
      ...(spanMs < 600_000 ? { second: '2-digit' } : {}),
    }).format(ms);

  // A strategy that is seconds old would repeat one label; the first of equals is enough.
  const timeLabels = scale.times
    .map((ms) => ({ ms, text: timeText(ms) }))
    .filter(({ text }, index, all) => all.findIndex((other) => other.text === text) === index);

  function onPointer(event: PointerEvent<HTMLDivElement>): void {
    const bounds = event.currentTarget.getBoundingClientRect();
    const inner = frame.width - margins.left - margins.right;
    const share = (event.clientX - bounds.left - margins.left) / inner;
    setAt(nearestIndex(strategy, (first?.t ?? 0) + share * spanMs));
  }

  function onKey(event: KeyboardEvent): void {
    const now = index ?? strategy.length - 1;
    const next = {
      ArrowLeft: now - 1,
      ArrowRight: now + 1,
      PageDown: now - 20,
      PageUp: now + 20,
      Home: 0,
      End: strategy.length - 1,
    }[event.key];
    if (event.key === 'Escape') setAt(null);
    if (next === undefined) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(strategy.length - 1, next)));
  }

  const spoken = point ?? last;
  const spokenOther = valueAt(followers, spoken.t);
  const words = {
    time: exactTime(spoken.t, language),
    strategy: formatPercent(spoken.value),
    follower: formatPercent(spokenOther),
  };
  return (
    <div
      ref={box}
      role="slider"
      tabIndex={0}
      aria-label={t('strategy.chart.label')}
      aria-valuemin={0}
      aria-valuemax={strategy.length - 1}
      aria-valuenow={index ?? strategy.length - 1}
      aria-valuetext={t(spokenOther === null ? 'strategy.chart.point' : 'strategy.chart.pointBoth', words)}
      className="relative w-full touch-pan-y rounded-m select-none"
      style={{ height: CHART_HEIGHT }}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onPointerLeave={() => setAt(null)}
      onKeyDown={onKey}
      onBlur={() => setAt(null)}
      data-testid="yield-chart"
    >
      {width > 0 && (
        <svg width={frame.width} height={CHART_HEIGHT} className="block" aria-hidden="true">
          <defs>
            <linearGradient
              id={fillId}
              x1="0"
              x2="0"
              // Strongest beside the line, which lies below zero for a loss.
              y1={last.value < 0 ? 1 : 0}
              y2={last.value < 0 ? 0 : 1}
              className={colour}
            >
              <stop offset="0" stopColor="currentColor" stopOpacity="0.2" />
              <stop offset="1" stopColor="currentColor" stopOpacity="0.02" />
            </linearGradient>
          </defs>
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
          <g className={colour}>
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
          {point && (
            <g>
              <line
                x1={scale.x(point.t)}
                x2={scale.x(point.t)}
                y1={margins.top}
                y2={CHART_HEIGHT - margins.bottom}
                stroke="var(--muted)"
                strokeDasharray="3 3"
              />
              <circle
                cx={scale.x(point.t)}
                cy={scale.y(point.value)}
                r="4.5"
                className={colour}
                fill="currentColor"
                stroke="var(--surface)"
                strokeWidth="2"
              />
              {other !== null && (
                <circle
                  cx={scale.x(point.t)}
                  cy={scale.y(other)}
                  r="4"
                  fill="var(--accent-text)"
                  stroke="var(--surface)"
                  strokeWidth="2"
                />
              )}
            </g>
          )}
        </svg>
      )}
      {point && (
        <div
          className="pointer-events-none absolute top-1 z-1 rounded-lg border border-line-strong bg-raised px-3 py-2 text-sm shadow-pop"
          style={
            scale.x(point.t) > frame.width / 2
              ? { right: frame.width - scale.x(point.t) + 12 }
              : { left: scale.x(point.t) + 12 }
          }
          aria-hidden="true"
        >
          <p className="num mb-1 text-xs text-faint">{exactTime(point.t, language)}</p>
          <p className="flex items-baseline justify-between gap-5">
            <span className="text-muted">{t('strategy.chart.strategy')}</span>
            <Percent value={point.value} className="font-semibold" />
          </p>
          {other !== null && (
            <p className="flex items-baseline justify-between gap-5">
              <span className="text-muted">{t('strategy.chart.follower')}</span>
              <Percent value={other} className="font-semibold" />
            </p>
          )}
        </div>
      )}
    </div>
  );
}
