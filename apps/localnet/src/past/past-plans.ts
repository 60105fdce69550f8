import { STRATEGY_PLANS, type StrategyPlan } from '../people/strategy-plans.ts';

export type PastPlan = {
  readonly plan: StrategyPlan;
  /** Days before the first start. */
  readonly beginsDays: number;
  /** Ended by its creator this many days before the first start; without it, by its duration or not at all. */
  readonly endsDays?: number;
  /** How often its creator looks at it when there is occasion. */
  readonly visits: number;
  /** How many coins he then changes for others until it is ranked; one where nothing is said. */
  readonly rotations?: number;
};

type Course = Omit<PastPlan, 'plan'>;

/** Who traded often for a week is ranked at the first start; the others show what else there is. */
const COURSES: Readonly<Record<string, Course>> = {
  'Steady Trend': { beginsDays: 7.1, visits: 1, rotations: 3 },
  逢低布局: { beginsDays: 7.1, visits: 1, rotations: 3 },
  'Small Wins': { beginsDays: 7.1, visits: 1, rotations: 3 },
  'Diamond Hands': { beginsDays: 6.95, visits: 0.04 },
  Rotation: { beginsDays: 7.1, visits: 1, rotations: 3 },
  短线快进快出: { beginsDays: 6.85, visits: 0.15 },
  'Breakout Desk': { beginsDays: 6.6, visits: 1, rotations: 3 },
  'Never Sell Red': { beginsDays: 7.1, visits: 1, rotations: 3 },
  'Night Owl': { beginsDays: 6.4, visits: 0.12 },
  'Fast Hands': { beginsDays: 6.3, visits: 0.1 },
  Patience: { beginsDays: 5.6, visits: 0.08 },
  'Weekend Basket': { beginsDays: 5, visits: 0 },
  稳健组合: { beginsDays: 4.2, visits: 0.06 },
  'First Try': { beginsDays: 3.5, endsDays: 2.6, visits: 0.15 },
  'Coin Flip': { beginsDays: 2.2, visits: 0.2 },
  'Morning Scalp': { beginsDays: 1.4, endsDays: 0.9, visits: 0.2 },
};

export const PAST_PLANS: readonly PastPlan[] = STRATEGY_PLANS.map((plan) => {
  return { plan, ...(COURSES[plan.name] ?? { beginsDays: 1, visits: 0.2 }) };
});
