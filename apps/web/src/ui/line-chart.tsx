import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent, RefObject } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { classNames } from './class-names.ts';
import { linePath, lineScale, nearestIndex, valueAt } from './line-scale.ts';
import type { Frame, LinePoint } from './line-scale.ts';
import { exactTime } from './relative-time.ts';
import { toneClass } from './tone.ts';
import type { Tone } from './tone.ts';
import { isMidnight } from './time-ticks.ts';
import type { TimeUnit } from './time-ticks.ts';

export const CHART_HEIGHT = 292;
const margins = { left: 2, right: 54, top: 12, bottom: 24 } as const;

type Scale = ReturnType<typeof lineScale>;

export type ChartRow = { label: string; text: string; tone: Tone };

type LineChartProps = {
  points: readonly LinePoint[];
  /** A dashed line to compare with. */
  second?: readonly LinePoint[];
  label: string;
  height?: number;
  /** The colour of the main line: gain, loss or neither. */
  tone: Tone;
  /** Zero is part of the scale, and what the area is filled to. */
  zero?: boolean;
  axisText: (tick: string) => string;
  /** One point in words, for assistive technology. */
  spoken: (point: LinePoint, second: number | null) => string;
  /** The lines of the box beside the point that is looked at. */
  rows: (point: LinePoint, second: number | null) => readonly ChartRow[];
  testId: string;
};

const NONE: readonly LinePoint[] = [];

/** A line over time, looked at with pointer, finger or arrow keys. */
export function LineChart(props: LineChartProps) {
  const { points, second = NONE, zero = true, height = CHART_HEIGHT } = props;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [at, setAt] = useState<number | null>(null);
  const frame: Frame = useMemo(() => ({ width: Math.max(width, 200), height, ...margins }), [width, height]);
  const scale = useMemo(
    () =>
      lineScale(
        [...points, ...second].toSorted((a, b) => a.t - b.t),
        frame,
        zero,
      ),
    [points, second, frame, zero],
  );

  const last = points.at(-1);
  const first = points[0];
  if (!last || !first) return null;
  const end = points.length - 1;
  const index = at === null ? null : Math.min(at, end);
  const point = index === null ? null : (points[index] as LinePoint);

  function onPointer(event: PointerEvent<HTMLDivElement>): void {
    const bounds = event.currentTarget.getBoundingClientRect();
    const inner = frame.width - margins.left - margins.right;
    const share = (event.clientX - bounds.left - margins.left) / inner;
    setAt(nearestIndex(points, first!.t + share * (last!.t - first!.t)));
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
      aria-label={props.label}
      aria-valuemin={0}
      aria-valuemax={end}
      aria-valuenow={index ?? end}
      aria-valuetext={props.spoken(point ?? last, valueAt(second, (point ?? last).t))}
      className="relative w-full touch-pan-y rounded-m select-none"
      style={{ height }}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onPointerLeave={() => setAt(null)}
      onKeyDown={onKey}
      onBlur={() => setAt(null)}
      data-testid={props.testId}
    >
      {width > 0 && <Picture {...props} second={second} zero={zero} scale={scale} frame={frame} point={point} />}
      {point && (
        <PointBox
          point={point}
          rows={props.rows(point, valueAt(second, point.t))}
          x={scale.x(point.t)}
          width={frame.width}
        />
      )}
    </div>
  );
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

type PictureProps = Pick<LineChartProps, 'points' | 'tone' | 'axisText'> & {
  second: readonly LinePoint[];
  zero: boolean;
  scale: Scale;
  frame: Frame;
  /** The one that is pointed at. */
  point: LinePoint | null;
};

function Picture({ points, second, tone, zero, axisText, scale, frame, point }: PictureProps) {
  const fillId = useId();
  const line = useMemo(() => linePath(points, scale), [points, scale]);
  const secondLine = useMemo(() => linePath(second, scale), [second, scale]);
  const first = points[0] as LinePoint;
  const last = points.at(-1) as LinePoint;
  const colour = tone ? toneClass[tone] : 'text-muted';
  const base = zero ? scale.y(0) : frame.height - margins.bottom;
  // Strongest beside the line, which lies below zero for a loss.
  const isBelow = zero && last.value < 0;
  return (
    <svg width={frame.width} height={frame.height} className="block" aria-hidden="true">
      <defs>
        <linearGradient id={fillId} x1="0" x2="0" y1={isBelow ? 1 : 0} y2={isBelow ? 0 : 1} className={colour}>
          <stop offset="0" stopColor="currentColor" stopOpacity="0.2" />
          <stop offset="1" stopColor="currentColor" stopOpacity="0.02" />
        </linearGradient>
      </defs>
      <Axes scale={scale} frame={frame} text={axisText} />
      <g className={colour}>
        <path
          d={`${line}L${scale.x(last.t)} ${base}L${scale.x(first.t)} ${base}Z`}
          fill={`url(#${fillId})`}
          stroke="none"
        />
        <path d={line} fill="none" stroke="currentColor" strokeWidth="2" strokeLinejoin="round" />
        {point === null && <circle cx={scale.x(last.t)} cy={scale.y(last.value)} r="3.5" fill="currentColor" />}
      </g>
      {secondLine !== '' && (
        <path
          d={secondLine}
          fill="none"
          stroke="var(--accent-text)"
          strokeWidth="1.6"
          strokeDasharray="5 4"
          strokeLinejoin="round"
        />
      )}
      {point && <Mark point={point} other={valueAt(second, point.t)} scale={scale} frame={frame} tone={colour} />}
    </svg>
  );
}

type AxesProps = { scale: Scale; frame: Frame; text: (tick: string) => string };

const timeFormats = {
  second: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  minute: { hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
} as const satisfies Record<TimeUnit, Intl.DateTimeFormatOptions>;

function Axes({ scale, frame, text: tickText }: AxesProps) {
  const { language } = useI18n();
  const formatOf = (unit: TimeUnit) =>
    new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', timeFormats[unit]);
  const format = formatOf(scale.timeUnit);
  const days = scale.timeUnit === 'month' ? format : formatOf('day');
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
            {tickText(tick.toFixed(scale.places))}
          </text>
        </g>
      ))}
      {scale.times.map((ms) => (
        <text key={ms} x={scale.x(ms)} y={frame.height - 6} textAnchor="middle" className="num fill-faint text-2xs">
          {(isMidnight(ms) ? days : format).format(ms)}
        </text>
      ))}
    </>
  );
}

