export type Sample = { atMs: number; megabytes: number };

/** Of the straight line with the least squares through the samples; null where there are too few to say. */
export function megabytesPerMinute(samples: readonly Sample[]): number | null {
  if (samples.length < 3) return null;
  const mean = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [meanMs, meanMb] = [mean(({ atMs }) => atMs), mean(({ megabytes }) => megabytes)];
  const together = mean(({ atMs, megabytes }) => (atMs - meanMs) * (megabytes - meanMb));
  const spread = mean(({ atMs }) => (atMs - meanMs) ** 2);
  return Math.round((together / spread) * 60_000 * 100) / 100;
}
