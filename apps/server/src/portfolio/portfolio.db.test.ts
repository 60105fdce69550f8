import { randomUUID } from 'node:crypto';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { parseDecimal } from '@hunter/domain/numbers/decimal';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { SeededRandom } from '@hunter/domain/seeded-random';
import { beforeEach, describe, expect, it } from 'vitest';
import { openBook, type Book } from '../ledger/books.ts';
import { postEntries, SOL, type JournalKind, type Posting } from '../ledger/journal.ts';
import { recordFills } from '../ledger/positions.ts';
import { insertWallet } from '../ledger/wallets.ts';
import type { TokenRow } from '../market/token-directory.ts';
import { ManualClock } from '../platform/clock-for-test.ts';
import type { Database, Row, Sql } from '../platform/postgres.ts';
import { useTestDatabase } from '../platform/postgres-for-test.ts';
import type { Trading } from '../trading/trading.ts';
import { hideToken } from '../accounts/hidden-tokens.ts';
import { loadAccount, loadPositions } from './account-reads.ts';
import { loadWorth } from './account-value.ts';
import { EQUITY_EVERY_MS, loadEquity, recordEquityPoints, thinEquityPoints } from './equity-points.ts';
import { fillsCsv } from './fills-csv.ts';
import { loadOwnTrades } from './own-trades.ts';
import { loadPortfolio } from './portfolio.ts';
import { loadRealized } from './realized.ts';
import { tradeRecordCsv } from './trade-record-csv.ts';

// Figures of the portfolio against a recount by the simplest means: what went in, what came out, what is left.

const ONE = 1_000_000_000n;
const NETWORK_FEE = 10_000n;
const DAY_MS = 86_400_000;
const MINTS = ['MintA', 'MintB'] as const;

let database: Database;
useTestDatabase((opened) => {
  database = opened;
});

let userId: string;
let personal: Book;
let follow: Book;
let clock: ManualClock;
/** Lamports per base unit; a mint without one cannot be priced. */
let prices: Map<string, bigint>;
let trading: Trading;

beforeEach(async () => {
  clock = new ManualClock();
  prices = new Map([
    ['MintA', 3n],
    ['MintB', 7n],
  ]);
  const pools = {
    values: async (holdings: readonly { mint: string; tokens: bigint }[]): Promise<(Lamports | null)[]> =>
      holdings.map(({ mint, tokens }) => {
        const price = prices.get(mint);
        return price === undefined ? null : lamports(tokens * price);
      }),
  };
  const tokens = {
    load: async (mints: readonly string[]) =>
      new Map(mints.map((mint) => [mint, { mint, symbol: `=${mint}`, name: mint, decimals: 0 }])),
  };
  trading = { database, pools, tokens, clock, solUsd: () => '150' } as unknown as Trading;
  userId = randomUUID();
  await database.query(
    `insert into users (id, email, email_key, password_hash, display_name) values ($1, $2, $2, '', $2)`,
    [userId, `${userId}@example.com`],
  );
  const walletOf = async (kind: 'personal' | 'strategy') => {
    const id = randomUUID();
    await insertWallet(database, { id, userId, kind, address: id, sealedKey: '' });
    return id;
  };
  personal = await openBook(database, { userId, walletId: await walletOf('personal'), kind: 'personal', name: 'Me' });
  follow = await openBook(database, { userId, walletId: await walletOf('strategy'), kind: 'follow', name: 'Moon' });
});

async function post(kind: JournalKind, postings: Posting[], reference: string = randomUUID()): Promise<void> {
  await postEntries(database, [{ kind, reference, at: new Date(clock.nowMs()), postings }]);
}

const deposit = (amount: bigint) =>
  post('deposit', [
    { bookId: personal.id, account: 'cash', asset: SOL, amount },
    { bookId: null, account: 'external', asset: SOL, amount: -amount },
  ]);

const commit = (amount: bigint, fee: bigint) =>
  post('commit', [
    { bookId: personal.id, account: 'cash', asset: SOL, amount: -amount - fee },
    { bookId: follow.id, account: 'cash', asset: SOL, amount },
    { bookId: null, account: 'network-fee', asset: SOL, amount: fee },
  ]);

