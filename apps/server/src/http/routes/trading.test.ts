import { expect, it } from 'vitest';
import { FakeClock } from '../../accounts/accounts-for-test.ts';
import type { Trading } from '../../trading/trading.ts';
import type { Caller } from '../handlers.ts';
import { tradingHandlers } from './trading.ts';

it('quotes in a book, where all who follow are planned, only so often for one user, and elsewhere as often as asked', async () => {
  const clock = new FakeClock();
  const trading = { clock, tokens: { load: async () => new Map() } } as unknown as Trading;
  const { quote } = tradingHandlers(trading, { bookQuotesPerSecond: 0.2 });
  const outcomeOf = (userId: string, bookId?: string): Promise<string> => {
    const caller = { session: { sessionId: 's', userId, email: 'a@example.com' }, address: '203.0.113.1' };
    const request = { tokenContractAddress: 'mint', side: 'buy', amount: '1', bookId };
    return quote(request as never, caller as Caller).then(
      () => 'quoted',
      ({ errorName }: { errorName: string }) => errorName,
    );
  };
  const asked = 'TOKEN_UNKNOWN';
  expect([await outcomeOf('ann', 'book'), await outcomeOf('ann', 'book')]).toEqual([asked, asked]);
  expect(await outcomeOf('ann', 'book')).toBe('RATE_LIMITED');
  expect([await outcomeOf('bob', 'book'), await outcomeOf('ann')]).toEqual([asked, asked]);
  clock.advanceSeconds(5);
  expect(await outcomeOf('ann', 'book')).toBe(asked);
});
