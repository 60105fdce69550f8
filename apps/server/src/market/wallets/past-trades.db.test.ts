import { expect, it } from 'vitest';
import { rowsPassedOver } from '../../platform/postgres-for-test.ts';
import type { Sql } from '../../platform/postgres.ts';
import { aMarketDatabase, aToken, aTrade, START_MS } from '../market-for-test.ts';
import { loadBuysWithPriceAfter, loadTradesWithPriceAfter } from './past-trades.ts';

const DELAY_MS = 2_000;
const market = aMarketDatabase();

it('finds the price a delay after a trade without walking through what was traded before and since', async () => {
  const store = await market.emptyStore();
  await store.storeTokens([aToken()]);
  const daysBefore = Array.from({ length: 300 }, (_, index) =>
    aTrade({ seq: BigInt(index - 1_000), atMs: START_MS - 3 * 86_400_000 + index }),
  );
  const dayLater = Array.from({ length: 300 }, (_, index) =>
    aTrade({ seq: BigInt(100 + index), atMs: START_MS + 86_400_000 + index, wallet: 'W2' }),
  );
  const twice = { lamports: 2_000_000_000n, wallet: 'W2' };
  await store.storeTrades(daysBefore, 'test', {});
  await store.storeTrades([aTrade({}), aTrade({ seq: 2n, atMs: START_MS + 1_000, ...twice }), ...dayLater], 'test', {});
  const passedOver: number[] = [];
  const explained: Sql = {
    query: async (text, values = []) => {
      passedOver.push(await rowsPassedOver(market.database, text, values));
      return market.database.query(text, values);
    },
    write: () => expect.unreachable('trades are read'),
  };
  const since = new Date(START_MS - 1);
  const [buy] = await loadBuysWithPriceAfter(explained, 'W1', since, DELAY_MS, 10);
  expect(buy!.laterPriceSol).toBe(2n * buy!.priceSol);
  const [trade] = await loadTradesWithPriceAfter(explained, 'W1', since, DELAY_MS, 10);
  expect(trade!.laterPriceSol).toBe(buy!.laterPriceSol);
  expect(passedOver).toEqual([0, 0]);
});
