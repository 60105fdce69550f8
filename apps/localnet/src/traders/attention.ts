import { smoothNoise } from '../venue/noise.ts';
import { activityAt, type PricePlan } from './price-plan.ts';

/**
 * The token that everybody looks at has 1 of the attention, the next 1 / 2^this of it, and so on. With sixty tokens the first five have
 * nearly two thirds of all trades.
 */
const CONCENTRATION = 1.35;
/** What people talk about changes within the half hour, not with every trade. */
const TALK_SECONDS = 1_800;
const TALK_HEIGHT = 1.1;

/** How much a token is talked about, against others. */
export function interestAt(plan: PricePlan, seconds: number): number {
  return activityAt(plan, seconds) * Math.exp(TALK_HEIGHT * smoothNoise(plan.key + 91, seconds / TALK_SECONDS));
}

/** The share of all trades that each token gets, in the order given: by its rank, because people look at the top of lists. */
export function attentionShares(interests: readonly number[]): number[] {
  const ranked = interests.map((interest, place) => ({ interest, place }));
  ranked.sort((one, other) => other.interest - one.interest || one.place - other.place);
  const shares = interests.map(() => 0);
  let total = 0;
  for (const [rank, { place }] of ranked.entries()) {
    const weight = (rank + 1) ** -CONCENTRATION;
    shares[place] = weight;
    total += weight;
  }
  return shares.map((weight) => weight / total);
}
