import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseUnits } from '../numbers/base-units.ts';
import { lamports } from '../numbers/lamports.ts';
import {
  costedShare,
  FLAT,
  heldTokens,
  positionAfter,
  takeOut,
  unrealizedLamports,
  type Fill,
  type Position,
} from './position.ts';
import { liquidationValue, quotePool, type Pool } from '../market/swap-maths.ts';

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
const after = (...fills: Fill[]): Position => fills.reduce(positionAfter, FLAT);

describe('a position', () => {
  it('costs what was spent, fees included', () => {
    expect(after(buy(10n, 100n, 5n), buy(10n, 200n, 5n))).toMatchObject({ quantity: 20n, costLamports: 310n });
  });

  it('realizes proceeds after fees minus the average cost of what was sold', () => {
    expect(after(buy(10n, 100n, 0n), buy(10n, 300n), sell(5n, 150n, 10n))).toMatchObject({
      quantity: 15n,
      costLamports: 300n,
      realizedLamports: 40n,
    });
  });

  it('charges the fee of a failed transaction as a loss', () => {
    expect(after(buy(10n, 100n), { kind: 'failed', feeLamports: lamports(5n) }).realizedLamports).toBe(-5n);
  });

  it('keeps tokens from outside out of profit and loss', () => {
    const position = after({ kind: 'received', tokens: baseUnits(30n) }, buy(10n, 100n), sell(20n, 400n));
    expect(position).toEqual({
      quantity: 0n,
      costLamports: 0n,
      uncostedTokens: 20n,
      realizedLamports: 100n,
      outsideProceedsLamports: 200n,
    });
    expect(unrealizedLamports(position, lamports(1_000n))).toBe(0n);
    expect(
      unrealizedLamports(after({ kind: 'received', tokens: baseUnits(30n) }, buy(10n, 100n)), lamports(800n)),
    ).toBe(100n);
  });

  it('sends tokens from outside away first and realizes nothing by it', () => {
    const position = after({ kind: 'received', tokens: baseUnits(5n) }, buy(10n, 100n), {
      kind: 'sent',
      tokens: baseUnits(7n),
    });
    expect(position).toMatchObject({ quantity: 8n, costLamports: 80n, uncostedTokens: 0n, realizedLamports: 0n });
  });

  it('moves between books with its cost', () => {
    const { left, taken } = takeOut(after(buy(3n, 100n)), baseUnits(2n));
    const other = positionAfter(FLAT, { kind: 'moved-in', ...taken });
    expect(left.costLamports + other.costLamports).toBe(100n);
    expect(heldTokens(left) + heldTokens(other)).toBe(3n);
  });

  it('refuses to sell more than is held, and fills that cannot be', () => {
    expect(() => after(buy(1n, 1n), sell(2n, 1n))).toThrow('FILL_EXCEEDS_POSITION');
    expect(() => after({ kind: 'sent', tokens: baseUnits(1n) })).toThrow('FILL_EXCEEDS_POSITION');
    expect(() => after(buy(0n, 1n))).toThrow('FILL_INVALID');
  });

  it('changes nothing else with a purchase, an arrival or a move', () => {
    const start = after(buy(10n, 100n), sell(5n, 80n));
    expect(positionAfter(start, { kind: 'received', tokens: baseUnits(3n) })).toEqual({ ...start, uncostedTokens: 3n });
    const moved = { tokens: baseUnits(5n), costLamports: lamports(7n), uncostedTokens: baseUnits(2n) };
    expect(positionAfter(start, { kind: 'moved-in', ...moved })).toEqual({
      ...start,
      quantity: 10n,
      costLamports: 57n,
      uncostedTokens: 2n,
    });
    expect(positionAfter(start, { kind: 'moved-out', tokens: baseUnits(2n) })).toEqual({
      ...start,
      quantity: 3n,
      costLamports: 30n,
    });
  });

  it('takes out everything it holds, with all of its cost', () => {
    const position = after({ kind: 'received', tokens: baseUnits(5n) }, buy(3n, 100n));
    expect(takeOut(position, baseUnits(8n))).toEqual({
      left: FLAT,
      taken: { tokens: 3n, costLamports: 100n, uncostedTokens: 5n },
    });
    expect(() => takeOut(position, baseUnits(9n))).toThrow('FILL_EXCEEDS_POSITION: held=8, sold=9');
  });

  it('sells tokens from outside alone without a cost, and no fill without tokens', () => {
    const sold = after({ kind: 'received', tokens: baseUnits(5n) }, sell(5n, 50n, 1n));
    expect(sold).toEqual({ ...FLAT, outsideProceedsLamports: 49n });
    expect(() => after(buy(1n, 1n), sell(0n, 1n))).toThrow('FILL_INVALID: problem=no tokens');
    expect(after({ kind: 'sent', tokens: baseUnits(0n) })).toEqual(FLAT);
  });

  it('values only its bought share of a holding', () => {
    const position = after({ kind: 'received', tokens: baseUnits(30n) }, buy(10n, 100n));
    expect(costedShare(position, lamports(801n))).toBe(200n);
    expect(costedShare(after(buy(10n, 100n)), lamports(801n))).toBe(801n);
    expect(costedShare(after({ kind: 'received', tokens: baseUnits(30n) }), lamports(801n))).toBe(0n);
  });

  it('releases exactly its whole cost over all sells, whatever their sizes', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 12n });
    const step = fc.record({ tokens: amount, lamports: amount, sellShare: fc.integer({ min: 0, max: 100 }) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
        let position = FLAT;
        let bought = 0n;
        let received = 0n;
        for (const { tokens, lamports, sellShare } of steps) {
          position = positionAfter(position, buy(tokens, lamports, 7n));
          bought += lamports + 7n;
          const part = (position.quantity * BigInt(sellShare)) / 100n;
          if (part === 0n) continue;
          position = positionAfter(position, sell(part, lamports, 3n));
          received += lamports - 3n;
        }
        if (position.quantity > 0n) {
          position = positionAfter(position, sell(position.quantity, 1_000n));
          received += 1_000n;
        }
        expect(position.costLamports).toBe(0n);
        expect(position.realizedLamports).toBe(received - bought);
      }),
    );
  });
});

