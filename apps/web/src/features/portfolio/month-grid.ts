// Months as `2026-11` and days as `2026-11-16`, in the calendar's own arithmetic: no time zone moves a day.

const pad = (value: number): string => String(value).padStart(2, '0');

function parts(month: string): [year: number, month: number] {
  const [year, of] = month.split('-').map(Number) as [number, number];
  return [year, of];
}

export function monthOf(timeMs: number): string {
  const date = new Date(timeMs);
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}`;
}

export function shiftMonth(month: string, by: number): string {
  const [year, of] = parts(month);
  const index = year * 12 + of - 1 + by;
  return `${Math.floor(index / 12)}-${pad((index % 12) + 1)}`;
}

/** Weeks from Monday to Sunday; null where a week has days of another month. */
export function monthWeeks(month: string): (string | null)[][] {
  const [year, of] = parts(month);
  const before = (new Date(Date.UTC(year, of - 1, 1)).getUTCDay() + 6) % 7;
  const count = new Date(Date.UTC(year, of, 0)).getUTCDate();
  const cells: (string | null)[] = Array.from({ length: before }, () => null);
  for (let day = 1; day <= count; day += 1) cells.push(`${month}-${pad(day)}`);
  while (cells.length % 7 !== 0) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}

/** Where an arrow key leads from a day, within its month; null for a key that does not move. */
export function dayAfterKey(day: string, key: string): string | null {
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
  const days = monthWeeks(day.slice(0, 7))
    .flat()
    .filter((each) => each !== null);
  if (key === 'Home') return days[0] ?? null;
  if (key === 'End') return days.at(-1) ?? null;
  const step = steps[key];
  if (step === undefined) return null;
  return days[Math.max(0, Math.min(days.length - 1, days.indexOf(day) + step))] ?? null;
}

/** At noon, so that printing it in any time zone names the same day. */
export function noonOf(day: string): Date {
  return new Date(`${day}T12:00:00Z`);
}
