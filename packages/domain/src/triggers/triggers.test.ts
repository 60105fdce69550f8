import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aPool, aRule, scale, SOL } from './rule-for-test.ts';
import { decideAfterOrder, STOP_RETRY_MS } from './decide-after-order.ts';
import { decideTrigger, nextPurchase, trailingLevel } from './decide-trigger.ts';
import { protectiveLevel } from './protective-level.ts';
import { isBoundToPosition, isLadderPossible, isStop, sizeOf, type TriggerKind, type TriggerRule } from './trigger.ts';
import { triggerOutcomes } from './trigger-outcome.ts';
import { approximately, isPast, leastOut, ownPrice, perLamport, poolPriceFor } from './trigger-price.ts';

const aMoment = { nowMs: 1_000, price: null, scale, creatorSold: false, hasGraduated: false };

describe('the size of a trigger', () => {
  it('is a share of what is held or was bought, and never more than is held', () => {
    expect(sizeOf(aRule(), 500n)).toBe(500n);
    expect(sizeOf(aRule({ amount: { unit: 'percent-held', value: 2_500n } }), 500n)).toBe(125n);
    const bought = { unit: 'percent-bought', value: 5_000n, ofUnits: 1_000n } as const;
    expect(sizeOf(aRule({ amount: bought }), 800n)).toBe(500n);
    expect(sizeOf(aRule({ amount: bought }), 300n)).toBe(300n);
    expect(sizeOf(aRule({ amount: { unit: 'tokens', value: 900n } }), 500n)).toBe(500n);
    expect(sizeOf(aRule({ side: 'buy', amount: { unit: 'sol', value: 7n } }), 0n)).toBe(7n);
    expect(sizeOf(aRule({ side: 'buy' }), 500n)).toBe(0n);
  });

  it('lets the shares of a ladder leave something over, but not exceed the whole', () => {
    const share = (value: bigint) => ({ unit: 'percent-bought', value, ofUnits: 1n }) as const;
    expect(isLadderPossible([share(5_000n), share(4_999n)])).toBe(true);
    expect(isLadderPossible([share(5_000n), share(5_000n)])).toBe(true);
    expect(isLadderPossible([share(5_000n), share(5_001n)])).toBe(false);
    const held = (value: bigint) => ({ unit: 'percent-held', value }) as const;
    expect(isLadderPossible([share(5_000n), held(5_001n)])).toBe(false);
    expect(isLadderPossible([share(10_000n), null, { unit: 'tokens', value: 9_999n }])).toBe(true);
  });
});

describe('kinds of triggers', () => {
  const kinds: TriggerKind[] = [
    'limit',
    'stop-loss',
    'take-profit',
    'trailing-stop',
    'dca',
    'creator-sells',
    'graduates',
    'after-time',
  ];

  it('are stops where they end a position whatever the price has become', () => {
    const stops = ['stop-loss', 'trailing-stop', 'creator-sells', 'graduates', 'after-time'];
    expect(kinds.filter(isStop)).toEqual(stops);
  });

  it('belong to a position where they sell it, but for a schedule that winds it down', () => {
    expect(kinds.filter((kind) => !isBoundToPosition({ kind, side: 'sell' }))).toEqual(['dca']);
    expect(isBoundToPosition({ kind: 'limit', side: 'buy' })).toBe(false);
  });
});