type MarkProps = { point: LinePoint; other: number | null; scale: Scale; frame: Frame; tone: string };

function Mark({ point, other, scale, frame, tone }: MarkProps) {
  const x = scale.x(point.t);
  const ring = { cx: x, stroke: 'var(--surface)', strokeWidth: 2 };
  return (
    <g>
      <line
        x1={x}
        x2={x}
        y1={margins.top}
        y2={frame.height - margins.bottom}
        stroke="var(--muted)"
        strokeDasharray="3 3"
      />
      <circle {...ring} cy={scale.y(point.value)} r="4.5" className={tone} fill="currentColor" />
      {other !== null && <circle {...ring} cy={scale.y(other)} r="4" fill="var(--accent-text)" />}
    </g>
  );
}

type PointBoxProps = {
  point: LinePoint;
  rows: readonly ChartRow[];
  x: number;
  width: number;
};

function PointBox({ point, rows, x, width }: PointBoxProps) {
  const { language } = useI18n();
  return (
    <div
      className="pointer-events-none absolute top-1 z-1 rounded-lg border border-line-strong bg-raised px-3 py-2 text-sm shadow-pop"
      style={x > width / 2 ? { right: width - x + 12 } : { left: x + 12 }}
      aria-hidden="true"
    >
      <p className="num mb-1 text-xs text-faint">{exactTime(point.t, language)}</p>
      {rows.map(({ label, text, tone }) => (
        <p key={label} className="flex items-baseline justify-between gap-5">
          <span className="text-muted">{label}</span>
          <span className={classNames('num font-semibold', tone && toneClass[tone])}>{text}</span>
        </p>
      ))}
    </div>
  );
}
