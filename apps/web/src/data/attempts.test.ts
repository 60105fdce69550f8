import { errorCatalogue } from '@hunter/contract/error-catalogue';
import type { ErrorName } from '@hunter/contract/error-catalogue';
import { describe, expect, it } from 'vitest';
import { ApiFailure } from './api-failure.ts';
import { createAttempts, isUnknown } from './attempts.ts';

const refusal = (name: ErrorName) =>
  new ApiFailure({ kind: 'envelope', code: errorCatalogue[name].code, msg: '', data: null });
const noResponse = new ApiFailure({ kind: 'no-response' });
const request = { tokenContractAddress: 'mint', side: 'buy', amount: '0.5', bookId: 'book' } as const;

/** Answers the calls in turn with what is given: a failure is thrown, anything else is the reply. */
function someAttempts(...answers: readonly unknown[]) {
  const keys: string[] = [];
  const at = { token: 'session', ms: 0 };
  const attempts = createAttempts({
    call: async (_name, _request, { idempotencyKey }) => {
      keys.push(idempotencyKey);
      const answer = await answers[keys.length - 1];
      if (answer instanceof Error) throw answer;
      return answer;
    },
    token: () => at.token,
    nowMs: () => at.ms,
  });
  return { ...attempts, keys, at };
}
const ignore = () => {};

describe('an attempt at a money call', () => {
  it('returns the reply', async () => {
    const { attempt } = someAttempts({ id: 'order' });
    expect(await attempt('tokenTransfer', request)).toEqual({ id: 'order' });
  });

  it.each<[string, Error]>([
    ['no response', noResponse],
    ['HTTP 502', new ApiFailure({ kind: 'http', status: 502 })],
    ['INTERNAL', refusal('INTERNAL')],
    ['REQUEST_IN_PROGRESS', refusal('REQUEST_IN_PROGRESS')],
    ['IDEMPOTENCY_CONFLICT', refusal('IDEMPOTENCY_CONFLICT')],
  ])('goes under the same key again after %s', async (_, failure) => {
    const { attempt, keys } = someAttempts(failure, failure, {});
    await expect(attempt('tokenTransfer', request)).rejects.toBe(failure);
    await expect(attempt('tokenTransfer', { ...request })).rejects.toBe(failure);
    await attempt('tokenTransfer', request);
    expect(keys[0]).toBeTruthy();
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
    expect(isUnknown(failure)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['a success', {}],
    ['a refusal', refusal('INSUFFICIENT_BALANCE')],
    ['HTTP 404', new ApiFailure({ kind: 'http', status: 404 })],
    ['a request that could not be built', new ApiFailure({ kind: 'setup' })],
  ])('goes under a new key after %s', async (_, answer) => {
    const { attempt, keys } = someAttempts(answer, {});
    await attempt('tokenTransfer', request).catch(ignore);
    await attempt('tokenTransfer', request);
    expect(new Set(keys).size).toBe(2);
    expect(isUnknown(answer)).toBe(false);
  });

  it('goes under a new key for another request, another call and another session', async () => {
    const { attempt, keys, at } = someAttempts(noResponse, noResponse, noResponse, noResponse, {});
    await attempt('tokenTransfer', request).catch(ignore);
    await attempt('tokenTransfer', { ...request, amount: '0.6' }).catch(ignore);
    await attempt('tokenClose', { tokenContractAddress: 'mint', bookId: 'book' }).catch(ignore);
    at.token = 'another';
    await attempt('tokenTransfer', request).catch(ignore);
    expect(new Set(keys).size).toBe(4);
    at.token = 'session';
    await attempt('tokenTransfer', request);
    expect(keys[4]).toBe(keys[0]);
  });

  it('is the same one by what makes it the same, where that is less than the request', async () => {
    const withdrawal = { toWallet: 'wallet', amount: '1', password: 'mistyped' };
    const { attempt, keys } = someAttempts(noResponse, noResponse, {});
    await attempt('withdrawal', withdrawal, ['wallet', '1']).catch(ignore);
    await attempt('withdrawal', { ...withdrawal, password: 'typed' }, ['wallet', '1']).catch(ignore);
    await attempt('withdrawal', { ...withdrawal, amount: '2' }, ['wallet', '2']);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it('is joined while it runs, and the next one is new', async () => {
    const { promise, resolve } = Promise.withResolvers<object>();
    const { attempt, keys } = someAttempts(promise, {});
    const both = [attempt('tokenTransfer', request), attempt('tokenTransfer', request)];
    resolve({ id: 'order' });
    expect(await Promise.all(both)).toEqual([{ id: 'order' }, { id: 'order' }]);
    expect(keys).toHaveLength(1);
    await attempt('tokenTransfer', request);
    expect(keys[1]).not.toBe(keys[0]);
  });

  it('is forgotten after five minutes: whoever asks then means it anew', async () => {
    const { attempt, keys, at } = someAttempts(noResponse, noResponse, {});
    await attempt('cancelFollow', { slug: 'frogs' }).catch(ignore);
    at.ms = 299_000;
    await attempt('cancelFollow', { slug: 'frogs' }).catch(ignore);
    at.ms = 300_000;
    await attempt('cancelFollow', { slug: 'frogs' });
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it('is over when its outcome was learned another way', async () => {
    const { attempt, settle, keys } = someAttempts(noResponse, {});
    await attempt('tokenTransfer', request).catch(ignore);
    settle('tokenTransfer', request);
    await attempt('tokenTransfer', request);
    expect(keys[1]).not.toBe(keys[0]);
  });

  it('is over when what it may have made has been ended, whatever else it asked for', async () => {
    const follow = (slug: string, amount: string) => ({ slug, mode: 'sol', amount }) as const;
    const { attempt, settleAll, keys, at } = someAttempts(noResponse, noResponse, noResponse, {}, {}, {});
    await attempt('followStrategy', follow('frogs', '1')).catch(ignore);
    await attempt('followStrategy', follow('dogs', '1')).catch(ignore);
    at.token = 'another';
    await attempt('followStrategy', follow('frogs', '1')).catch(ignore);
    at.token = 'session';
    settleAll('followStrategy', { slug: 'frogs' });
    await attempt('followStrategy', follow('frogs', '1'));
    await attempt('followStrategy', follow('dogs', '1'));
    at.token = 'another';
    await attempt('followStrategy', follow('frogs', '1'));
    expect(keys[3]).not.toBe(keys[0]);
    expect(keys.slice(4)).toEqual([keys[1], keys[2]]);
  });

  it('leaves the next one its key when it was settled before its answer came', async () => {
    const { promise, resolve } = Promise.withResolvers<object>();
    const { attempt, settle, keys } = someAttempts(promise, noResponse, {});
    const first = attempt('tokenTransfer', request);
    settle('tokenTransfer', request);
    await attempt('tokenTransfer', request).catch(ignore);
    resolve({});
    await first;
    await attempt('tokenTransfer', request);
    expect(keys[1]).not.toBe(keys[0]);
    expect(keys[2]).toBe(keys[1]);
  });
});
