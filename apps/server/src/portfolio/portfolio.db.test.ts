import { randomUUID } from 'node:crypto';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { beforeEach, describe, expect, it } from 'vitest';
import { mintNamed } from '@hunter/domain/address-for-test';
import { openBook } from '../ledger/books.ts';
import { SOL } from '../ledger/journal.ts';
import { recordFills } from '../ledger/positions.ts';
import type { Database } from '../platform/postgres.ts';
import { useTestDatabase } from '../platform/postgres-for-test.ts';
import { hideToken } from '../accounts/hidden-tokens.ts';
import { loadAccount, loadPositions } from './account-reads.ts';
import { loadWorth } from './account-value.ts';
import { EQUITY_EVERY_MS, loadEquity, recordEquityPoints, thinEquityPoints } from './equity-points.ts';
import { loadPortfolio } from './portfolio.ts';
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

let database: Database;
useTestDatabase((opened) => {
  database = opened;
});

let { userId, personal, follow, clock, prices, trading } = {} as PortfolioTest;
beforeEach(async () => {
  ({ userId, personal, follow, clock, prices, trading } = await newPortfolioTest(database));
});

const { post, deposit, commit, trade } = portfolioSteps(() => ({ database, userId, personal, follow, clock }));

describe('the account', () => {
  it('counts the SOL of a followed wallet once: it is in the balance, its tokens are committed', async () => {
    const { walletId } = personal;
    const copies = await openBook(database, { userId, walletId, kind: 'wallet-follow', name: 'Whale' });
    await deposit(10n * ONE);
    await post('commit', [
      { bookId: personal.id, account: 'cash', asset: SOL, amount: -2n * ONE },
      { bookId: copies.id, account: 'cash', asset: SOL, amount: 2n * ONE },
    ]);
    await trade(copies, mintNamed('MintB'), 'buy', 200_000n, ONE);
    const { balance, equity } = await loadAccount(trading, userId);
    expect(lamportsOf(balance)).toBe(9n * ONE - NETWORK_FEE);
    const value = 9n * ONE - NETWORK_FEE + 1_400_000n;
    expect(lamportsOf(equity)).toBe(value);
    expect(await loadWorth(trading, userId)).toEqual({ equity: value, committed: 1_400_000n });
  });

  it('is worth its SOL and its tokens in every place, and is not known while one of them cannot be priced', async () => {
    await deposit(10n * ONE);
    await commit(4n * ONE, 5_000n);
    await trade(personal, mintNamed('MintA'), 'buy', 100_000n, ONE);
    await trade(follow, mintNamed('MintB'), 'buy', 200_000n, ONE);
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
      { reference, userId, bookId: personal.id, mint: mintNamed('Spam'), fill: sent, at: new Date(clock.nowMs()) },
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

  it('has lost of what left a wallet of many people its own part only, and got its own of what came', async () => {
    const { walletId } = follow;
    const other = await newPortfolioTest(database);
    const copies = await openBook(database, { userId: other.userId, walletId, kind: 'follow', name: 'Moon' });
    await database.write(
      `insert into book (id, user_id, wallet_id, kind, name) values ($1, $2, $3, 'unclaimed', 'Unclaimed')`,
      [walletId, userId, walletId],
    );
    const line = (bookId: string, amount: bigint) => ({ bookId, account: 'cash', asset: SOL, amount }) as const;
    const outside = (amount: bigint) => ({ bookId: null, account: 'external', asset: SOL, amount }) as const;
    await deposit(10n * ONE);
    await commit(4n * ONE, 0n);
    await post('deposit', [line(copies.id, 6n * ONE), line(walletId, ONE), outside(-7n * ONE)]);
    await post('external-out', [
      line(follow.id, -2n * ONE),
      line(copies.id, -3n * ONE),
      line(walletId, -ONE),
      outside(6n * ONE),
    ]);
    await post('settlement', [line(follow.id, -ONE), line(copies.id, -ONE), outside(2n * ONE)]);
    const flows = async (of: string) => {
      const { deposited, withdrawn, totalProfit } = await loadAccount(trading, of);
      return [deposited, withdrawn, totalProfit];
    };
    expect(await flows(userId)).toEqual(['10', '3', '0']);
    expect(await flows(other.userId)).toEqual(['6', '4', '0']);
  });

  it('does not count what the chain took back: neither what came nor the fee', async () => {
    await deposit(10n * ONE);
    const [reference, line] = [randomUUID(), { bookId: personal.id, account: 'cash', asset: SOL }] as const;
    const came = { bookId: null, account: 'external', asset: SOL } as const;
    const paid = { bookId: null, account: 'network-fee', asset: SOL } as const;
    const returned = [
      { ...line, amount: -5_000n },
      { ...paid, amount: 5_000n },
    ];
    const gift = [
      { ...line, amount: ONE },
      { ...came, amount: -ONE },
    ];
    const opposite = (postings: typeof gift | typeof returned) =>
      postings.map((posting) => ({ ...posting, amount: -posting.amount }));
    await post('return', returned, reference);
    await post('deposit', gift, reference);
    await post('reversal', opposite(returned), `return:${reference}`);
    await post('reversal', opposite(gift), `deposit:${reference}`);
    await post('transfer-failed', returned, reference);
    expect(await loadAccount(trading, userId)).toMatchObject({ deposited: '10', totalProfit: '-0.000005' });
    expect((await loadPortfolio(trading, userId)).fees).toMatchObject({ network: '0.000005' });
  });

  it('has paid the network, for priority and the venue, each by itself and transfers included', async () => {
    await deposit(10n * ONE);
    await commit(2n * ONE, 5_000n);
    await trade(personal, mintNamed('MintA'), 'buy', 1_000n, ONE, 7_000n);
    await trade(follow, mintNamed('MintA'), 'buy', 1_000n, ONE);
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
    await trade(personal, mintNamed('MintA'), 'buy', 1_000n, 3_000n);
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
    await trade(personal, mintNamed('MintA'), 'buy', 1_000_000n, 3_000_000n);
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
    await trade(personal, mintNamed('MintA'), 'buy', 1_000_000n, ONE);
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
    await trade(personal, mintNamed('MintA'), 'buy', 1_000n, 3_000n);
    await recordEquityPoints(trading);
    await clock.advance(EQUITY_EVERY_MS);
    const { totalProfit } = await loadAccount(trading, userId);
    expect(lamportsOf(totalProfit)).toBeLessThan(0n);
    expect((await loadEquity(trading, userId, { range: '7d' })).profit).toBe(totalProfit);
    expect((await loadEquity(trading, userId, { range: 'all' })).profit).toBe(totalProfit);
  });

  it('of a young account begins at its deposit, so that it falls where the account has lost', async () => {
    await deposit(10n * ONE);
    await clock.advance(60_000);
    await trade(personal, mintNamed('MintA'), 'buy', 1_000_000n, ONE);
    await recordEquityPoints(trading);
    await clock.advance(60_000);
    prices.set('MintA', prices.get('MintA')! + 1n);
    const { points, profit } = await loadEquity(trading, userId, { range: '7d' });
    expect(points).toHaveLength(3);
    expect(points[0]).toEqual({ t: clock.nowMs() - 120_000, equity: '10', profit: '0' });
    expect(Number(points[2]!.equity)).toBeGreaterThan(Number(points[1]!.equity));
    expect(lamportsOf(points[2]!.equity) - lamportsOf(points[0]!.equity)).toBe(lamportsOf(profit));

    // Whatever else came before the first point was there at no known moment.
    await database.write(`update equity_point set equity_lamports = equity_lamports + 1 where user_id = $1`, [userId]);
    expect((await loadEquity(trading, userId, { range: '7d' })).points).toHaveLength(2);
  });

  it('keeps one point an hour after two days and one a day after sixty', async () => {
    await deposit(ONE);
    await trade(personal, mintNamed('MintA'), 'buy', 1_000n, 3_000n);
    await clock.advance(DAY_MS - (clock.nowMs() % DAY_MS));
    for (let each = 0; each < 12; each += 1) {
      await recordEquityPoints(trading);
      await clock.advance(EQUITY_EVERY_MS);
    }
    const count = async () => {
      const rows = await database.query(`select 1 from equity_point where user_id = $1`, [userId]);
      return rows.length;
    };
    await thinEquityPoints(database, clock.nowMs(), null);
    expect(await count()).toBe(12);
    await thinEquityPoints(database, clock.nowMs() + 3 * DAY_MS, null);
    expect(await count()).toBe(2);
    await thinEquityPoints(database, clock.nowMs() + 61 * DAY_MS, null);
    expect(await count()).toBe(1);
  });

  it('thins from pass to pass as it thins at once, and looks at no point twice', async () => {
    const first = DAY_MS * Math.ceil(clock.nowMs() / DAY_MS);
    const add = (atMs: readonly number[]) =>
      database.write(
        `insert into equity_point (user_id, at, equity_lamports, profit_lamports, sol_lamports)
         select $1, at, 0, 0, 0 from unnest($2::timestamptz[]) at`,
        [userId, atMs.map((ms) => new Date(ms))],
      );
    const left = async () => {
      const rows = await database.query<{ at: Date }>(`select at from equity_point where user_id = $1 order by at`, [
        userId,
      ]);
      return rows.map(({ at }) => at.getTime());
    };
    const every = (stepMs: number) =>
      Array.from({ length: (2 * DAY_MS) / stepMs }, (_, index) => first + index * stepMs);
    await add(every(EQUITY_EVERY_MS));
    let thinnedAtMs: number | null = null;
    const pass = async (nowMs: number) => {
      await thinEquityPoints(database, nowMs, thinnedAtMs);
      thinnedAtMs = nowMs;
    };
    // A pass every 25 minutes, so that its edges lie within the hours.
    for (let ms = first + 2 * DAY_MS; ms < first + 4 * DAY_MS + 25 * 60_000; ms += 25 * 60_000) await pass(ms);
    expect(await left()).toEqual(every(3_600_000));
    await pass(first + 60 * DAY_MS + 9 * 3_600_000);
    await pass(first + 62 * DAY_MS);
    expect(await left()).toEqual(every(DAY_MS));

    await add([first + EQUITY_EVERY_MS]);
    await pass(first + 63 * DAY_MS);
    expect(await left()).toContain(first + EQUITY_EVERY_MS);
    await thinEquityPoints(database, first + 63 * DAY_MS, null);
    expect(await left()).toEqual(every(DAY_MS));
  });
});

it('says of a position how much of it was bought, which is what its cost is of', async () => {
  await database.write(
    `insert into holding (book_id, asset, quantity, cost_lamports, uncosted_tokens) values ($1, 'MintA', 10, 20, 90)`,
    [personal.id],
  );
  const { lists } = await loadPositions(trading, userId, { pageNo: 1, pageSize: 10, hidden: 'without' });
  const [{ amount, boughtAmount, cost } = {}] = lists as { amount?: string; boughtAmount?: string; cost?: string }[];
  expect([Number(amount) / Number(boughtAmount), lamportsOf(cost!)]).toEqual([10, 20n]);
});

it('lists positions that were bought before tokens that somebody sent, each newest first', async () => {
  await database.write(
    `insert into holding (book_id, asset, quantity, cost_lamports, uncosted_tokens, opened_at) values
       ($1, 'MintA', 10, 20, 0, '2026-01-01'), ($2, 'MintB', 10, 20, 5, '2026-01-02'),
       ($1, 'SpamA', 0, 0, 5, '2026-02-01'), ($1, 'SpamB', 0, 0, 5, '2026-02-02'), ($1, 'SpamC', 0, 0, 5, null)`,
    [personal.id, follow.id],
  );
  const page = async (pageNo: number) => {
    const { lists, total } = await loadPositions(trading, userId, { pageNo, pageSize: 2, hidden: 'without' });
    expect(total).toBe(5);
    return lists.map((row) => row.tokenContractAddress);
  };
  expect([await page(1), await page(2), await page(3)]).toEqual([['MintB', 'MintA'], ['SpamB', 'SpamA'], ['SpamC']]);
});

describe('tokens that the owner hides', () => {
  it('are left out of the positions, and stay in the figures', async () => {
    await database.write(
      `insert into holding (book_id, asset, quantity, cost_lamports, uncosted_tokens) values
         ($1, 'MintA', 10, 20, 0), ($1, 'MintB', 0, 0, 5)`,
      [personal.id],
    );
    const page = { pageNo: 1, pageSize: 10, tokenContractAddress: undefined };
    const mints = async (hidden: 'without' | 'only') =>
      (await loadPositions(trading, userId, { ...page, hidden })).lists.map((row) => row.tokenContractAddress);
    const equity = (await loadAccount(trading, userId)).equity;
    await hideToken(database, userId, mintNamed('MintB'), true);
    await hideToken(database, userId, mintNamed('MintB'), true);
    expect([await mints('without'), await mints('only')]).toEqual([['MintA'], ['MintB']]);
    const asked = await loadPositions(trading, userId, {
      ...page,
      tokenContractAddress: mintNamed('MintB'),
      hidden: 'without',
    });
    expect(asked.lists).toHaveLength(1);
    expect(await loadPositions(trading, userId, { ...page, pageNo: 2, hidden: 'without' })).toMatchObject({
      lists: [],
      total: 1,
    });
    expect((await loadAccount(trading, userId)).equity).toBe(equity);
    await hideToken(database, randomUUID(), mintNamed('MintA'), false);
    await hideToken(database, userId, mintNamed('MintB'), false);
    expect(await mints('only')).toEqual([]);
  });
});
