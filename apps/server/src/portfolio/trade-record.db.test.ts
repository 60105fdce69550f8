import { randomUUID } from 'node:crypto';
import { SeededRandom } from '@hunter/domain/seeded-random';
import { beforeEach, describe, expect, it } from 'vitest';
import { mintNamed } from '@hunter/domain/address-for-test';
import type { TokenRow } from '../market/token-directory.ts';
import type { Database, Row, Sql } from '../platform/postgres.ts';
import { rowsPassedOver, useTestDatabase } from '../platform/postgres-for-test.ts';
import { loadPositions } from './account-reads.ts';
import { fillsCsv } from './fills-csv.ts';
import { loadOwnTrades } from './own-trades.ts';
import { loadRealized } from './realized.ts';
import { tradeRecordCsv } from './trade-record-csv.ts';
import {
  DAY_MS,
  lamportsOf,
  NETWORK_FEE,
  newPortfolioTest,
  ONE,
  portfolioSteps,
  type PortfolioTest,
} from './portfolio-steps-for-test.ts';

// Figures of the portfolio against a recount by the simplest means: what went in, what came out, what is left.

const MINTS = ['MintA', 'MintB'].map(mintNamed);

let database: Database;
useTestDatabase((opened) => {
  database = opened;
});

let { userId, personal, follow, clock, trading } = {} as PortfolioTest;
beforeEach(async () => {
  ({ userId, personal, follow, clock, trading } = await newPortfolioTest(database));
});

const { deposit, commit, trade } = portfolioSteps(() => ({ database, userId, personal, follow, clock }));