describe('the moment a trigger fires', () => {
  const price = { numerator: 1n, denominator: 1n };

  it('is when its event has happened, and not before', () => {
    const fires = (rule: Partial<TriggerRule>, moment: Partial<typeof aMoment>) =>
      decideTrigger(aRule(rule), { ...aMoment, ...moment }).kind;
    expect([fires({ kind: 'creator-sells' }, {}), fires({ kind: 'creator-sells' }, { creatorSold: true })]).toEqual([
      'wait',
      'fire',
    ]);
    expect([fires({ kind: 'graduates' }, {}), fires({ kind: 'graduates' }, { hasGraduated: true })]).toEqual([
      'wait',
      'fire',
    ]);
    const after = { kind: 'after-time', firesAtMs: 1_001 } as const;
    expect([fires(after, {}), fires(after, { nowMs: 1_001 })]).toEqual(['wait', 'fire']);
    const expiring = { kind: 'creator-sells', expiresAtMs: 1_001 } as const;
    expect([fires(expiring, { creatorSold: true }), fires(expiring, { nowMs: 1_001, creatorSold: true })]).toEqual([
      'fire',
      'expire',
    ]);
  });

  it('is never for one that lacks what it waits for', () => {
    const lacking: Partial<TriggerRule>[] = [
      { kind: 'after-time' },
      { kind: 'dca' },
      { kind: 'trailing-stop' },
      { kind: 'limit' },
    ];
    for (const rule of lacking) expect(decideTrigger(aRule(rule), { ...aMoment, price }).kind).toBe('wait');
    const level = { unit: 'sol', value: 10n ** 40n, when: 'below' } as const;
    expect(decideTrigger(aRule({ level }), aMoment).kind).toBe('wait');
    expect(decideTrigger(aRule({ level }), { ...aMoment, price }).kind).toBe('fire');
  });

  it('is on schedule for a purchase, and postponed where the price is out of its bounds', () => {
    const at = (sol: bigint) => ({ ...aMoment, price: { numerator: sol, denominator: 10n ** 6n } }) as never;
    const bound = (sol: bigint) => ({ unit: 'sol', value: sol * 10n ** 9n }) as const;
    const schedule = { intervalMs: 100, count: 9, done: 0, nextAtMs: 1_000, lowest: null, highest: null };
    const buys = (over: object, moment = at(100n)) =>
      decideTrigger(aRule({ kind: 'dca', side: 'buy', schedule: { ...schedule, ...over } }), moment);
    expect(buys({}, aMoment as never)).toEqual({ kind: 'fire' });
    expect(buys({ nextAtMs: 1_001 })).toEqual({ kind: 'wait' });
    expect(buys({ lowest: bound(100n), highest: bound(100n) })).toEqual({ kind: 'fire' });
    expect(buys({ lowest: bound(101n) })).toEqual({ kind: 'postpone', nextAtMs: 1_100 });
    expect(buys({ highest: bound(99n) })).toEqual({ kind: 'postpone', nextAtMs: 1_100 });
    expect(buys({ lowest: bound(1n) }, aMoment as never)).toEqual({ kind: 'wait' });
    expect(buys({ highest: bound(1n) }, aMoment as never)).toEqual({ kind: 'wait' });
  });
});

describe('a price level', () => {
  it('is compared in SOL, in dollars and by market cap with what the order itself would get', () => {
    // 100 SOL against a million tokens: 0.0001 SOL, 0.015 dollars, a market cap of 15 million.
    const price = { numerator: 100n * SOL, denominator: 10n ** 12n };
    const past = (unit: 'sol' | 'usd' | 'market-cap', value: bigint, when: 'below' | 'above') =>
      isPast(price, { unit, value, when }, scale);
    for (const [unit, value] of [
      ['sol', 10n ** 14n],
      ['usd', 15n * 10n ** 15n],
      ['market-cap', 15_000_000n * 10n ** 18n],
    ] as const) {
      expect([past(unit, value, 'below'), past(unit, value, 'above')]).toEqual([true, true]);
      expect([past(unit, value - 1n, 'below'), past(unit, value + 1n, 'above')]).toEqual([false, false]);
    }
  });

  it('is past for nobody where the price of SOL or the supply is not known', () => {
    const price = { numerator: 1n, denominator: 1n };
    const unknown = { decimals: 6, supply: null, solUsdMicro: null };
    expect(isPast(price, { unit: 'usd', value: 10n ** 30n, when: 'below' }, unknown)).toBe(false);
    expect(isPast(price, { unit: 'market-cap', value: 1n, when: 'above' }, { ...scale, supply: null })).toBe(false);
    for (const unit of ['usd', 'market-cap'] as const) {
      const nothing = { ...scale, ...(unit === 'usd' ? { solUsdMicro: 0n } : { supply: 0n }) };
      const level = { unit, value: 10n ** 30n, when: 'below' } as const;
      expect(isPast(price, level, nothing)).toBe(false);
      expect(perLamport(unit, nothing)).toBeNull();
      expect(leastOut({ side: 'buy', size: 10n, level, slippageBps: 100, price: null }, nothing)).toBeNull();
    }
  });

  it('takes a large order further from the market than a small one', () => {
    const small = approximately(ownPrice(aPool(), 'sell', 10n ** 6n)!);
    const large = approximately(ownPrice(aPool(), 'sell', 10n ** 11n)!);
    expect(large).toBeLessThan(small);
    expect(ownPrice(aPool(), 'sell', 0n)).toBeNull();
    expect(ownPrice(aPool(0n), 'sell', 5n)).toBeNull();
  });

  it('has a market price at which the order of that size gets it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('buy' as const, 'sell' as const),
        fc.bigInt({ min: 10n ** 7n, max: 10n ** 11n }),
        (side, size) => {
          const pool = aPool();
          const own = approximately(ownPrice(pool, side, size)!);
          const spot = 100e9 / 1e12;
          expect(poolPriceFor(pool, side, size, own) / spot).toBeCloseTo(1, 3);
        },
      ),
    );
  });
});

