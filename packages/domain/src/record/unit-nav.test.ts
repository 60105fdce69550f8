import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lamports } from '../numbers/lamports.ts';
import { printRatePercent, rate, RATE_ONE } from '../numbers/rate.ts';
import { navAfter, navAt, NAV_START, yieldRate, type NavEvent, type UnitNav } from './unit-nav.ts';

const SOL = 1_000_000_000n;
const ALL_SOL = 700_000_000n * SOL;
const after = (events: readonly NavEvent[], from: UnitNav = NAV_START): UnitNav => events.reduce(navAfter, from);
const started = after([{ kind: 'flow', equityBeforeLamports: lamports(0n), flowLamports: 10n * SOL }]);

describe('the value of a unit', () => {
  it('starts at one and follows the equity', () => {
    expect(started.nav).toBe(RATE_ONE);
    const { nav } = navAfter(started, { kind: 'mark', equityLamports: lamports(12n * SOL) });
    expect(printRatePercent(yieldRate(nav))).toBe('20');
  });

  it('is not moved by money that comes in or leaves', () => {
    const up = navAfter(started, { kind: 'mark', equityLamports: lamports(15n * SOL) });
    const more = navAfter(up, { kind: 'flow', equityBeforeLamports: lamports(15n * SOL), flowLamports: 30n * SOL });
    expect(more.nav).toBe(up.nav);
    expect(navAt(more, lamports(45n * SOL))).toBe(up.nav);
    const less = navAfter(more, { kind: 'flow', equityBeforeLamports: lamports(45n * SOL), flowLamports: -40n * SOL });
    expect(navAt(less, lamports(5n * SOL))).toBe(up.nav);
  });

  it('keeps its last value once everything has left, and goes on from there', () => {
    const up = navAfter(started, { kind: 'mark', equityLamports: lamports(15n * SOL) });
    const empty = navAfter(up, { kind: 'flow', equityBeforeLamports: lamports(15n * SOL), flowLamports: -15n * SOL });
    expect(empty).toEqual({ units: 0n, nav: up.nav });
    expect(navAt(empty, lamports(0n))).toBe(up.nav);
    const again = navAfter(empty, { kind: 'flow', equityBeforeLamports: lamports(0n), flowLamports: SOL });
    expect(navAt(again, lamports(SOL))).toBe(up.nav);
  });

  it('refuses money for units that are worth nothing, and more money out than there is', () => {
    expect(() => navAfter(started, { kind: 'flow', equityBeforeLamports: lamports(0n), flowLamports: SOL })).toThrow(
      'NAV_UNITS',
    );
    expect(() =>
      navAfter(started, { kind: 'flow', equityBeforeLamports: lamports(SOL), flowLamports: -2n * SOL }),
    ).toThrow('NAV_UNITS');
    expect(() => navAfter(NAV_START, { kind: 'flow', equityBeforeLamports: lamports(0n), flowLamports: -1n })).toThrow(
      'NAV_UNITS',
    );
  });

  it('buys units at the value of a unit and sells them at it', () => {
    expect(NAV_START).toEqual({ units: 0n, nav: RATE_ONE });
    expect(started.units).toBe(10n * SOL * RATE_ONE);
    const still = navAfter(started, { kind: 'flow', equityBeforeLamports: lamports(20n * SOL), flowLamports: 0n });
    expect(still).toEqual({ units: started.units, nav: 2n * RATE_ONE });
    const half = navAfter(started, {
      kind: 'flow',
      equityBeforeLamports: lamports(20n * SOL),
      flowLamports: -10n * SOL,
    });
    expect(half).toEqual({ units: 5n * SOL * RATE_ONE, nav: 2n * RATE_ONE });
    expect(navAfter(started, { kind: 'mark', equityLamports: lamports(5n * SOL) }).units).toBe(started.units);
  });

  it('takes no money once a unit is worth nothing', () => {
    const lost = { units: 0n, nav: rate(0n) };
    const flow = { kind: 'flow', equityBeforeLamports: lamports(0n), flowLamports: SOL } as const;
    expect(() => navAfter(lost, flow)).toThrow('NAV_UNITS_EXHAUSTED: units=0, flowLamports=1000000000');
  });

  const amount = fc.bigInt({ min: 1_000n, max: 10n ** 13n });
  const story = fc.array(
    fc.record({ gain: fc.integer({ min: -90, max: 300 }), flow: fc.integer({ min: -90, max: 200 }) }),
    {
      maxLength: 40,
    },
  );

  it('equals the product of the returns between flows, whatever the flows were', () => {
    fc.assert(
      fc.property(amount, story, (start, steps) => {
        let state = after([{ kind: 'flow', equityBeforeLamports: lamports(0n), flowLamports: start }]);
        let equity = start;
        let top = 1n;
        let bottom = 1n;
        let fewestUnits = state.units;
        for (const { gain, flow } of steps) {
          const traded = (equity * BigInt(100 + gain)) / 100n;
          // Not beyond all SOL there is, nor down to an equity or a number of units so small that it rounds to nothing.
          if (traded > ALL_SOL / 3n || traded < 100n || state.units < 10n ** 9n) break;
          top *= traded;
          bottom *= equity;
          const before = navAfter(state, { kind: 'mark', equityLamports: lamports(traded) });
          const flowLamports = (traded * BigInt(flow)) / 100n;
          state = navAfter(before, { kind: 'flow', equityBeforeLamports: lamports(traded), flowLamports });
          expect(state.nav).toBe(before.nav);
          equity = traded + flowLamports;
          if (state.units < fewestUnits) fewestUnits = state.units;
        }
        const exact = (RATE_ONE * top) / bottom;
        const difference = navAt(state, lamports(equity)) - exact;
        // Each flow rounds to whole units, and so moves the value by at most one of those that are left.
        const tolerance = (exact * BigInt(steps.length)) / fewestUnits + 2n;
        expect(difference <= tolerance && difference >= -tolerance).toBe(true);
      }),
    );
  });

  it('is the same applied step by step and recomputed from scratch', () => {
    fc.assert(
      fc.property(amount, fc.array(amount, { maxLength: 30 }), (start, equities) => {
        const events: NavEvent[] = [
          { kind: 'flow', equityBeforeLamports: lamports(0n), flowLamports: start },
          ...equities.map((equity): NavEvent => ({ kind: 'mark', equityLamports: lamports(equity) })),
        ];
        let step: UnitNav = NAV_START;
        events.forEach((event, index) => {
          step = navAfter(step, event);
          expect(step).toEqual(after(events.slice(0, index + 1)));
        });
      }),
    );
  });

  it('follows the equity where nothing flows, down to nothing', () => {
    const still = navAfter(started, { kind: 'flow', equityBeforeLamports: lamports(0n), flowLamports: 0n });
    expect(still).toEqual({ units: started.units, nav: 0n });
    expect(navAfter(NAV_START, { kind: 'flow', equityBeforeLamports: lamports(0n), flowLamports: 0n })).toEqual(
      NAV_START,
    );
  });

  it('says which flow it refused', () => {
    expect(() =>
      navAfter(started, { kind: 'flow', equityBeforeLamports: lamports(SOL), flowLamports: -SOL - 1n }),
    ).toThrow(`units=${started.units}, flowLamports=${-SOL - 1n}`);
  });
});
