import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { basisPoints, minimumAfterSlippage } from './basis-points.ts';
import { quoteRound, type RoundQuote, type RoundRequest } from './round-quote.ts';
import { poolAfterSwap, poolProduct, quotePool, type Pool } from './swap-maths.ts';

const SOL = 1_000_000_000n;

function aPool(overrides: Partial<Pool> = {}): Pool {
  return {
    solReserve: 100n * SOL,
    tokenReserve: 10n ** 15n,
    virtualSol: 0n,
    virtualTokens: 0n,
    feeBps: 100n,
    ...overrides,
  };
}

function aRound(overrides: Partial<RoundRequest> = {}): RoundRequest {
  return {
    pool: aPool(),
    side: 'buy',
    slippageBps: basisPoints(500),
    leadAmountIn: SOL,
    participants: [
      { id: 'a', amountIn: SOL / 2n },
      { id: 'b', amountIn: SOL / 4n },
    ],
    ...overrides,
  };
}

function accepted(quote: RoundQuote): Extract<RoundQuote, { kind: 'round' }> {
  if (quote.kind === 'refused') throw new Error(`refused: ${quote.reason}`);
  return quote;
}

const rounds = fc.record({
  pool: fc.record({
    solReserve: fc.bigInt({ min: SOL, max: 10_000n * SOL }),
    tokenReserve: fc.bigInt({ min: 10n ** 9n, max: 10n ** 18n }),
    virtualSol: fc.bigInt({ min: 0n, max: 100n * SOL }),
    virtualTokens: fc.bigInt({ min: 0n, max: 10n ** 15n }),
    feeBps: fc.bigInt({ min: 0n, max: 300n }),
  }),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  slippageBps: fc.integer({ min: 0, max: 3_000 }).map((value) => basisPoints(value)),
  leadAmountIn: fc.bigInt({ min: 1_000n, max: 50n * SOL }),
  participants: fc.array(fc.record({ id: fc.uuid(), amountIn: fc.bigInt({ min: 0n, max: 20n * SOL }) }), {
    maxLength: 20,
  }),
});

describe('a round', () => {
  it('prices the sum once and shares it out pro rata', () => {
    const round = accepted(quoteRound(aRound()));
    const sum = quotePool(aPool(), 'buy', (SOL * 7n) / 4n);
    expect(round.scaledBps).toBe(10_000n);
    expect(sum.kind === 'quote' && sum.amountOut).toBe(round.sumOut);
    expect(round.lead.amountOut).toBe((SOL * round.sumOut) / round.sumIn);
    expect(round.participants[0]).toEqual({
      id: 'a',
      amountIn: SOL / 2n,
      amountOut: (SOL * round.sumOut) / 2n / round.sumIn,
    });
  });

  it('shrinks the copies and never the lead when the sum would pass its slippage', () => {
    const request = aRound({ participants: [{ id: 'whale', amountIn: 500n * SOL }] });
    const round = accepted(quoteRound(request));
    expect(round.scaledBps).toBeGreaterThan(0n);
    expect(round.scaledBps).toBeLessThan(10_000n);
    expect(round.lead.amountIn).toBe(SOL);
    expect(round.participants[0]?.amountIn).toBe((500n * SOL * round.scaledBps) / 10_000n);
  });

  it('leaves nobody but the lead where the lead allows no slippage', () => {
    const round = accepted(quoteRound(aRound({ slippageBps: basisPoints(0) })));
    expect(round.scaledBps).toBe(0n);
    expect(round.participants.every((share) => share.amountIn === 0n && share.amountOut === 0n)).toBe(true);
  });

  it('is refused where the lead alone would be', () => {
    expect(quoteRound(aRound({ leadAmountIn: 0n }))).toEqual({ kind: 'refused', reason: 'amount-too-small' });
  });

  it('keeps the lead within its slippage and everyone at one price to the rounding unit', () => {
    fc.assert(
      fc.property(rounds, (request) => {
        const quote = quoteRound(request);
        if (quote.kind === 'refused') return;
        const alone = quotePool(request.pool, request.side, request.leadAmountIn);
        if (alone.kind === 'refused') throw new Error('the lead alone must be possible');
        expect(quote.lead.amountOut >= minimumAfterSlippage(alone.amountOut, request.slippageBps)).toBe(true);
        for (const share of [quote.lead, ...quote.participants]) {
          const exact = share.amountIn * quote.sumOut;
          const given = share.amountOut * quote.sumIn;
          expect(exact - given >= 0n && exact - given < quote.sumIn).toBe(true);
        }
      }),
    );
  });

  it('never lets the product fall, whichever of the participants go through', () => {
    fc.assert(
      fc.property(rounds, fc.array(fc.boolean(), { maxLength: 21 }), (request, goes) => {
        const quote = quoteRound(request);
        if (quote.kind === 'refused') return;
        let pool = request.pool;
        [quote.lead, ...quote.participants].forEach((share, index) => {
          if (goes[index] === false) return;
          pool = poolAfterSwap(pool, request.side, share.amountIn, share.amountOut);
        });
        expect(poolProduct(pool) >= poolProduct(request.pool)).toBe(true);
      }),
    );
  });

  it('uses the largest whole basis point of scale that fits', () => {
    fc.assert(
      fc.property(rounds, (request) => {
        const quote = quoteRound(request);
        if (quote.kind === 'refused' || quote.scaledBps === 10_000n) return;
        const more = request.participants.map(({ id, amountIn }) => ({
          id,
          amountIn: (amountIn * (quote.scaledBps + 1n)) / 10_000n,
        }));
        const next = quoteRound({ ...request, participants: more });
        expect(next.kind === 'refused' || next.scaledBps < 10_000n).toBe(true);
      }),
    );
  });
});
