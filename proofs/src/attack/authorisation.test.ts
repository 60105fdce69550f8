import { expect, it } from 'vitest';
import { differenceOf } from './authorisation.ts';

const tooSoon = (seconds: number, error = 'CODE_TOO_SOON') => ({
  status: 200,
  code: 1102,
  msg: `Please retry in ${seconds} seconds`,
  data: { error, retryAfterSeconds: seconds },
});

it('tells answers apart, but not by a second that passed between the two questions', () => {
  expect(differenceOf(tooSoon(60), tooSoon(59))).toBeNull();
  expect(differenceOf(tooSoon(60), tooSoon(3))).not.toBeNull();
  expect(differenceOf(tooSoon(60), tooSoon(60, 'RATE_LIMITED'))).not.toBeNull();
});