describe('the least an order may bring', () => {
  const price = { numerator: 100n * SOL, denominator: 10n ** 12n };
  const order = { size: 10n ** 9n, slippageBps: 1_000, price };

  it('is the level of a target or a limit, however wide the slippage', () => {
    const target = { unit: 'sol', value: 9n * 10n ** 13n, when: 'above' } as const;
    expect(leastOut({ ...order, side: 'sell', level: { ...target, value: 95n * 10n ** 12n } }, scale)).toBe(
      95_000_000n,
    );
    expect(leastOut({ ...order, side: 'sell', level: { ...target, value: 5n * 10n ** 13n } }, scale)).toBe(90_000_000n);
    const limit = { unit: 'sol', value: 10n ** 14n, when: 'below' } as const;
    expect(leastOut({ ...order, side: 'buy', size: SOL, level: limit }, scale)).toBe(10n ** 10n);
  });

  it('is the slippage below the price for a stop, and left to the quote where there is no price', () => {
    const stop = { unit: 'sol', value: 2n * 10n ** 14n, when: 'below' } as const;
    expect(leastOut({ ...order, side: 'sell', level: stop }, scale)).toBe(90_000_000n);
    expect(leastOut({ ...order, side: 'sell', level: stop, price: null }, scale)).toBeNull();
  });
});

describe('the least a buy or a sale may bring', () => {
  const price = { numerator: 3n, denominator: 2n };

  it('is rounded up, for whoever trades', () => {
    const ask = { level: null, slippageBps: 0, price };
    expect(leastOut({ ...ask, side: 'sell', size: 3n }, scale)).toBe(5n);
    expect(leastOut({ ...ask, side: 'buy', size: 4n }, scale)).toBe(3n);
    expect(leastOut({ ...ask, side: 'sell', size: 3n, slippageBps: 5_000 }, scale)).toBe(3n);
    expect(leastOut({ ...ask, side: 'sell', size: 3n, price: { ...price, numerator: 0n } }, scale)).toBeNull();
  });

  it('is the most there can be where a level asks for more than anybody can hold', () => {
    const level = { unit: 'sol', value: 1n, when: 'below' } as const;
    const ask = { side: 'buy', size: 10n ** 9n, level, slippageBps: 0, price: null } as const;
    expect(leastOut(ask, scale)).toBe(2n ** 64n - 1n);
  });

  it('is the level alone where nobody knows a price, and no level that is for a worse one', () => {
    const level = { unit: 'sol', value: 10n ** 15n, when: 'above' } as const;
    const ask = { size: 10n ** 6n, slippageBps: 10_000, price: null, level };
    expect(leastOut({ ...ask, side: 'sell' }, scale)).toBe(10n ** 6n);
    expect(leastOut({ ...ask, side: 'buy' }, scale)).toBeNull();
    const below = { ...level, when: 'below' } as const;
    expect(leastOut({ ...ask, side: 'buy', level: below }, scale)).toBe(10n ** 6n);
    expect(leastOut({ ...ask, side: 'sell', level: below }, scale)).toBeNull();
    expect(
      leastOut({ ...ask, side: 'sell', level: { ...level, unit: 'usd' } }, { ...scale, solUsdMicro: null }),
    ).toBeNull();
  });
});

describe('a trailing stop', () => {
  const at = (sol: bigint) => ({ ...aMoment, price: { numerator: sol, denominator: 10n ** 6n } });
  const trailing = { bps: 1_000n, activation: null, isActive: false, high: null };

  it('follows the price up, never down, and fires at its distance from the high', () => {
    const first = decideTrigger(aRule({ kind: 'trailing-stop', trailing }), at(100n));
    expect(first).toMatchObject({ kind: 'wait', trailing: { isActive: true } });
    const risen = (first as { trailing: typeof trailing }).trailing;
    expect(decideTrigger(aRule({ kind: 'trailing-stop', trailing: risen }), at(91n))).toEqual({ kind: 'wait' });
    expect(decideTrigger(aRule({ kind: 'trailing-stop', trailing: risen }), at(90n))).toEqual({ kind: 'fire' });
    expect(trailingLevel({ bps: 1_000n, high: null })).toBeNull();
  });

  it('does nothing before its activation price', () => {
    const later = { ...trailing, activation: { unit: 'sol', value: 2n * 10n ** 11n } as const };
    expect(decideTrigger(aRule({ kind: 'trailing-stop', trailing: later }), at(100n))).toEqual({ kind: 'wait' });
    expect(decideTrigger(aRule({ kind: 'trailing-stop', trailing: later }), at(200n))).toMatchObject({
      trailing: { isActive: true, high: 2n * 10n ** 11n },
    });
  });
});

