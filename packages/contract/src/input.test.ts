import { lamports } from '@hunter/domain/numbers/lamports';
import { describe, expect, it } from 'vitest';
import { AppError } from './app-error.ts';
import { calls } from './calls.ts';
import { parseInput } from './input.ts';
import { openApiDocument } from './openapi.ts';

function refusal(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error.context;
    throw error;
  }
  return 'accepted';
}

function parametersOf(path: string): unknown {
  const { paths } = openApiDocument({ local: false }) as { paths: Record<string, { get: { parameters: unknown } }> };
  return paths[path]!.get.parameters;
}

describe('parseInput', () => {
  const destination = 'So11111111111111111111111111111111111111112';
  const valid = { toWallet: destination, amount: '1.25', password: 'secret' };

  it('turns decimal SOL into lamports once, at the edge', () => {
    const limits = { dailySol: '1.25', delaysNew: false };
    const { request } = calls.saveMyWithdrawalLimits;
    expect(parseInput(request, limits).dailySol).toBe(lamports(1_250_000_000n));
    for (const [dailySol, reason] of [
      ['0.0000000001', 'format'],
      ['99999999999999999999', 'range'],
    ]) {
      expect(refusal(() => parseInput(request, { ...limits, dailySol }))).toEqual({ field: 'dailySol', reason });
    }
  });

  it('refuses a time that no date can be', () => {
    const edit = { id: '0196a1b2-c3d4-7e5f-8a9b-000000000001', expiresAt: 8_640_000_000_000_001 };
    const { request } = calls.editTrigger;
    expect(refusal(() => parseInput(request, edit))).toEqual({ field: 'expiresAt', reason: 'range' });
    expect(refusal(() => parseInput(request, { ...edit, expiresAt: 8_640_000_000_000_000 }))).toBe('accepted');
  });

  it.each([true, '100', '', null])('takes a slippage as a number only, not as %j', (slippageBps) => {
    const trade = { tokenContractAddress: destination, side: 'buy', amount: '1', slippageBps };
    const reason = slippageBps === null ? 'required' : 'type';
    expect(refusal(() => parseInput(calls.tokenTransfer.request, trade))).toEqual({ field: 'slippageBps', reason });
  });

  it('refuses an empty moment instead of reading it as 1970', () => {
    const { request } = calls.kline;
    const candles = { tokenContractAddress: destination, interval: '1m', before: '' };
    expect(refusal(() => parseInput(request, candles))).toEqual({ field: 'before', reason: 'type' });
    expect(refusal(() => parseInput(request, { ...candles, before: '1' }))).toBe('accepted');
  });

  it('reads the numbers of a query in one spelling only, and names their range', () => {
    const { request } = calls.getStrategyList;
    for (const pageSize of ['0x5', '1e1', ' 5', '5 ', '+5', '05', '5.0', '', ['5'], true, null]) {
      const reason = pageSize === null ? 'required' : 'type';
      expect(refusal(() => parseInput(request, { pageSize }))).toEqual({ field: 'pageSize', reason });
    }
    for (const pageSize of ['0', '-1', '101']) {
      expect(refusal(() => parseInput(request, { pageSize }))).toEqual({ field: 'pageSize', reason: 'range' });
    }
    expect(parseInput(request, { pageSize: '100' })).toMatchObject({ pageSize: 100, pageNo: 1 });
    expect(parametersOf('/api/token/getTokenList')).toContainEqual({
      name: 'pageSize',
      in: 'query',
      required: false,
      schema: { default: 15, type: 'integer', minimum: 1, maximum: 100 },
    });
  });

  it('refuses a duration of nothing instead of running without an end', () => {
    const { request } = calls.createStrategy;
    const strategy = { name: 'Slow', capital: '1', coins: [], autoClear: true };
    const duration = { days: 0, hours: 0, minutes: 0 };
    expect(refusal(() => parseInput(request, { ...strategy, duration }))).toEqual({
      field: 'duration',
      reason: 'range',
    });
    expect(refusal(() => parseInput(request, { ...strategy, duration: { ...duration, minutes: 1 } }))).toBe('accepted');
    expect(refusal(() => parseInput(request, strategy))).toBe('accepted');
  });

  it('refuses what is nested without end instead of following it', () => {
    const endless: unknown = JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`);
    expect(refusal(() => parseInput(calls.withdrawal.request, { ...valid, memo: endless }))).toEqual({
      field: 'memo',
      reason: 'unknown',
    });
  });

  it('keeps no address that is of the right letters and length and is none, and lets go of one kept before', () => {
    const wrong = 'z'.repeat(44);
    const { saveWithdrawalAddress, removeWithdrawalAddress, trackWallet, untrackWallet } = calls;
    const saved = { toWallet: wrong, label: 'cold' };
    expect(refusal(() => parseInput(saveWithdrawalAddress.request, saved))).toEqual({
      field: 'toWallet',
      reason: 'format',
    });
    expect(refusal(() => parseInput(removeWithdrawalAddress.request, { toWallet: wrong }))).toBe('accepted');
    const tracked = { address: wrong, name: 'whale' };
    expect(refusal(() => parseInput(trackWallet.request, tracked))).toEqual({ field: 'address', reason: 'format' });
    expect(refusal(() => parseInput(untrackWallet.request, { address: wrong }))).toBe('accepted');
  });

  it('accepts the timestamp t with every call', () => {
    expect(refusal(() => parseInput(calls.withdrawal.request, { ...valid, t: 1 }))).toBe('accepted');
  });

  it.each([
    [{ ...valid, amount: 1.25 }, 'amount', 'type'],
    [{ ...valid, amount: '1e3' }, 'amount', 'format'],
    [{ ...valid, amount: '0' }, 'amount', 'range'],
    [{ ...valid, amount: undefined }, 'amount', 'required'],
    [{ ...valid, toWallet: 'short' }, 'toWallet', 'format'],
    [{ ...valid, toWallet: 'z'.repeat(44) }, 'toWallet', 'format'],
    [{ ...valid, tokenContractAddress: '1'.repeat(40) }, 'tokenContractAddress', 'format'],
    [{ ...valid, password: '' }, 'password', 'required'],
    [{ ...valid, memo: 'x' }, 'memo', 'unknown'],
    [{ ...valid, password: 'sec\0ret' }, 'password', 'format'],
    [{ ...valid, memo: [{ inner: '\0' }] }, 'memo.0.inner', 'format'],
    [[], 'body', 'type'],
  ])('names the field and the reason: %#', (input, field, reason) => {
    expect(refusal(() => parseInput(calls.withdrawal.request, input))).toEqual({ field, reason });
  });
});

describe('openApiDocument', () => {
  it('describes every call, and leaves local ones out in production', () => {
    const local = openApiDocument({ local: true }) as { paths: Record<string, unknown> };
    const production = openApiDocument({ local: false }) as { paths: Record<string, unknown> };
    expect(Object.keys(local.paths)).toHaveLength(Object.keys(calls).length);
    expect(production.paths).not.toHaveProperty('/api/dev/faucet');
    expect(production.paths).toHaveProperty('/api/token/tokenTransfer');
  });
});
