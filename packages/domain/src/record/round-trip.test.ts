import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseUnits } from '../numbers/base-units.ts';
import { lamports } from '../numbers/lamports.ts';
import { FLAT, positionAfter, type Fill, type Position } from './position.ts';
import { roundTripAfter, tradeRecordRow, type RoundTrip } from './round-trip.ts';

const buy = (tokens: bigint, sol: bigint, fee = 0n): Fill => ({
  kind: 'buy',
  tokens: baseUnits(tokens),
  lamports: lamports(sol),
  feeLamports: lamports(fee),
});
const sell = (tokens: bigint, sol: bigint, fee = 0n): Fill => ({
  kind: 'sell',
  tokens: baseUnits(tokens),
  lamports: lamports(sol),
  feeLamports: lamports(fee),
});

function trips(fills: readonly Fill[]): { all: RoundTrip[]; position: Position } {
  const all: RoundTrip[] = [];
  let position = FLAT;
  let current: RoundTrip | null = null;
  fills.forEach((fill, index) => {
    const next = roundTripAfter(current, fill, index, position.uncostedTokens);
    position = positionAfter(position, fill);
    if (next === null || next === current) return;
    if (current === null || next.openedAtMs !== current.openedAtMs) all.push(next);
    else all[all.length - 1] = next;
    current = next;
  });
  return { all, position };
}