describe('the realized calendar', () => {
  it('agrees with a recount of random trades, day by day, and with the positions', async () => {
    const random = new SeededRandom(7);
    const pick = (low: number, high: number): number => low + random.whole(high - low + 1);
    await deposit(10_000n * ONE);
    await commit(5_000n * ONE, 5_000n);
    // Average cost by book and mint, kept here by the plainest means.
    const held = new Map<string, { tokens: bigint; cost: bigint }>();
    const byDay = new Map<string, bigint>();
    for (let each = 0; each < 60; each += 1) {
      await clock.advance(pick(1, 9) * 3_600_000);
      const book = pick(0, 1) === 0 ? personal : follow;
      const mint = MINTS[pick(0, 1)]!;
      const position = held.get(`${book.id} ${mint}`) ?? { tokens: 0n, cost: 0n };
      const sol = BigInt(pick(1, 1_000)) * 1_000_000n;
      if (position.tokens === 0n || pick(0, 2) > 0) {
        const tokens = BigInt(pick(1, 1_000));
        await trade(book, mint, 'buy', tokens, sol);
        held.set(`${book.id} ${mint}`, {
          tokens: position.tokens + tokens,
          cost: position.cost + sol + NETWORK_FEE,
        });
        continue;
      }
      const tokens = pick(0, 1) === 0 ? position.tokens : 1n + position.tokens / 2n;
      const sold = tokens > position.tokens ? position.tokens : tokens;
      await trade(book, mint, 'sell', sold, sol);
      const cost = sold === position.tokens ? position.cost : (position.cost * sold) / position.tokens;
      held.set(`${book.id} ${mint}`, { tokens: position.tokens - sold, cost: position.cost - cost });
      const day = new Date(clock.nowMs()).toISOString().slice(0, 10);
      byDay.set(day, (byDay.get(day) ?? 0n) + sol - NETWORK_FEE - cost);
    }
    const months = [...new Set([...byDay.keys()].map((day) => day.slice(0, 7)))];
    const found = new Map<string, bigint>();
    for (const month of months) {
      const reply = await loadRealized(database, userId, { month, timeZone: 'UTC' });
      for (const { day, realized } of reply.days) found.set(day, lamportsOf(realized));
      expect(lamportsOf(reply.realized)).toBe(reply.days.reduce((sum, { realized }) => sum + lamportsOf(realized), 0n));
    }
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(byDay));
    const [position] = await database.query<{ realised: bigint }>(
      `select sum(realised_lamports)::numeric(40, 0) as realised from position where user_id = $1`,
      [userId],
    );
    expect([...found.values()].reduce((sum, day) => sum + day, 0n)).toBe(position!.realised);
  });

  it('reads nothing of positions in which nothing happened in the month, and knows the first month all the same', async () => {
    await deposit(ONE);
    const months: string[] = [];
    for (const mint of MINTS.slice(0, 2)) {
      months.push(new Date(clock.nowMs()).toISOString().slice(0, 7));
      await trade(personal, mint, 'buy', 10n, 100_000n);
      await trade(personal, mint, 'sell', 10n, 200_000n);
      await clock.advance(100 * DAY_MS);
    }
    let read = 0;
    const counting: Sql = {
      query: async <R extends Row>(...asked: Parameters<Sql['query']>) => {
        const rows = await database.query<R>(...asked);
        read += rows.length;
        return rows;
      },
      write: () => expect.unreachable('a record is read'),
    };
    for (const month of months) {
      read = 0;
      const reply = await loadRealized(counting, userId, { month, timeZone: 'UTC' });
      expect(reply).toMatchObject({ sales: 1, realized: '0.00008', firstMonth: months[0] });
      expect(read).toBe(2);
    }
    const now = new Date(clock.nowMs()).toISOString().slice(0, 7);
    const none = await loadRealized(database, userId, { month: now, timeZone: 'UTC' });
    expect(none).toEqual({ month: now, days: [], realized: '0', sales: 0, firstMonth: months[0] });
  });

  it('looks at no fill once for each of the others, however many a book has of one token', async () => {
    await database.write(
      `insert into fill (reference, user_id, book_id, mint, kind, tokens, lamports, order_id, at)
       select gen_random_uuid(), $1, $2, 'MintA', 'buy', 1, 1, gen_random_uuid(), now() from generate_series(1, 400)`,
      [userId, personal.id],
    );
    await database.write(`analyze fill`);
    const places = `select max(place) from standing_fill where user_id = $1`;
    expect(await rowsPassedOver(database, places, [userId])).toBeLessThan(10);
  });

  it('puts a sale on the day of the caller’s time zone, and refuses a zone that does not exist', async () => {
    await deposit(ONE);
    await clock.advance(DAY_MS - (clock.nowMs() % DAY_MS) - 3_600_000);
    await trade(personal, mintNamed('MintA'), 'buy', 10n, 1_000n);
    await trade(personal, mintNamed('MintA'), 'sell', 10n, 50_000n);
    const utcDay = new Date(clock.nowMs()).toISOString().slice(0, 10);
    const shanghaiDay = new Date(clock.nowMs() + 8 * 3_600_000).toISOString().slice(0, 10);
    const dayIn = async (timeZone: string, month: string) =>
      (await loadRealized(database, userId, { month, timeZone })).days.map(({ day }) => day);
    expect(await dayIn('UTC', utcDay.slice(0, 7))).toEqual([utcDay]);
    expect(await dayIn('Asia/Shanghai', shanghaiDay.slice(0, 7))).toEqual([shanghaiDay]);
    await expect(dayIn('Nowhere/Atall', '2026-11')).rejects.toThrow();
  });
});

it('the record file and the fills file call an account the same', async () => {
  for (const file of [tradeRecordCsv(trading, userId), fillsCsv(trading, userId)]) {
    const titles = await file.next();
    expect((titles.value as string).split(',')).toContain('Account');
  }
});

async function linesOf(of: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of fillsCsv(trading, of)) lines.push(line);
  return lines;
}

it('the fills file has every fill of the user, nobody else’s, and runs nothing in a spreadsheet', async () => {
  await deposit(10n * ONE);
  await commit(2n * ONE, 5_000n);
  await trade(personal, mintNamed('MintA'), 'buy', 1_000n, ONE, 7_000n);
  await trade(follow, mintNamed('MintB'), 'buy', 2_000n, ONE / 2n);
  await trade(follow, mintNamed('MintB'), 'sell', 500n, ONE / 4n);
  const file = await linesOf(userId);
  const rows = file.slice(1).map((line) => line.trimEnd().split(','));
  expect(rows.map(([, type, symbol, , , account, amount, sol]) => [type, symbol, account, amount, sol])).toEqual([
    ['sell', `"'=MintB"`, 'Moon', '500', '0.25'],
    ['buy', `"'=MintB"`, 'Moon', '2000', '0.5'],
    ['buy', `"'=MintA"`, 'Me', '1000', '1'],
  ]);
  expect(rows[2]!.slice(8, 11)).toEqual(['0.00001', '0.000007', '0.01']);
  expect(await linesOf(randomUUID())).toHaveLength(1);
});

