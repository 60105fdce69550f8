import { describe, expect, it } from 'vitest';
import { aTrade } from './a-trade-for-test.ts';
import { notBefore, withNewest, withOlder, withTrades } from './trade-list.ts';
import type { TokenTrade, TradeList, TradePage } from './trade-list.ts';

const ids = (trades: readonly TokenTrade[]) => trades.map(({ id }) => id);

describe('the trade list', () => {
  it('stands newest first, whatever the order of arrival', () => {
    const list = withTrades([aTrade('5', 50)], [aTrade('7', 70), aTrade('3', 30)]);
    expect(ids(list)).toEqual(['7', '5', '3']);
  });

  it('tells trades of one moment apart by the order of the chain', () => {
    expect(ids(withTrades([], [aTrade('9', 10), aTrade('10', 10), aTrade('8', 10)]))).toEqual(['10', '9', '8']);
  });

  it('holds each trade once and stays the same array when nothing is new', () => {
    const list = withTrades([], [aTrade('1', 1), aTrade('1', 1), aTrade('2', 2)]);
    expect(ids(list)).toEqual(['2', '1']);
    expect(withTrades(list, [aTrade('1', 1)])).toBe(list);
  });

  it('keeps the newest only', () => {
    expect(ids(withTrades([aTrade('1', 1), aTrade('2', 2)], [aTrade('3', 3)], 2))).toEqual(['3', '2']);
  });
});

/** Trades whose ids are their times, newest first. */
const some = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => aTrade(String(from - index), from - index));
const aPage = (from: number, to: number, nextCursor: string | null = `before ${to}`): TradePage => ({
  lists: some(from, to),
  nextCursor,
});
const aList = (from: number, to: number): TradeList => ({ trades: some(from, to), cursor: `before ${to}` });

describe('the newest page', () => {
  it('begins the list', () => {
    expect(withNewest({ trades: [], cursor: null }, aPage(9, 5))).toEqual(aList(9, 5));
  });

  it('is added where it reaches back to what is there', () => {
    expect(withNewest(aList(9, 1), aPage(12, 8))).toEqual(aList(12, 1));
    expect(withNewest(aList(9, 1), aPage(12, 9))).toEqual(aList(12, 1));
  });

  it('takes the place of the list where trades in between were missed', () => {
    expect(withNewest(aList(9, 1), aPage(20, 16))).toEqual(aList(20, 16));
  });

  it('misses nothing when it holds every trade there is, or none', () => {
    expect(withNewest(aList(3, 2), aPage(6, 4, null))).toEqual({ trades: some(6, 2), cursor: 'before 2' });
    const list = aList(3, 2);
    expect(withNewest(list, { lists: [], nextCursor: null })).toEqual(list);
  });

  it('leaves of the live trades those that stand on its side of the hole', () => {
    expect(ids(notBefore([...some(11, 10), ...some(21, 20)], aPage(20, 16)))).toEqual(['21', '20']);
    expect(ids(notBefore(some(3, 2), aPage(6, 4, null)))).toEqual(['3', '2']);
  });
});

describe('an older page', () => {
  it('goes on where the list ends', () => {
    expect(withOlder(aList(9, 6), 'before 6', aPage(5, 3))).toEqual(aList(9, 3));
  });

  it('is dropped when the list was replaced while it was on its way', () => {
    const replaced = aList(20, 16);
    expect(withOlder(replaced, 'before 6', aPage(5, 3))).toBe(replaced);
  });
});
