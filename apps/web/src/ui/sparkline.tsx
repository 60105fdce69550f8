import { classNames } from './class-names.ts';
import { sparklinePoints, type Scale } from './sparkline-path.ts';

/** A trend without axes. Coloured by whether it ends above or below its start, unless told otherwise. */
export function Sparkline({
  values,
  width = 120,
  height = 46,
  tone,
  scale,
  fill = true,
  label,
  className,
}: {
  values: readonly number[];
  width?: number;
  height?: number;
  tone?: 'up' | 'down';
  /** Shared with the lines beside it; without one the line fills its box. */
  scale?: Scale;
  fill?: boolean;
  /** What the line shows, for those who do not see it; without one it is decoration beside figures that say the same. */
  label?: string;
  className?: string;
}) {
  const points = sparklinePoints(values, width, height, scale);
  const first = values[0] ?? 0;
  const last = values.at(-1) ?? 0;
  const direction = tone ?? (last > first ? 'up' : last < first ? 'down' : null);
  const colour = direction === null ? 'text-faint' : direction === 'up' ? 'text-up' : 'text-down';
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      preserveAspectRatio="none"
      className={classNames('block max-w-full', colour, className)}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      {fill && points !== '' && (
        <polygon points={`0,${height} ${points} ${width},${height}`} fill="currentColor" opacity="0.1" />
      )}
      <polyline
        points={points}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.7"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