/** An order of one book that filled, with its transaction of two signatures and a priority fee on top. */
async function trade(book: Book, mint: string, side: 'buy' | 'sell', tokens: bigint, sol: bigint, priority = 0n) {
  const [orderId, signature] = [randomUUID(), randomUUID()];
  const fee = NETWORK_FEE + priority;
  const signed = side === 'buy' ? 1n : -1n;
  const [into, out] = side === 'buy' ? [sol, tokens] : [tokens, sol];
  await database.query(
    `insert into trade_order (id, user_id, book_id, wallet_id, kind, side, mint, amount_in, swap_in, slippage_bps, state, signature,
       filled_in, filled_out, fee_lamports, venue_fee_lamports)
     values ($1, $2, $3, $4, 'trade', $5, $6, $7, $7, 100, 'finalized', $8, $7, $9, $10, $11)`,
    [orderId, userId, book.id, book.walletId, side, mint, into, signature, out, fee, sol / 100n],
  );
  await database.query(
    `insert into signed_transaction (signature, purpose, intent_id, attempt, wallet_address, wire, last_valid_block_height, sender)
     values ($1, 'order', $2, 1, 'w', '\\x0200', 1, '')`,
    [signature, orderId],
  );
  await post(
    'order-fill',
    [
      { bookId: book.id, account: 'cash', asset: SOL, amount: -signed * sol - fee },
      { bookId: book.id, account: 'cash', asset: mint, amount: signed * tokens },
      { bookId: null, account: 'network-fee', asset: SOL, amount: fee },
      { bookId: null, account: 'venue', asset: SOL, amount: signed * sol },
      { bookId: null, account: 'venue', asset: mint, amount: -signed * tokens },
    ],
    orderId,
  );
  const fill = { kind: side, tokens: baseUnits(tokens), lamports: lamports(sol), feeLamports: lamports(fee) };
  const at = new Date(clock.nowMs());
  await recordFills(database, [{ reference: orderId, userId, bookId: book.id, mint, fill, at, orderId, signature }]);
}

const lamportsOf = (text: string | null): bigint => parseDecimal(text!, 9);

describe('the account', () => {
  it('counts the SOL of a followed wallet once: it is in the balance, its tokens are committed', async () => {
    const { walletId } = personal;
    const copies = await openBook(database, { userId, walletId, kind: 'wallet-follow', name: 'Whale' });
    await deposit(10n * ONE);
    await post('commit', [
      { bookId: personal.id, account: 'cash', asset: SOL, amount: -2n * ONE },
      { bookId: copies.id, account: 'cash', asset: SOL, amount: 2n * ONE },
    ]);
    await trade(copies, 'MintB', 'buy', 200_000n, ONE);
    const { balance, equity } = await loadAccount(trading, userId);
    expect(lamportsOf(balance)).toBe(9n * ONE - NETWORK_FEE);
    const value = 9n * ONE - NETWORK_FEE + 1_400_000n;
    expect(lamportsOf(equity)).toBe(value);
    expect(await loadWorth(trading, userId)).toEqual({ equity: value, committed: 1_400_000n });
  });

  it('is worth its SOL and its tokens in every place, and is not known while one of them cannot be priced', async () => {
    await deposit(10n * ONE);
    await commit(4n * ONE, 5_000n);
    await trade(personal, 'MintA', 'buy', 100_000n, ONE);
    await trade(follow, 'MintB', 'buy', 200_000n, ONE);
    const inSol = 8n * ONE - 5_000n - 2n * NETWORK_FEE;
    const value = inSol + 300_000n + 1_400_000n;
    const account = await loadAccount(trading, userId);
    expect(lamportsOf(account.equity)).toBe(value);
    expect(lamportsOf(account.totalProfit)).toBe(value - 10n * ONE);
    expect(lamportsOf(account.balance)).toBe(5n * ONE - 5_000n - NETWORK_FEE);
    const committed = 3n * ONE - NETWORK_FEE + 1_400_000n;
    expect(await loadWorth(trading, userId)).toEqual({ equity: value, committed });
    const portfolio = await loadPortfolio(trading, userId);
    const sum = (rows: { value: string | null }[]) => rows.reduce((total, row) => total + lamportsOf(row.value), 0n);
    expect([sum(portfolio.places), sum(portfolio.tokens)]).toEqual([value, value]);
    expect(portfolio.places.map(({ name }) => name)).toEqual(['Me', 'Moon']);
    expect(portfolio.tokens.map(({ tokenSymbol, amount }) => [tokenSymbol, amount])).toEqual([
      ['SOL', account.equity && portfolio.tokens[0]!.amount],
      ['=MintB', '200000'],
      ['=MintA', '100000'],
    ]);

    const reference = randomUUID();
    const sent = { kind: 'received', tokens: baseUnits(5n) } as const;
    await recordFills(database, [
      { reference, userId, bookId: personal.id, mint: 'Spam', fill: sent, at: new Date(clock.nowMs()) },
    ]);
    expect(lamportsOf((await loadAccount(trading, userId)).equity)).toBe(value);
    expect(await loadWorth(trading, userId)).toEqual({ equity: value, committed });

    prices.delete('MintB');
    expect(await loadWorth(trading, userId)).toEqual({ equity: null, committed: null });
    expect((await loadAccount(trading, userId)).equity).toBeNull();
    const unpriced = await loadPortfolio(trading, userId);
    expect(unpriced.equity).toBeNull();
    expect(unpriced.tokens.find(({ tokenSymbol }) => tokenSymbol === '=MintB')).toMatchObject({
      value: null,
      share: null,
    });
  });

  it('has paid the network, for priority and the venue, each by itself and transfers included', async () => {
    await deposit(10n * ONE);
    await commit(2n * ONE, 5_000n);
    await trade(personal, 'MintA', 'buy', 1_000n, ONE, 7_000n);
    await trade(follow, 'MintA', 'buy', 1_000n, ONE);
    expect((await loadPortfolio(trading, userId)).fees).toEqual({
      network: '0.000025',
      priority: '0.000007',
      venue: '0.02',
      total: '0.020032',
      trades: 2,
    });
  });
});

