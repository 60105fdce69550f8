import { expect, it } from 'vitest';
import { NoticeReplay, type PastTrade } from './replay-notices.ts';

const SOL = 1_000_000_000n;
const MINUTE_MS = 60_000;

function aPastTrade(overrides: Partial<PastTrade>): PastTrade {
  return {
    tokenId: 1,
    traderId: 1,
    seq: 1n,
    atMs: 0,
    isBuy: true,
    lamports: SOL,
    baseUnits: 100n,
    priceUsd: 100n,
    ...overrides,
  };
}

/** Five round trips, all won. */
function provingTrades(traderId: number, atMs: number): PastTrade[] {
  return Array.from({ length: 5 }, () => [
    aPastTrade({ traderId, atMs, lamports: SOL }),
    aPastTrade({ traderId, atMs, lamports: 2n * SOL, isBuy: false }),
  ]).flat();
}

function replayed(trades: readonly PastTrade[]) {
  const replay = new NoticeReplay();
  return trades.flatMap((trade, index) => replay.next({ ...trade, seq: BigInt(index + 1) }));
}

it('knows a wallet as proven only by what it had closed before', () => {
  const day = 24 * 60 * MINUTE_MS;
  const buys = [1, 2, 3].map((traderId) => aPastTrade({ traderId, atMs: day }));
  const before = [1, 2, 3].flatMap((traderId) => provingTrades(traderId, 0));
  const after = [1, 2, 3].flatMap((traderId) => provingTrades(traderId, 2 * day));
  expect(replayed([...before, ...buys]).filter(({ atMs }) => atMs === day)).toMatchObject([
    { trigger: 'proven-wallets', detail: '3' },
  ]);
  expect(replayed([...buys, ...after]).filter(({ atMs }) => atMs === day)).toEqual([]);
});

it('repeats itself only after half an hour', () => {
  const surge = (atMs: number) => [
    aPastTrade({ atMs: atMs - 40 * MINUTE_MS, lamports: 12n * SOL }),
    ...Array.from({ length: 12 }, (_, index) => aPastTrade({ traderId: 10 + index, atMs: atMs + index * 1_000 })),
  ];
  const found = replayed([...surge(100 * MINUTE_MS), ...surge(500 * MINUTE_MS)]);
  expect(found.map(({ trigger, atMs }) => [trigger, atMs])).toEqual([
    ['volume-surge', 100 * MINUTE_MS + 7_000],
    ['volume-surge', 500 * MINUTE_MS + 7_000],
  ]);
});

it('sees a breakout with the holders that the trades so far have shown', () => {
  const first = [1, 2, 3].map((traderId) => aPastTrade({ traderId, atMs: 0 }));
  const later = aPastTrade({ traderId: 4, atMs: 120 * MINUTE_MS, priceUsd: 111n });
  expect(replayed([...first, later])).toMatchObject([{ trigger: 'breakout', detail: '1' }]);
  expect(replayed([...first, { ...later, traderId: 1 }])).toEqual([]);
});
