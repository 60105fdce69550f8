/** Heights and places of bars, in percent of the pane: what candles look like before there are any. */
const BARS = Array.from({ length: 40 }, (_, at) => ({
  top: 34 + 20 * Math.sin(at / 5) + 6 * Math.sin(at * 1.7),
  height: 8 + 6 * Math.abs(Math.sin(at * 2.3)),
}));

/** Stands where the candles will be. It keeps still, as every skeleton here. */
export function ChartSkeleton() {
  return (
    <div aria-hidden="true" className="flex h-full gap-1 px-3 pr-20" data-testid="chart-skeleton">
      {BARS.map(({ top, height }, at) => (
        <span key={at} className="relative flex-1">
          <span
            className="absolute inset-x-[20%] rounded-[2px] bg-hover"
            style={{ top: `${top}%`, height: `${height}%` }}
          />
        </span>
      ))}
    </div>
  );
}
