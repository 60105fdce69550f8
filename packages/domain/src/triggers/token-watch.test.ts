import { describe, expect, it, vi } from 'vitest';
import { baseUnits } from '../numbers/base-units.ts';
import { lamports } from '../numbers/lamports.ts';
import type { Pool } from '../market/swap-maths.ts';
import { PriceIndex } from './price-index.ts';
import { aPool, aRule, scale, SOL } from './rule-for-test.ts';
import { TokenWatch } from './token-watch.ts';
import type { PriceScale } from './trigger-price.ts';
import type { TriggerRule } from './trigger.ts';

describe('the triggers of one token', () => {
  const aTrigger = (id: string, rule: Partial<TriggerRule>) => ({ id, rule: aRule(rule), size: 10n ** 6n });
  const sol = { unit: 'sol', value: 1n, when: 'below' } as const;
  const usd = { unit: 'usd', value: 1n, when: 'below' } as const;

  it('are known by their id until they are deleted, the newest in the place of an older one', () => {
    const watch = new TokenWatch();
    watch.set(aTrigger('a', { level: sol }));
    watch.set(aTrigger('a', { level: usd }));
    watch.set(aTrigger('b', { kind: 'creator-sells' }));
    expect([watch.size, watch.get('a')?.rule.level, [...watch.all()].map(({ id }) => id)]).toEqual([
      2,
      usd,
      ['a', 'b'],
    ]);
    watch.delete('a');
    watch.delete('nobody');
    expect([watch.size, watch.get('a')]).toEqual([1, undefined]);
  });

  it('have dollars where a level or an activation is in dollars or a market cap', () => {
    const withOne = (rule: Partial<TriggerRule>) => {
      const watch = new TokenWatch();
      watch.set(aTrigger('a', rule));
      return watch.hasDollars();
    };
    const trailing = (activation: object | null) =>
      ({ kind: 'trailing-stop', trailing: { bps: 1n, activation, isActive: false, high: null } }) as never;
    expect([withOne({ level: sol }), withOne({ kind: 'creator-sells' }), withOne(trailing(null))]).toEqual([
      false,
      false,
      false,
    ]);
    expect([
      withOne({ level: usd }),
      withOne({ level: { ...usd, unit: 'market-cap' } }),
      withOne(trailing(usd)),
    ]).toEqual([true, true, true]);
    expect(withOne(trailing(sol))).toBe(false);
  });

  it('are asked when their level is reached, and stay out of it once deleted', () => {
    const pool = aPool();
    const moment = { nowMs: 1, pool, scale, creatorSold: false, hasGraduated: false };
    const far = 10n ** 30n;
    const watch = new TokenWatch();
    watch.set(aTrigger('below', { level: { unit: 'sol', value: far, when: 'below' } }));
    watch.set(aTrigger('above', { level: { unit: 'sol', value: far, when: 'above' } }));
    expect(watch.look(moment).map(({ trigger, decision }) => [trigger.id, decision.kind])).toEqual([['below', 'fire']]);
    watch.set(aTrigger('later', { level: { unit: 'usd', value: 1n, when: 'above' } }));
    expect(
      watch
        .look(moment)
        .map(({ trigger }) => trigger.id)
        .sort(),
    ).toEqual(['below', 'later']);
    watch.delete('below');
    expect(watch.look(moment).map(({ trigger }) => trigger.id)).toEqual(['later']);
    // Nobody knows the price of an empty pool, and nothing fires on it.
    const empty = { ...pool, tokenReserve: baseUnits(0n) };
    expect(watch.look({ ...moment, pool: empty })).toEqual([]);
  });

  it('are asked beside a purchase of more SOL than a pool could take, which does not fire', () => {
    const watch = new TokenWatch();
    const level = { unit: 'sol', value: 10n ** 30n, when: 'below' } as const;
    const most = { unit: 'sol', value: 2n ** 64n - 1n } as const;
    const above = { ...level, value: 1n, when: 'above' } as const;
    watch.set({
      id: 'most',
      rule: aRule({ kind: 'limit', side: 'buy', level: above, amount: most }),
      size: most.value,
    });
    watch.set(aTrigger('stop', { level }));
    const moment = { nowMs: 1, pool: aPool(), scale, creatorSold: false, hasGraduated: false };
    expect([...watch.asked(moment)].toSorted()).toEqual(['most', 'stop']);
    expect(watch.look(moment).map(({ trigger }) => trigger.id)).toEqual(['stop']);
  });

  describe('which of them a change asks', () => {
    const pool = aPool();
    /** The pool's price in the unit of levels in SOL. */
    const spot = 10n ** 14n;
    const percentOf = (percent: bigint) => ({
      sol: (spot * percent) / 100n,
      usd: (spot * 150n * percent) / 100n,
      'market-cap': (spot * 150n * 10n ** 9n * percent) / 100n,
    });
    const units = ['sol', 'usd', 'market-cap'] as const;
    const at = (percent: bigint, when: 'below' | 'above', rule: Partial<TriggerRule> = {}) =>
      units.map((unit) =>
        aTrigger(`${unit} ${when} ${percent}`, { ...rule, level: { unit, value: percentOf(percent)[unit], when } }),
      );
    const watching = (...triggers: ReturnType<typeof aTrigger>[]) => {
      const watch = new TokenWatch();
      for (const trigger of triggers) watch.set(trigger);
      return watch;
    };
    const askedOf = (watch: TokenWatch, moment: Partial<{ pool: Pool; scale: PriceScale }> = {}) =>
      [...watch.asked({ pool, scale, ...moment })].sort();
    const idsOf = (triggers: readonly { id: string }[]) => triggers.map(({ id }) => id).sort();

    it('are those near or past their level in any unit, and no others', () => {
      const near = [...at(98n, 'below'), ...at(102n, 'above'), ...at(150n, 'below'), ...at(50n, 'above')];
      const far = [...at(90n, 'below'), ...at(110n, 'above')];
      expect(askedOf(watching(...near, ...far))).toEqual(idsOf(near));
      // Also those that are set when the price is known.
      const watch = watching();
      expect(askedOf(watch)).toEqual([]);
      for (const trigger of [...near, ...far]) watch.set(trigger);
      expect(askedOf(watch)).toEqual(idsOf(near));
    });

    it('are those of a buy by what a buy of that size would pay', () => {
      const buys = [
        ...at(98n, 'below', { kind: 'limit', side: 'buy' }),
        ...at(90n, 'below', { kind: 'limit', side: 'buy' }),
      ];
      const size = 10n ** 7n;
      expect(askedOf(watching(...buys.map((buy) => ({ ...buy, size }))))).toEqual(idsOf(buys.slice(0, 3)));
      // One that moves the price by a fifth pays above a level far below the market.
      const large = {
        ...aTrigger('large', {
          kind: 'limit',
          side: 'buy',
          level: { unit: 'sol', value: percentOf(115n).sol, when: 'above' },
        }),
        size: 20n * SOL,
      };
      expect(askedOf(watching(large))).toEqual(['large']);
    });

    it('are the same after the pool got deeper, another fee or curve, or SOL another price', () => {
      const near = [...at(98n, 'below'), ...at(102n, 'above')];
      const far = [...at(90n, 'below'), ...at(110n, 'above')];
      const watch = watching(...near, ...far);
      const deeper = aPool(1_000n * SOL, 10n ** 13n);
      const curve = {
        ...aPool(60n * SOL, 6n * 10n ** 11n),
        virtualSol: lamports(40n * SOL),
        virtualTokens: baseUnits(4n * 10n ** 11n),
      };
      for (const changed of [pool, deeper, curve, { ...pool, feeBps: 0n }, pool]) {
        expect(askedOf(watch, { pool: changed })).toEqual(idsOf(near));
      }
      // Twice the price of SOL: what was near in dollars is far past it or far from it now.
      const dear = { ...scale, solUsdMicro: 300_000_000n };
      const isAsked = (id: string) => (id.startsWith('sol') ? /98|102/.test(id) : id.includes('above'));
      expect(askedOf(watch, { scale: dear })).toEqual(idsOf([...near, ...far]).filter(isAsked));
      expect(askedOf(watch)).toEqual(idsOf(near));
    });

    it('are none in a unit whose price nobody knows, until it is known again', () => {
      const watch = watching(...at(98n, 'below'), ...at(150n, 'below'), ...at(90n, 'below'));
      const unknown = { ...scale, solUsdMicro: null };
      expect(askedOf(watch, { scale: unknown })).toEqual(['sol below 150', 'sol below 98']);
      const supply = { ...scale, supply: null };
      expect(askedOf(watch, { scale: supply })).toEqual([
        'sol below 150',
        'sol below 98',
        'usd below 150',
        'usd below 98',
      ]);
      expect(askedOf(watch)).toHaveLength(6);
      expect(askedOf(watch, { pool: { ...pool, tokenReserve: baseUnits(0n) } })).toEqual([]);
    });

    it('are found by levels that are placed anew only when the depth, the fee or the price of SOL has moved', () => {
      const placing = vi.spyOn(PriceIndex.prototype, 'replaceAll');
      const placed = (pools: readonly Pool[], scales: readonly PriceScale[]) => {
        placing.mockClear();
        const watch = watching(...at(90n, 'below'));
        for (const one of pools) for (const each of scales) askedOf(watch, { pool: one, scale: each });
        return placing.mock.calls.length;
      };
      const deep = (perMille: bigint) => aPool((100n * SOL * perMille) / 1_000n);
      expect(placed([pool, pool, aPool(50n * SOL, 2n * 10n ** 12n), deep(1_009n), deep(991n)], [scale])).toBe(1);
      expect([placed([pool, deep(1_011n)], [scale]), placed([pool, deep(989n)], [scale])]).toEqual([2, 2]);
      expect(placed([pool, { ...pool, feeBps: 51n }, pool], [scale])).toBe(3);
      const solAt = (solUsdMicro: bigint | null) => ({ ...scale, solUsdMicro });
      expect(placed([pool], [scale, solAt(151_400_000n), solAt(148_600_000n)])).toBe(1);
      expect([placed([pool], [scale, solAt(151_600_000n)]), placed([pool], [scale, solAt(148_400_000n)])]).toEqual([
        2, 2,
      ]);
      expect([placed([pool], [solAt(null), solAt(null)]), placed([pool], [solAt(null), scale, solAt(null)])]).toEqual([
        1, 3,
      ]);
      // The supply alone moves a market cap.
      expect(placed([pool], [scale, { ...scale, supply: 2n * 10n ** 15n }, { ...scale, supply: null }])).toBe(3);
      placing.mockRestore();
    });

    it('are all whose price is made of roundings, or that the pool could not pay for', () => {
      const level = { unit: 'sol', value: percentOf(10n).sol, when: 'below' } as const;
      const sale = (size: bigint) => askedOf(watching({ ...aTrigger('a', { level }), size }));
      // At a tenth of the price a hundred thousand units bring a thousand lamports.
      expect([sale(0n), sale(99_000n), sale(100_000n)]).toEqual([['a'], ['a'], []]);
      const buy = (size: bigint) =>
        askedOf(watching({ ...aTrigger('a', { kind: 'limit', side: 'buy', level }), size }));
      expect([buy(9n), buy(10n)]).toEqual([['a'], []]);
      const free = { ...level, value: 0n };
      expect(askedOf(watching(aTrigger('a', { level: free })))).toEqual(['a']);
      // A curve pays out what was paid in, however high its price is.
      const curve = { ...aPool(10n * SOL, 10n ** 12n), virtualSol: lamports(90n * SOL) };
      const onCurve = (size: bigint) =>
        askedOf(watching({ ...aTrigger('a', { level: { ...level, value: percentOf(85n).sol } }), size }), {
          pool: curve,
        });
      // The second takes more than nine tenths of it.
      expect([onCurve(46n * 10n ** 9n), onCurve(49n * 10n ** 9n)]).toEqual([[], ['a']]);
    });

    it('are those that follow the price or wait for an event, and none that wait for a time', () => {
      const trailing = { bps: 100n, activation: null, isActive: false, high: null };
      const watch = watching(
        aTrigger('trailing', { kind: 'trailing-stop', trailing }),
        aTrigger('sells', { kind: 'creator-sells' }),
        aTrigger('dca', { kind: 'dca' }),
        aTrigger('time', { kind: 'after-time' }),
      );
      expect(askedOf(watch)).toEqual(['sells', 'trailing']);
      // One that is set anew as another kind is asked as that.
      watch.set(aTrigger('sells', { kind: 'dca' }));
      watch.set(at(90n, 'below')[0]!);
      expect(askedOf(watch)).toEqual(['trailing']);
    });
  });
});