it('own trades have what each book gave and got, with the dollars of their time, page by page', async () => {
  const token = { id: 1, mint: 'MintA', decimals: 0 } as TokenRow;
  const load = (page: { cursor?: string; limit: number }) =>
    loadOwnTrades({ database, solUsdAt: async () => 150_000_000n }, userId, token, page);
  await deposit(10n * ONE);
  await commit(2n * ONE, 5_000n);
  await trade(personal, mintNamed('MintA'), 'buy', 1_000n, ONE);
  await clock.advance(1_000);
  await trade(follow, mintNamed('MintA'), 'buy', 500n, ONE / 2n);
  await trade(follow, mintNamed('MintB'), 'buy', 500n, ONE / 2n);
  await clock.advance(1_000);
  await trade(personal, mintNamed('MintA'), 'sell', 400n, ONE / 4n);
  // The market has seen the first of them: the pool gave more than what the token's tax left.
  await database.write(
    `with r as (insert into trader (address) select address from wallet where id = $1 returning id)
     insert into trade (token_id, seq, at, is_buy, lamports, base_units, price_sol, price_usd, value_usd, trader_id, signature)
     select 1, 1, now(), true, $2, 1070, 1, 1, 140000000, r.id, f.signature from r, fill f where f.book_id = $3 and f.kind = 'buy'`,
    [personal.walletId, ONE, personal.id],
  );
  const first = await load({ limit: 2 });
  expect(
    first.lists.map(({ bookId, side, tokenAmount, solAmount, priceSol, valueUsd }) => [
      bookId,
      side,
      tokenAmount,
      solAmount,
      priceSol,
      valueUsd,
    ]),
  ).toEqual([
    [personal.id, 'sell', '400', '0.25', '0.000625', '37.5'],
    [follow.id, 'buy', '500', '0.5', '0.001', '75'],
  ]);
  const second = await load({ limit: 2, cursor: first.nextCursor! });
  expect(second).toMatchObject({
    lists: [{ bookId: personal.id, side: 'buy', tokenAmount: '1000', solAmount: '1', price: '0.14', valueUsd: '140' }],
    nextCursor: null,
  });
  const page = { pageNo: 1, pageSize: 10, tokenContractAddress: mintNamed('MintA'), hidden: 'without' } as const;
  const position = (await loadPositions(trading, userId, page)).lists.find(({ bookId }) => bookId === personal.id)!;
  expect(second.lists[0]!.time).toBe(position.openTime);
  userId = randomUUID();
  expect((await load({ limit: 2 })).lists).toEqual([]);
  for (const cursor of ['nonsense', `1-${'-'.repeat(36)}`, `1-${'a'.repeat(36)}`]) {
    await expect(load({ limit: 2, cursor })).rejects.toMatchObject({ errorName: 'INVALID_INPUT' });
  }
});

it('the record file has every round trip once, however many there are and whatever is opened while it is written', async () => {
  const trips = (count: number, openedAt: string) =>
    database.write(
      `insert into round_trip (book_id, mint, user_id, opened_at, closed_at, closed_by, open_lamports, open_tokens, close_lamports,
         close_tokens, bought_tokens, bought_lamports, sold_tokens, sold_lamports, quantity, cost_lamports, realised_lamports)
       select $1, 'Mint' || n, $2, ${openedAt}, now(), 'sold', 20, 10, 30, 10, 10, 20, 10, 30, 0, 0, 10
       from generate_series(1, ${count}) n`,
      [personal.id, userId],
    );
  // Several are of one moment, and moments lie less than a millisecond apart.
  await trips(20_050, `now() - make_interval(secs => (n / 3) * 0.0001)`);
  const lines: string[] = [];
  for await (const line of tradeRecordCsv(trading, userId)) {
    if (lines.push(line) === 10) await trips(7, `now() + interval '1 hour'`);
  }
  expect(new Set(lines.slice(1).map((line) => line.split(',')[2])).size).toBe(20_050);
  expect(lines).toHaveLength(20_051);
});
