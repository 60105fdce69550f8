const LINE_POINTS_MAX = 300;

/** How often each reason limited or skipped a copy, the most frequent first. */
export function reasonsOf(receipts: readonly { reason: string | null }[]): { reason: string; count: number }[] {
  const named = receipts.flatMap(({ reason }) => reason ?? []);
  const counts = [...Map.groupBy(named, (reason) => reason)].map(([reason, all]) => ({ reason, count: all.length }));
  return counts.toSorted((left, right) => right.count - left.count || (left.reason < right.reason ? -1 : 1));
}

/** At most so many for the screen, the first and the last among them. */
export function thin<Point>(points: readonly Point[]): Point[] {
  const step = Math.max(1, Math.ceil(points.length / LINE_POINTS_MAX));
  return points.filter((_, index) => index % step === 0 || index === points.length - 1);
}
