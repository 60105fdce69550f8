import { expect, it } from 'vitest';
import { decideDepositAlerts, DEPOSIT_ALERTS_PER_DAY } from './deposit-alerts.ts';

const token = { lamports: null, isKnown: true };
const sol = (lamports: bigint) => ({ lamports, isKnown: false });

it('tells no dust and no unknown token, tokens and little SOL so often a day, and 0.1 SOL always', () => {
  const ignored = [sol(99_999n), { lamports: null, isKnown: false }];
  expect(decideDepositAlerts([...ignored, token, sol(100_000n)], 0)).toEqual({
    told: [token, sol(100_000n)],
    isMore: false,
  });
  const flood = Array.from({ length: 1_000 }, () => token);
  const few = decideDepositAlerts(flood, 0);
  expect([few.told.length, few.isMore]).toEqual([DEPOSIT_ALERTS_PER_DAY, true]);
  const large = sol(100_000_000n);
  expect(decideDepositAlerts([token, large], DEPOSIT_ALERTS_PER_DAY + 5)).toEqual({ told: [large], isMore: true });
  expect(decideDepositAlerts(ignored, DEPOSIT_ALERTS_PER_DAY)).toEqual({ told: [], isMore: false });
});
