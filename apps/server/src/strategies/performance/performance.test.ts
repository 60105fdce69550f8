import { lamports } from '@hunter/domain/numbers/lamports';
import type { NavEvent } from '@hunter/domain/record/unit-nav';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PERFORMANCE_START, performanceAfter, performanceOf, type Performance } from './performance.ts';

function stored({ nav, drawdown }: Performance): Performance {
  const { peak, worstPeak, worstLow } = drawdown;
  return performanceOf({ units: nav.units, nav: nav.nav, peak, worstPeak, worstLow });
}

const marks = fc.array(fc.bigInt({ min: 1n, max: 10n ** 13n }), { maxLength: 40 });

describe('the performance of a strategy', () => {
  it('is the same whether it is carried from mark to mark through the store or computed again from all of them', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 10n ** 8n, max: 10n ** 12n }), marks, (capital, equities) => {
        const events: NavEvent[] = [
          { kind: 'flow', equityBeforeLamports: lamports(0n), flowLamports: capital },
          ...equities.map((equity) => ({ kind: 'mark', equityLamports: lamports(equity) }) as const),
        ];
        const carried = events.reduce((state, event) => stored(performanceAfter(state, event)), PERFORMANCE_START);
        expect(carried).toEqual(events.reduce(performanceAfter, PERFORMANCE_START));
      }),
    );
  });

  it('keeps its value when money comes or goes', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 10n ** 8n, max: 10n ** 12n }),
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
        (equity, flow) => {
          const before = [
            { kind: 'flow', equityBeforeLamports: lamports(0n), flowLamports: 10n ** 9n } as const,
            { kind: 'mark', equityLamports: lamports(equity) } as const,
          ].reduce<Performance>(performanceAfter, PERFORMANCE_START);
          const after = performanceAfter(before, {
            kind: 'flow',
            equityBeforeLamports: lamports(equity),
            flowLamports: flow,
          });
          expect(after.nav.nav).toBe(before.nav.nav);
        },
      ),
    );
  });
});