describe('what follows the order of a trigger', () => {
  const fired = { nowMs: 10_000, firstFiredAtMs: 10_000, firings: 1 };

  it('ends it where the order traded, and retries a stop for ten minutes where it passed by', () => {
    expect(decideAfterOrder(aRule(), null, fired)).toEqual({ kind: 'end', outcome: 'filled' });
    expect(decideAfterOrder(aRule(), 'price-moved', fired)).toEqual({ kind: 'retry', atMs: 15_000 });
    const late = { ...fired, nowMs: 10_000 + STOP_RETRY_MS };
    expect(decideAfterOrder(aRule(), 'price-moved', late)).toEqual({ kind: 'end', outcome: 'price-moved' });
    expect(decideAfterOrder(aRule(), 'insufficient-balance', fired)).toMatchObject({ outcome: 'insufficient-balance' });
  });

  it('gives a stop its last try just within ten minutes', () => {
    const at = (nowMs: number) => decideAfterOrder(aRule(), 'unavailable', { ...fired, nowMs }).kind;
    expect([at(10_000 + STOP_RETRY_MS - 5_001), at(10_000 + STOP_RETRY_MS - 5_000)]).toEqual(['retry', 'end']);
  });

  it('tries again after what passes by itself, and after nothing else', () => {
    const retries = Object.keys(triggerOutcomes).filter(
      (outcome) => decideAfterOrder(aRule(), outcome as keyof typeof triggerOutcomes, fired).kind === 'retry',
    );
    expect(retries).toEqual(['price-moved', 'no-route', 'failed-on-chain', 'unavailable', 'fee-not-covered']);
    const target = aRule({ kind: 'take-profit' });
    expect(decideAfterOrder(target, 'no-route', { ...fired, firings: 19 })).toEqual({ kind: 'wait' });
    expect(decideAfterOrder(target, 'signing-refused', fired)).toEqual({ kind: 'end', outcome: 'signing-refused' });
  });

  it('ends a schedule with a failure that does not pass', () => {
    const schedule = { intervalMs: 100, count: 2, done: 0, nextAtMs: 9_000, lowest: null, highest: null };
    const dca = aRule({ kind: 'dca', side: 'buy', schedule });
    expect(decideAfterOrder(dca, 'insufficient-balance', fired)).toEqual({
      kind: 'end',
      outcome: 'insufficient-balance',
    });
  });

  it('lets a limit wait for its level again, not for ever', () => {
    const limit = aRule({ kind: 'limit', side: 'buy' });
    expect(decideAfterOrder(limit, 'price-moved', fired)).toEqual({ kind: 'wait' });
    expect(decideAfterOrder(limit, 'price-moved', { ...fired, firings: 20 })).toMatchObject({ kind: 'end' });
  });

  it('counts purchases of a schedule that were made, and does not catch up missed ones', () => {
    const schedule = { intervalMs: 100, count: 2, done: 0, nextAtMs: 9_000, lowest: null, highest: null };
    const dca = aRule({ kind: 'dca', side: 'buy', schedule });
    expect(decideAfterOrder(dca, null, fired)).toEqual({ kind: 'next', atMs: 10_100 });
    expect(decideAfterOrder(dca, 'price-moved', fired)).toEqual({ kind: 'next', atMs: 10_100 });
    const last = aRule({ kind: 'dca', side: 'buy', schedule: { ...schedule, done: 1 } });
    expect(decideAfterOrder(last, null, fired)).toEqual({ kind: 'end', outcome: 'schedule-done' });
    expect(nextPurchase({ nextAtMs: 100, intervalMs: 10 }, 50)).toBe(110);
  });
});

it('works a percentage out from the average cost of the position', () => {
  const cost = { numerator: 100n * SOL, denominator: 10n ** 12n };
  const ten = { unit: 'percent', value: 1_000n } as const;
  expect(protectiveLevel(ten, 'below', cost, 6)).toEqual({ unit: 'sol', value: 9n * 10n ** 13n, when: 'below' });
  expect(protectiveLevel(ten, 'above', cost, 6)).toEqual({ unit: 'sol', value: 11n * 10n ** 13n, when: 'above' });
  expect(protectiveLevel(ten, 'above', null, 6)).toBeNull();
  const own = { unit: 'usd', value: 7n } as const;
  expect(protectiveLevel(own, 'below', null, 6)).toEqual({ ...own, when: 'below' });
  // Towards the cost on neither side: a stop is rounded down and a target up.
  const third = { numerator: 1n, denominator: 3n * 10n ** 18n };
  expect(protectiveLevel(ten, 'below', third, 6)!.value).toBe(0n);
  expect(protectiveLevel(ten, 'above', third, 6)!.value).toBe(1n);
});

it('gives every outcome a number of its own', () => {
  const codes = Object.values(triggerOutcomes);
  expect(new Set(codes).size).toBe(codes.length);
});
