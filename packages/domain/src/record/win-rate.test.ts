import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseUnits } from '../numbers/base-units.ts';
import { lamports } from '../numbers/lamports.ts';
import { printRatePercent } from '../numbers/rate.ts';
import { FLAT } from './position.ts';
import { roundTripAfter, tradeRecordRow } from './round-trip.ts';
import { isAtLoss, winRate } from './win-rate.ts';

describe('the win rate', () => {
  it('is the share of closed round trips with a profit after fees', () => {
    expect(printRatePercent(winRate({ closed: 3, won: 1 }))).toBe('33.3333');
  });

  it('is unknown without any', () => {
    expect(winRate({ closed: 0, won: 0 })).toBeNull();
    expect(printRatePercent(winRate({ closed: 0, won: 0 }))).toBeNull();
  });

  it('has an open trip beside it whose sales and whose rest together lose', () => {
    const amount = fc.bigInt({ min: 1n, max: 1_000_000n });
    fc.assert(
      fc.property(amount, amount, amount, amount, (tokens, cost, proceeds, rest) => {
        const fees = { feeLamports: lamports(0n) };
        const buy = { kind: 'buy', tokens: baseUnits(tokens + 1n), lamports: lamports(cost), ...fees } as const;
        const sale = { kind: 'sell', tokens: baseUnits(tokens), lamports: lamports(proceeds), ...fees } as const;
        const open = roundTripAfter(null, buy, 0, FLAT.uncostedTokens);
        const trip = roundTripAfter(open, sale, 1, FLAT.uncostedTokens)!;
        const isLoss = proceeds + rest < cost;
        expect(isAtLoss(trip.position, lamports(rest))).toBe(isLoss);
        expect(tradeRecordRow(trip, lamports(rest)).pnlLamports < 0n).toBe(isLoss);
      }),
    );
  });
});
