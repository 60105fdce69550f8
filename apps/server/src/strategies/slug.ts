const LENGTH_MAX = 60;

/** Letters and digits of any script, everything else a dash: "月球 计划 #1" is "月球-计划-1". Empty where nothing is left. */
export function slugFrom(name: string): string {
  const text = name.normalize('NFKC').toLowerCase();
  const dashed = text.replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  // A cut through a pair of halves leaves one that is no letter; the dash in its place goes with the others.
  const cut = dashed.slice(0, LENGTH_MAX).replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  return cut.replaceAll(/^-+|-+$/g, '');
}

/** The slug to try: the name alone first, then with a part of the strategy's own id, longer each time. */
export function slugCandidate(name: string, strategyId: string, attempt: number): string {
  const base = slugFrom(name);
  const suffix = strategyId.replaceAll('-', '').slice(0, attempt * 4);
  if (base === '') return `s-${suffix || strategyId.slice(0, 4)}`;
  return attempt === 0 ? base : `${base}-${suffix}`;
}
