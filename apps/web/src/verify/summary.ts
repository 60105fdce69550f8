import type { Figure } from '@hunter/verify/report';

/** What a comparison comes to. A record that is too young to hold a figure of both kinds agrees with nothing yet. */
export function summarise(figures: readonly Pick<Figure, 'verdict'>[]): {
  outcome: 'none' | 'same' | 'different';
  count: number;
} {
  const countOf = (wanted: Figure['verdict']): number => figures.filter(({ verdict }) => verdict === wanted).length;
  const [same, different] = [countOf('same'), countOf('different')];
  if (different > 0) return { outcome: 'different', count: different };
  return { outcome: same > 0 ? 'same' : 'none', count: same };
}