describe('the equity line', () => {
  it('has a point for whoever moves, at most one in ten minutes, and none while a token cannot be priced', async () => {
    await deposit(ONE);
    await recordEquityPoints(trading);
    await recordEquityPoints(trading);
    await clock.advance(EQUITY_EVERY_MS);
    await recordEquityPoints(trading);
    expect((await loadEquity(trading, userId, { range: 'all' })).points).toHaveLength(2);
    await trade(personal, 'MintA', 'buy', 1_000n, 3_000n);
    await recordEquityPoints(trading);
    prices.delete('MintA');
    await clock.advance(EQUITY_EVERY_MS);
    await recordEquityPoints(trading);
    const { points } = await loadEquity(trading, userId, { range: 'all' });
    expect(points.map(({ equity }) => equity)).toEqual(['1', '0.99999']);
  });

  it('has a point at the time it was taken: none says that money was there before it came', async () => {
    await clock.advance(EQUITY_EVERY_MS - (clock.nowMs() % EQUITY_EVERY_MS) + 7 * 60_000);
    const cameAtMs = clock.nowMs();
    await deposit(ONE);
    await recordEquityPoints(trading);
    await clock.advance(60_000);
    await recordEquityPoints(trading);
    const { points } = await loadEquity(trading, userId, { range: 'all' });
    expect(points.map(({ t, equity }) => [t - cameAtMs, equity])).toEqual([
      [0, '1'],
      [60_000, '1'],
    ]);
  });

  it('does not take deposits for profit, over the whole range and a part of it', async () => {
    await deposit(ONE);
    await recordEquityPoints(trading);
    await clock.advance(2 * DAY_MS);
    await deposit(9n * ONE);
    await trade(personal, 'MintA', 'buy', 1_000_000n, 3_000_000n);
    await recordEquityPoints(trading);
    await clock.advance(2 * DAY_MS);
    prices.set('MintA', 5n);
    const all = await loadEquity(trading, userId, { range: 'all' });
    expect(lamportsOf(all.points.at(-1)!.equity)).toBe(10n * ONE - NETWORK_FEE + 2_000_000n);
    expect(lamportsOf(all.profit)).toBe(2_000_000n - NETWORK_FEE);
    expect(all.profitRate).toBe('0.0199');
    const day = await loadEquity(trading, userId, { range: '24h' });
    expect(day.points).toHaveLength(2);
    expect(lamportsOf(day.profit)).toBe(2_000_000n);
  });

  it('has the rate of the account over its whole life, whatever was withdrawn', async () => {
    await deposit(10n * ONE);
    await recordEquityPoints(trading);
    await trade(personal, 'MintA', 'buy', 1_000_000n, ONE);
    await post('withdrawal', [
      { bookId: personal.id, account: 'cash', asset: SOL, amount: -5n * ONE },
      { bookId: null, account: 'external', asset: SOL, amount: 5n * ONE },
    ]);
    await clock.advance(DAY_MS + 60_000);
    const { totalProfit, totalReturnRate } = await loadAccount(trading, userId);
    const { profit, profitRate } = await loadEquity(trading, userId, { range: 'all' });
    expect([profit, Number(profitRate).toFixed(2)]).toEqual([totalProfit, totalReturnRate]);
    await deposit(2n * ONE);
    const day = await loadEquity(trading, userId, { range: '24h' });
    // Of the 10 SOL of the point a day before and the 2 SOL since.
    expect(Number(day.profitRate)).toBeCloseTo((100 * Number(day.profit)) / 12, 3);
  });

  it('counts what a young account lost before its first point', async () => {
    await deposit(ONE);
    await trade(personal, 'MintA', 'buy', 1_000n, 3_000n);
    await recordEquityPoints(trading);
    await clock.advance(EQUITY_EVERY_MS);
    const { totalProfit } = await loadAccount(trading, userId);
    expect(lamportsOf(totalProfit)).toBeLessThan(0n);
    expect((await loadEquity(trading, userId, { range: '7d' })).profit).toBe(totalProfit);
    expect((await loadEquity(trading, userId, { range: 'all' })).profit).toBe(totalProfit);
  });

  it('keeps one point an hour after two days and one a day after sixty', async () => {
    await deposit(ONE);
    await trade(personal, 'MintA', 'buy', 1_000n, 3_000n);
    await clock.advance(DAY_MS - (clock.nowMs() % DAY_MS));
    for (let each = 0; each < 12; each += 1) {
      await recordEquityPoints(trading);
      await clock.advance(EQUITY_EVERY_MS);
    }
    const count = async () => {
      const rows = await database.query(`select 1 from equity_point where user_id = $1`, [userId]);
      return rows.length;
    };
    await thinEquityPoints(database, clock.nowMs());
    expect(await count()).toBe(12);
    await thinEquityPoints(database, clock.nowMs() + 3 * DAY_MS);
    expect(await count()).toBe(2);
    await thinEquityPoints(database, clock.nowMs() + 61 * DAY_MS);
    expect(await count()).toBe(1);
  });
});

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

  it('puts a sale on the day of the caller’s time zone, and refuses a zone that does not exist', async () => {
    await deposit(ONE);
    await clock.advance(DAY_MS - (clock.nowMs() % DAY_MS) - 3_600_000);
    await trade(personal, 'MintA', 'buy', 10n, 1_000n);
    await trade(personal, 'MintA', 'sell', 10n, 50_000n);
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
  await trade(personal, 'MintA', 'buy', 1_000n, ONE, 7_000n);
  await trade(follow, 'MintB', 'buy', 2_000n, ONE / 2n);
  await trade(follow, 'MintB', 'sell', 500n, ONE / 4n);
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
  await trade(personal, 'MintA', 'buy', 1_000n, ONE);
  await clock.advance(1_000);
  await trade(follow, 'MintA', 'buy', 500n, ONE / 2n);
  await trade(follow, 'MintB', 'buy', 500n, ONE / 2n);
  await clock.advance(1_000);
  await trade(personal, 'MintA', 'sell', 400n, ONE / 4n);
  // The market has seen the first of them: the pool gave more than what the token's tax left.
  await database.query(
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
  const page = { pageNo: 1, pageSize: 10, tokenContractAddress: 'MintA', hidden: 'without' } as const;
  const position = (await loadPositions(trading, userId, page)).lists.find(({ bookId }) => bookId === personal.id)!;
  expect(second.lists[0]!.time).toBe(position.openTime);
  userId = randomUUID();
  expect((await load({ limit: 2 })).lists).toEqual([]);
  await expect(load({ limit: 2, cursor: 'nonsense' })).rejects.toMatchObject({ errorName: 'INVALID_INPUT' });
});

it('the record file has every round trip once, however many there are and whatever is opened while it is written', async () => {
  const trips = (count: number, openedAt: string) =>
    database.query(
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
}, 60_000);

describe('tokens that the owner hides', () => {
  it('are left out of the positions, and stay in the figures', async () => {
    await database.query(
      `insert into holding (book_id, asset, quantity, cost_lamports, uncosted_tokens) values
         ($1, 'MintA', 10, 20, 0), ($1, 'MintB', 0, 0, 5)`,
      [personal.id],
    );
    const page = { pageNo: 1, pageSize: 10, tokenContractAddress: undefined };
    const mints = async (hidden: 'without' | 'only') =>
      (await loadPositions(trading, userId, { ...page, hidden })).lists.map((row) => row.tokenContractAddress);
    const equity = (await loadAccount(trading, userId)).equity;
    await hideToken(database, userId, 'MintB', true);
    await hideToken(database, userId, 'MintB', true);
    expect([await mints('without'), await mints('only')]).toEqual([['MintA'], ['MintB']]);
    const asked = await loadPositions(trading, userId, { ...page, tokenContractAddress: 'MintB', hidden: 'without' });
    expect(asked.lists).toHaveLength(1);
    expect(await loadPositions(trading, userId, { ...page, pageNo: 2, hidden: 'without' })).toMatchObject({
      lists: [],
      total: 1,
    });
    expect((await loadAccount(trading, userId)).equity).toBe(equity);
    await hideToken(database, randomUUID(), 'MintA', false);
    await hideToken(database, userId, 'MintB', false);
    expect(await mints('only')).toEqual([]);
  });
});
