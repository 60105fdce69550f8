/** The spinner's progress is a guess: it advances in ticks, ever slower, and never claims to have arrived. */
export const PROGRESS_TICK_MS = 200;
export const PROGRESS_LIMIT = 95;

export function nextProgress(percent: number): number {
  return Math.min(PROGRESS_LIMIT, percent + Math.max(0.5, (PROGRESS_LIMIT - percent) * 0.12));
}
