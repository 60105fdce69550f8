import { type Price } from '../numbers/price.ts';
import { rateOf, type Rate } from '../numbers/rate.ts';

export const NOTICE_GRADES = ['gold', 'silver', 'bronze', 'flat', 'dead'] as const;

export type NoticeGrade = (typeof NOTICE_GRADES)[number];

/**
 * Medals go by the best price within the horizon; dead is a token without a medal that has lost more than half at its end.
 */
export function gradeNotice(prices: {
  readonly atAlert: Price;
  readonly peak: Price;
  readonly atHorizon: Price;
}): NoticeGrade | null {
  const { atAlert, peak, atHorizon } = prices;
  if (atAlert === 0n) return null;
  if (peak >= atAlert * 10n) return 'gold';
  if (peak >= atAlert * 3n) return 'silver';
  if (peak * 2n >= atAlert * 3n) return 'bronze';
  return atHorizon * 2n < atAlert ? 'dead' : 'flat';
}

export type HitRate = {
  readonly graded: number;
  readonly hits: number;
  readonly byGrade: Readonly<Record<NoticeGrade, number>>;
  /** Null with none graded. */
  readonly rate: Rate | null;
};

/** Bronze and better are hits; everything else, the dead included, is a miss and counts as one. */
export function hitRate(grades: readonly NoticeGrade[]): HitRate {
  const byGrade = { gold: 0, silver: 0, bronze: 0, flat: 0, dead: 0 };
  for (const grade of grades) byGrade[grade] += 1;
  const hits = byGrade.gold + byGrade.silver + byGrade.bronze;
  const graded = grades.length;
  return { graded, hits, byGrade, rate: graded === 0 ? null : rateOf(BigInt(hits), BigInt(graded)) };
}

/** With fewer graded notices a rate says little. */
export const PROVEN_GRADED_MIN = 20;

/** A trigger that is worth waking somebody for: at least three of ten of its notices, of enough, were hits. */
export function isProvenTrigger({ graded, hits }: Pick<HitRate, 'graded' | 'hits'>): boolean {
  return graded >= PROVEN_GRADED_MIN && hits * 10 >= graded * 3;
}