describe('a round trip', () => {
  it('opens with the first buy and closes at zero', () => {
    const { all } = trips([buy(10n, 90n, 10n), buy(10n, 200n), sell(5n, 150n), sell(15n, 320n, 20n), buy(1n, 50n)]);
    expect(all).toHaveLength(2);
    expect(all[0]).toMatchObject({ openedAtMs: 0, closedAtMs: 3, closedBy: 'sold' });
    expect(all[1]).toMatchObject({ openedAtMs: 4, closedAtMs: null });
    expect(tradeRecordRow(all[0]!, lamports(0n))).toEqual({
      openPrice: { numerator: 100n, denominator: 10n },
      closePrice: { numerator: 300n, denominator: 15n },
      pnlLamports: 150n,
      totalBuyTokens: 20n,
      totalBuyLamports: 300n,
      totalSellTokens: 20n,
      totalSellLamports: 450n,
      balanceTokens: 0n,
      realizedLamports: 150n,
      unrealizedLamports: 0n,
    });
  });

  it('shows realized and unrealized profit apart while it is open, and no close price', () => {
    const { all } = trips([buy(10n, 100n), sell(5n, 80n)]);
    expect(tradeRecordRow(all[0]!, lamports(60n))).toMatchObject({
      closePrice: null,
      balanceTokens: 5n,
      realizedLamports: 30n,
      unrealizedLamports: 10n,
      pnlLamports: 40n,
    });
  });

  it('is neither opened nor kept open by tokens from outside', () => {
    expect(trips([{ kind: 'received', tokens: baseUnits(5n) }, sell(5n, 10n)]).all).toHaveLength(0);
    const { all } = trips([{ kind: 'received', tokens: baseUnits(10n) }, buy(10n, 100n), sell(20n, 400n)]);
    expect(all[0]).toMatchObject({ closedBy: 'sold', soldTokens: 10n, soldLamports: 200n });
  });

  it('adds up more tokens than anybody can hold at once, where the same ones are bought and sold again', () => {
    const most = 2n ** 64n - 1n;
    const { all } = trips([buy(most, 10n), sell(most - 1n, 10n), buy(most - 1n, 10n), sell(most, 10n)]);
    const sums = { boughtTokens: 2n * most - 1n, soldTokens: 2n * most - 1n };
    expect(all).toMatchObject([{ ...sums, closedBy: 'sold', closedAtMs: 3 }]);
    const row = { totalBuyTokens: sums.boughtTokens, totalSellTokens: sums.soldTokens };
    expect(tradeRecordRow(all[0]!, lamports(0n))).toMatchObject(row);
  });

  it('says so when it ended in kind', () => {
    const { all } = trips([buy(10n, 100n), { kind: 'moved-out', tokens: baseUnits(10n) }]);
    expect(all[0]).toMatchObject({ closedBy: 'moved', closedAtMs: 1 });
    expect(all[0]?.position.realizedLamports).toBe(0n);
  });

  it('keeps what was sold and what it brought, sale by sale', () => {
    const { all } = trips([buy(10n, 100n), sell(4n, 60n, 5n), sell(1n, 20n)]);
    expect(all[0]).toMatchObject({
      closedAtMs: null,
      closedBy: null,
      closePrice: { numerator: 20n, denominator: 1n },
      boughtTokens: 10n,
      boughtLamports: 100n,
      soldTokens: 5n,
      soldLamports: 75n,
      position: {
        quantity: 5n,
        costLamports: 50n,
        realizedLamports: 25n,
        uncostedTokens: 0n,
        outsideProceedsLamports: 0n,
      },
    });
  });

  it('takes tokens moved in with their cost, and opens nothing for tokens without one', () => {
    const moved = (tokens: bigint, cost: bigint, outside: bigint): Fill => ({
      kind: 'moved-in',
      tokens: baseUnits(tokens),
      costLamports: lamports(cost),
      uncostedTokens: baseUnits(outside),
    });
    expect(trips([moved(0n, 0n, 5n)]).all).toEqual([]);
    const { all } = trips([moved(10n, 100n, 0n), moved(5n, 80n, 3n), moved(0n, 0n, 7n)]);
    expect(all).toHaveLength(1);
    expect(all[0]).toMatchObject({
      openPrice: { numerator: 100n, denominator: 10n },
      boughtTokens: 15n,
      boughtLamports: 180n,
      position: { quantity: 15n, costLamports: 180n },
    });
  });

  it('pays for a failed transaction while it is open, and is left alone by one before and after', () => {
    const failed: Fill = { kind: 'failed', feeLamports: lamports(5n) };
    expect(trips([failed]).all).toEqual([]);
    expect(trips([buy(1n, 10n), failed]).all[0]?.position.realizedLamports).toBe(-5n);
    const { all } = trips([
      buy(1n, 10n),
      sell(1n, 12n),
      failed,
      { kind: 'received', tokens: baseUnits(3n) },
      { kind: 'sent', tokens: baseUnits(0n) },
    ]);
    expect(all).toHaveLength(1);
    expect(all[0]).toMatchObject({ closedAtMs: 1, position: { realizedLamports: 2n } });
  });

  it('shrinks without a profit when tokens are sent away, outside ones first', () => {
    const { all } = trips([
      { kind: 'received', tokens: baseUnits(4n) },
      buy(10n, 100n),
      { kind: 'sent', tokens: baseUnits(9n) },
    ]);
    expect(all[0]).toMatchObject({ closedAtMs: null, closedBy: null, position: { quantity: 5n, costLamports: 50n } });
  });

  it('has nothing unrealized once it is closed', () => {
    const { all } = trips([buy(10n, 100n), sell(10n, 90n)]);
    expect(tradeRecordRow(all[0]!, lamports(7n))).toMatchObject({ unrealizedLamports: 0n, pnlLamports: -10n });
  });

  it('adds up over all trips to what the position has realized', () => {
    const step = fc.record({
      kind: fc.constantFrom('buy', 'sell', 'all', 'received' as const),
      tokens: fc.bigInt({ min: 1n, max: 1_000n }),
      lamports: fc.bigInt({ min: 0n, max: 1_000_000n }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const fills: Fill[] = [];
        let held = 0n;
        for (const { kind, tokens, lamports } of steps) {
          if (kind === 'buy') {
            fills.push(buy(tokens, lamports, 5n));
            held += tokens;
          } else if (kind === 'received') {
            fills.push({ kind, tokens: baseUnits(tokens) });
            held += tokens;
          } else {
            const part = kind === 'all' || tokens > held ? held : tokens;
            if (part === 0n) continue;
            fills.push(sell(part, lamports, 5n));
            held -= part;
          }
        }
        const { all, position } = trips(fills);
        const realized = all.reduce((sum, trip) => sum + trip.position.realizedLamports, 0n);
        expect(realized).toBe(position.realizedLamports);
        expect(all.filter((trip) => trip.closedAtMs === null).length).toBe(position.quantity > 0n ? 1 : 0);
      }),
    );
  });
});
