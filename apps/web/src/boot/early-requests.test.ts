import { describe, expect, it } from 'vitest';
import { EARLY_AGE_MAX_MS, sendEarly, takeEarly } from './early-requests.ts';

function aPlace() {
  let nowMs = 1_000;
  const asked: string[] = [];
  const parts = {
    place: {},
    nowMs: () => nowMs,
    fetch: (url: string) => {
      asked.push(url);
      return Promise.resolve(new Response('answer'));
    },
  };
  return { parts, asked, pass: (ms: number) => (nowMs += ms) };
}

describe('early requests', () => {
  it('hand their answer to whoever asks the same, once', async () => {
    const { parts, asked } = aPlace();
    sendEarly('/api/list', { sortBy: 'yield' }, 'me', parts);
    expect(asked).toEqual(['/api/list?sortBy=yield&t=1000']);
    const taken = takeEarly('/api/list?sortBy=yield&t=1234', 'me', null, parts);
    expect(await (await taken)?.text()).toBe('answer');
    expect(takeEarly('/api/list?sortBy=yield&t=1235', 'me', null, parts)).toBeNull();
  });

  it('answer nobody who asks something else or is somebody else', () => {
    const { parts } = aPlace();
    sendEarly('/api/list', { sortBy: 'yield' }, 'me', parts);
    expect(takeEarly('/api/list?sortBy=newest&t=1', 'me', null, parts)).toBeNull();
    expect(takeEarly('/api/list?sortBy=yield&t=1', 'another', null, parts)).toBeNull();
  });

  it('grow old', () => {
    const { parts, pass } = aPlace();
    sendEarly('/api/config', {}, null, parts);
    pass(EARLY_AGE_MAX_MS + 1);
    expect(takeEarly('/api/config?t=1', null, null, parts)).toBeNull();
  });

  it('can be given up by who took them', async () => {
    const { parts } = aPlace();
    sendEarly('/api/config', {}, null, { ...parts, fetch: () => new Promise(() => {}) });
    const leaving = new AbortController();
    const taken = takeEarly('/api/config?t=1', null, leaving.signal, parts);
    leaving.abort(new Error('left'));
    await expect(taken).rejects.toThrow('left');
  });

  it('fail for who took them and trouble nobody else', async () => {
    const { parts } = aPlace();
    sendEarly('/api/config', {}, null, { ...parts, fetch: () => Promise.reject(new TypeError('offline')) });
    await expect(takeEarly('/api/config?t=1', null, null, parts)).rejects.toThrow('offline');
  });
});
