// Where a time axis has its labels: at round times of the viewer's day, evenly spaced.
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MONTH_MS = 30.4 * DAY_MS;

/** Over more than this an hour alone says little. */
const HOURS_SPAN_MAX_MS = 1.5 * DAY_MS;

export type TimeUnit = 'second' | 'minute' | 'day' | 'month';
type Step = { unit: TimeUnit; count: number; lengthMs: number };

function stepsOf(unit: TimeUnit, unitMs: number, counts: readonly number[]): Step[] {
  return counts.map((count) => ({ unit, count, lengthMs: count * unitMs }));
}

/** Each at most two and a half times the one before, so that there is always a label. */
const steps: readonly Step[] = [
  ...stepsOf('second', SECOND_MS, [1, 2, 5, 10, 15, 30]),
  ...stepsOf('minute', MINUTE_MS, [1, 2, 5, 10, 15, 30]),
  ...stepsOf('minute', HOUR_MS, [1, 2, 3, 6, 12]),
  ...stepsOf('day', DAY_MS, [1, 2, 3, 7, 14]),
  ...stepsOf('month', MONTH_MS, [1, 2, 3, 6, 12, 24, 60, 120]),
];

/** About `most` times between the two, or fewer, and what their labels must tell apart. */
export function timeTicks(firstMs: number, lastMs: number, most: number): { unit: TimeUnit; times: readonly number[] } {
  const spanMs = lastMs - firstMs;
  const leastMs = spanMs > HOURS_SPAN_MAX_MS ? DAY_MS : 0;
  const fitting = steps.find(({ lengthMs }) => lengthMs >= leastMs && spanMs / lengthMs <= most);
  const step = fitting ?? steps.at(-1)!;
  const tickAt = ticksFrom(new Date(firstMs), step);
  const times: number[] = [];
  for (let index = 0; ; index += 1) {
    const time = tickAt(index);
    if (time > lastMs) break;
    if (time >= firstMs) times.push(time);
  }
  return { unit: step.unit, times };
}

/** A day begins with its date, which tells the hours before it from those after. */
export function isMidnight(timeMs: number): boolean {
  const time = new Date(timeMs);
  return time.getHours() === 0 && time.getMinutes() === 0 && time.getSeconds() === 0;
}

/** The first lies at or shortly before the time. Days and months are the calendar's: where the clock changes they differ in length. */
function ticksFrom(time: Date, { unit, count, lengthMs }: Step): (index: number) => number {
  const [year, month, day] = [time.getFullYear(), time.getMonth(), time.getDate()];
  if (unit === 'month') {
    const past = (year * 12 + month) % count;
    return (index) => new Date(year, month - past + index * count).getTime();
  }
  if (unit === 'day') {
    const past = (Date.UTC(year, month, day) / DAY_MS) % count;
    return (index) => new Date(year, month, day - past + index * count).getTime();
  }
  const midnight = new Date(year, month, day).getTime();
  const start = midnight + Math.floor((time.getTime() - midnight) / lengthMs) * lengthMs;
  return (index) => start + index * lengthMs;
}
