import { describe, expect, it } from 'vitest';
import { readProtect, readTrigger, type TriggerRequest } from './read-request.ts';

const NOW = 1_800_000_000_000;
const WEEK_MS = 7 * 86_400_000;
const ONE = 10n ** 18n;

function read(request: Partial<TriggerRequest> & { kind: TriggerRequest['kind'] }, decimals = 6) {
  return readTrigger(request, decimals, NOW);
}
const stop = { kind: 'stop-loss', level: { unit: 'percent', value: '10' } } as const;
const limitBuy = {
  kind: 'limit',
  side: 'buy',
  level: { unit: 'sol', value: '0.5', when: 'below' },
  amount: { unit: 'sol', value: '1.5' },
} as const;
const dca = {
  kind: 'dca',
  side: 'buy',
  amount: { unit: 'sol', value: '1' },
  schedule: { intervalSeconds: 60, count: 3 },
} as const;
const trailing = { kind: 'trailing-stop', trailing: { percent: '12.5' } } as const;
const refused = (field: string, reason: string) => expect.objectContaining({ context: { field, reason } });

describe('a request for a trigger', () => {
  it('is a rule with its level, or with a share of the cost that is worked out later', () => {
    expect(read(limitBuy)).toEqual({
      rule: {
        kind: 'limit',
        side: 'buy',
        level: null,
        amount: { unit: 'sol', value: 1_500_000_000n },
        trailing: null,
        schedule: null,
        firesAtMs: null,
        expiresAtMs: NOW + WEEK_MS,
      },
      wantedLevel: { unit: 'sol', value: ONE / 2n },
      when: 'below',
    });
    expect(read(stop)).toMatchObject({
      rule: { kind: 'stop-loss', side: 'sell', amount: null, expiresAtMs: null },
      wantedLevel: { unit: 'percent', value: 1_000n },
      when: 'below',
    });
    const target = { kind: 'take-profit', level: { unit: 'market-cap', value: '1000000' } } as const;
    expect(read(target)).toMatchObject({
      wantedLevel: { unit: 'market-cap', value: 1_000_000n * ONE },
      when: 'above',
      rule: { expiresAtMs: null },
    });
  });

  it.each([
    ['side', 'required', { ...limitBuy, side: undefined }],
    ['side', 'required', { ...dca, side: undefined }],
    ['side', 'choice', { ...stop, side: 'buy' }],
    ['level', 'required', { ...limitBuy, level: undefined }],
    ['level', 'required', { kind: 'stop-loss' }],
    ['level', 'required', { kind: 'take-profit' }],
    ['level', 'choice', { ...trailing, level: stop.level }],
    ['level.when', 'required', { ...limitBuy, level: { unit: 'sol', value: '1' } }],
    ['level.when', 'choice', { ...stop, level: { ...stop.level, when: 'above' } }],
    ['level.when', 'choice', { kind: 'take-profit', level: { ...stop.level, when: 'below' } }],
    ['level.unit', 'choice', { ...limitBuy, level: { unit: 'percent', value: '5', when: 'below' } }],
    ['level.value', 'format', { ...limitBuy, level: { unit: 'sol', value: 'much', when: 'below' } }],
    ['level.value', 'range', { ...limitBuy, level: { unit: 'sol', value: '0', when: 'below' } }],
    ['level.value', 'range', { ...limitBuy, level: { unit: 'sol', value: `1${'0'.repeat(23)}`, when: 'below' } }],
    ['level.value', 'format', { ...stop, level: { unit: 'percent', value: '1.234' } }],
    ['level.value', 'range', { ...stop, level: { unit: 'percent', value: '0' } }],
    ['level.value', 'range', { ...stop, level: { unit: 'percent', value: '100' } }],
    ['level.value', 'range', { kind: 'take-profit', level: { unit: 'percent', value: '1000000.01' } }],
    ['amount', 'required', { ...limitBuy, amount: undefined }],
    ['amount.unit', 'choice', { ...limitBuy, amount: { unit: 'tokens', value: '1' } }],
    ['amount.unit', 'choice', { ...stop, amount: { unit: 'sol', value: '1' } }],
    ['amount.value', 'range', { ...stop, amount: { unit: 'percent-held', value: '100.01' } }],
    ['amount.value', 'range', { ...stop, amount: { unit: 'percent-bought', value: '100.01' } }],
    ['amount.value', 'format', { ...limitBuy, amount: { unit: 'sol', value: '1.0000000001' } }],
    ['amount.value', 'range', { ...limitBuy, amount: { unit: 'sol', value: '0' } }],
    ['amount.value', 'range', { ...limitBuy, amount: { unit: 'sol', value: '18446744073.709551616' } }],
    ['trailing', 'required', { kind: 'trailing-stop' }],
    ['trailing', 'choice', { ...stop, trailing: trailing.trailing }],
    ['trailing.percent', 'range', { ...trailing, trailing: { percent: '100' } }],
    [
      'trailing.activation.value',
      'range',
      { ...trailing, trailing: { percent: '5', activation: { unit: 'sol', value: '0' } } },
    ],
    ['schedule', 'required', { ...dca, schedule: undefined }],
    ['schedule', 'choice', { ...stop, schedule: dca.schedule }],
    ['schedule.lowest.value', 'range', { ...dca, schedule: { ...dca.schedule, lowest: { unit: 'sol', value: '0' } } }],
    [
      'schedule.highest.value',
      'range',
      { ...dca, schedule: { ...dca.schedule, highest: { unit: 'sol', value: '0' } } },
    ],
    ['afterSeconds', 'required', { kind: 'after-time' }],
    ['afterSeconds', 'choice', { ...stop, afterSeconds: 5 }],
    ['expiresAt', 'range', { ...stop, expiresAt: NOW }],
    ['protect', 'choice', { ...stop, protect: {} }],
    ['protect', 'choice', { ...limitBuy, side: 'sell', amount: undefined, protect: {} }],
    ['protect', 'choice', { ...dca, protect: {} }],
    ['protect.trailing', 'range', { ...limitBuy, protect: { trailing: '100' } }],
    ['holdFunds', 'choice', { ...stop, holdFunds: true }],
    ['holdFunds', 'choice', { ...limitBuy, side: 'sell', amount: undefined, holdFunds: true }],
    ['holdFunds', 'choice', { ...dca, holdFunds: true }],
  ] as const)('names %s as wrong: %s', (field, reason, request) => {
    expect(() => read(request as never)).toThrow(refused(field, reason));
  });

  it('takes the largest of everything', () => {
    const most = `1${'0'.repeat(22)}`;
    expect(read({ ...limitBuy, level: { unit: 'sol', value: most, when: 'above' } })).toMatchObject({
      wantedLevel: { value: 10n ** 40n },
      when: 'above',
    });
    expect(read({ ...stop, level: { unit: 'percent', value: '99.99' } })).toMatchObject({
      wantedLevel: { value: 9_999n },
    });
    const far = { kind: 'take-profit', level: { unit: 'percent', value: '1000000', when: 'above' } } as const;
    expect(read(far)).toMatchObject({ wantedLevel: { value: 100_000_000n } });
    const amount = { unit: 'sol', value: '18446744073.709551615' } as const;
    expect(read({ ...limitBuy, amount }).rule.amount).toEqual({ unit: 'sol', value: 2n ** 64n - 1n });
    expect(read({ ...stop, amount: { unit: 'percent-held', value: '100' } }).rule.amount).toEqual({
      unit: 'percent-held',
      value: 10_000n,
    });
    expect(read({ ...stop, amount: { unit: 'percent-bought', value: '100' } }).rule.amount).toEqual({
      unit: 'percent-bought',
      value: 10_000n,
      ofUnits: 0n,
    });
    expect(read({ ...stop, amount: { unit: 'tokens', value: '1.5' } }, 3).rule.amount).toEqual({
      unit: 'tokens',
      value: 1_500n,
    });
  });

  it('buys on a schedule from now on, within its bounds, and expires a week after the last purchase', () => {
    const bounded = {
      ...dca.schedule,
      lowest: { unit: 'usd', value: '1' },
      highest: { unit: 'usd', value: '2' },
    } as const;
    expect(read({ ...dca, schedule: bounded }).rule).toMatchObject({
      schedule: {
        intervalMs: 60_000,
        count: 3,
        done: 0,
        nextAtMs: NOW,
        lowest: { unit: 'usd', value: ONE },
        highest: { unit: 'usd', value: 2n * ONE },
      },
      expiresAtMs: NOW + 2 * 60_000 + WEEK_MS,
    });
    expect(read(dca).rule.schedule).toMatchObject({ lowest: null, highest: null });
  });

  it('trails from its activation on, and fires after a time', () => {
    const activation = { unit: 'sol', value: '2' } as const;
    expect(read({ ...trailing, trailing: { percent: '12.5', activation } }).rule.trailing).toEqual({
      bps: 1_250n,
      activation: { unit: 'sol', value: 2n * ONE },
      isActive: false,
      high: null,
    });
    expect(read(trailing)).toMatchObject({ rule: { trailing: { activation: null } }, wantedLevel: null, when: null });
    expect(read({ kind: 'after-time', afterSeconds: 90 }).rule).toMatchObject({
      firesAtMs: NOW + 90_000,
      expiresAtMs: null,
    });
  });

  it('expires when it says so, or never', () => {
    expect(read({ ...stop, expiresAt: NOW + 1 }).rule.expiresAtMs).toBe(NOW + 1);
    expect(read({ ...limitBuy, expiresAt: null }).rule.expiresAtMs).toBeNull();
    expect(read({ ...limitBuy, side: 'sell', amount: undefined }).rule.expiresAtMs).toBe(NOW + WEEK_MS);
  });

  it('may protect what a limit buys, and hold the money for it', () => {
    const request = { ...limitBuy, protect: { trailing: '5' }, holdFunds: true } as const;
    expect(read(request as never)).toMatchObject({ rule: { kind: 'limit' } });
  });
});

describe('the protection of a buy', () => {
  it.each([
    ['protect.stopLoss.value', { stopLoss: { unit: 'percent', value: '100' } }],
    ['protect.stopLoss.value', { stopLoss: { unit: 'sol', value: '0' } }],
    ['protect.takeProfit.value', { takeProfit: { unit: 'percent', value: '1000000.01' } }],
    ['protect.takeProfit.value', { takeProfit: { unit: 'sol', value: '0' } }],
    ['protect.trailing', { trailing: '100' }],
  ] as const)('names %s where no position could have it', (field, protect) => {
    expect(() => readProtect(protect as never)).toThrow(refused(field, 'range'));
  });

  it('takes shares of the cost, prices, or nothing', () => {
    const shares = { stopLoss: { unit: 'percent', value: '99.99' }, takeProfit: { unit: 'percent', value: '1000000' } };
    const prices = {
      stopLoss: { unit: 'usd', value: '150' },
      takeProfit: { unit: 'usd', value: '1000001' },
      trailing: '99.99',
    };
    for (const protect of [shares, prices, {}]) expect(() => readProtect(protect as never)).not.toThrow();
  });
});
