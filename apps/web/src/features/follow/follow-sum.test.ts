import { expect, it } from 'vitest';
import { sumFollows } from './follow-sum.ts';
import type { Follow } from './follow-sum.ts';

function aFollow(changes: Partial<Follow> = {}): Follow {
  return {
    id: 'follow',
    slug: 'moon',
    strategyName: 'Moon',
    mode: 'sol',
    status: 'active',
    amount: '1',
    multiplier: '1',
    bookId: 'book',
    equity: '1.1',
    pnl: '0.1',
    changeRate: '10',
    openTime: 0,
    closeTime: null,
    progress: { done: 1, total: 1 },
    paused: false,
    protection: { runUpLimit: '3', coinCap: '50', capPerTrade: null, stopLoss: '40', takeProfit: null },
    closedBy: null,
    notBought: [],
    joinUntil: null,
    ...changes,
  };
}

it('adds what the active follows are worth, exactly', () => {
  const rows = [aFollow(), aFollow({ equity: '0.000000002', pnl: '-0.999999998', status: 'closing' })];
  expect(sumFollows(rows, false)).toEqual({ count: 2, equity: '1.100000002', pnl: '-0.899999998', complete: true });
});

it('leaves out follows that are closed', () => {
  const rows = [aFollow(), aFollow({ status: 'closed', equity: '5', pnl: '4' })];
  expect(sumFollows(rows, false)).toMatchObject({ count: 1, equity: '1.1', pnl: '0.1' });
});

it('does not know what one of the follows does not know', () => {
  expect(sumFollows([aFollow(), aFollow({ equity: null, pnl: null })], false)).toMatchObject({
    count: 2,
    equity: null,
    pnl: null,
  });
});

it('is nothing where nothing is followed', () => {
  expect(sumFollows([], false)).toEqual({ count: 0, equity: '0', pnl: '0', complete: true });
});

it('is complete when no active follow can be on the pages to come', () => {
  expect(sumFollows([aFollow()], true).complete).toBe(false);
  expect(sumFollows([aFollow(), aFollow({ status: 'closed' })], true).complete).toBe(true);
});
