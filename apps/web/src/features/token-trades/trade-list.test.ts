import { describe, expect, it } from 'vitest';
import { withTrades } from './trade-list.ts';
import type { TokenTrade } from './trade-list.ts';

function aTrade(id: string, time: number): TokenTrade {
  return {
    id,
    time,
    side: 'buy',
    price: '1',
    priceSol: '0.01',
    tokenAmount: '5',
    solAmount: '0.05',
    valueUsd: '5',
    wallet: 'w',
    txHash: 'h',
  };
}
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
