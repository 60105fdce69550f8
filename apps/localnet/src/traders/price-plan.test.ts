import { describe, expect, it } from 'vitest';
import { genesisTokens, planOf } from './market-tokens.ts';
import { activityAt, targetLog } from './price-plan.ts';

const GENESIS = 1_800_000_000;
const HOUR = 3_600;
const tokens = genesisTokens('3', GENESIS).map(({ listing }) => planOf('3', listing, GENESIS));

describe('the hidden plans', () => {
  it('keep every price within bounds for months, however lucky a token is', () => {
    for (const plan of tokens) {
      for (let hour = -7 * 24; hour < 60 * 24; hour += 5) {
        const target = targetLog(plan, hour * HOUR);
        expect(target).toBeGreaterThan(-4.5);
        expect(target).toBeLessThan(4.5);
        expect(activityAt(plan, hour * HOUR)).toBeGreaterThan(0);
      }
    }
  });

  it('hold a run of ten times for somebody within the first hours of the live market', () => {
    const best = tokens.map((plan) => {
      let low = Number.POSITIVE_INFINITY;
      let run = 0;
      for (let minute = 0; minute < 12 * 60; minute += 2) {
        const target = targetLog(plan, minute * 60);
        low = Math.min(low, target);
        run = Math.max(run, target - low);
      }
      return run;
    });
    expect(Math.max(...best)).toBeGreaterThan(Math.log(9));
  });
});