describe('a book of positions', () => {
  const SOL = 1_000_000_000n;
  const NETWORK_FEE = 5_000n;
  const step = fc.record({
    kind: fc.constantFrom('buy', 'sell', 'fail', 'deposit', 'withdraw', 'receive' as const),
    token: fc.integer({ min: 0, max: 2 }),
    share: fc.bigInt({ min: 1n, max: 100n }),
  });

  it('has realized and unrealized profit that add up to equity minus net deposits', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const pools: Pool[] = [0, 1, 2].map((index) => ({
          solReserve: lamports(BigInt(index + 1) * 40n * SOL),
          tokenReserve: baseUnits(10n ** 15n),
          virtualSol: lamports(0n),
          virtualTokens: baseUnits(0n),
          feeBps: 100n,
        }));
        const positions: Position[] = [FLAT, FLAT, FLAT];
        let sol = 10n * SOL;
        let netDeposits = sol;
        for (const { kind, token, share } of steps) {
          const pool = pools[token]!;
          const position = positions[token]!;
          if (kind === 'deposit') {
            sol += share * SOL;
            netDeposits += share * SOL;
          } else if (kind === 'withdraw') {
            const out = (sol * share) / 200n;
            sol -= out;
            netDeposits -= out;
          } else if (kind === 'receive') {
            positions[token] = positionAfter(position, { kind: 'received', tokens: baseUnits(share * 1_000_003n) });
          } else if (sol < NETWORK_FEE * 2n) {
            continue;
          } else if (kind === 'fail') {
            sol -= NETWORK_FEE;
            positions[token] = positionAfter(position, { kind: 'failed', feeLamports: lamports(NETWORK_FEE) });
          } else {
            const amountIn = ((kind === 'buy' ? sol - NETWORK_FEE : heldTokens(position)) * share) / 100n;
            const quote = quotePool(pool, kind, kind === 'buy' ? lamports(amountIn) : baseUnits(amountIn));
            if (quote.kind === 'refused') continue;
            pools[token] = quote.poolAfter;
            if (kind === 'buy') {
              sol -= amountIn + NETWORK_FEE;
              positions[token] = positionAfter(position, buy(quote.amountOut, amountIn, NETWORK_FEE));
            } else {
              sol += quote.amountOut - NETWORK_FEE;
              positions[token] = positionAfter(position, sell(amountIn, quote.amountOut, NETWORK_FEE));
            }
          }
        }
        let pnl = 0n;
        let equity = sol;
        let outside = 0n;
        positions.forEach((position, index) => {
          const value = liquidationValue(pools[index]!, heldTokens(position));
          const unrealized = unrealizedLamports(position, value);
          pnl += position.realizedLamports + unrealized;
          equity += value;
          // Tokens from outside are a deposit of unknown cost: their value and proceeds are no profit.
          outside += position.outsideProceedsLamports + (value - unrealized - position.costLamports);
        });
        expect(pnl).toBe(equity - netDeposits - outside);
      }),
      { numRuns: 300 },
    );
  });
});
