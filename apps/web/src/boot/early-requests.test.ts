import { describe, expect, it } from 'vitest';
import { EARLY_AGE_MAX_MS, sendEarly, takeEarly } from './early-requests.ts';

function aPlace() {
  let nowMs = 1_000;
  const asked: string[] = [];
  const deps = {
    place: {},
    nowMs: () => nowMs,
    fetch: (url: string) => {
      asked.push(url);
      return Promise.resolve(new Response('answer'));
    },
  };
  return { deps, asked, pass: (ms: number) => (nowMs += ms) };
}

describe('early requests', () => {
  it('hand their answer to whoever asks the same, once', async () => {
    const { deps, asked } = aPlace();
    sendEarly('/api/list', { sortBy: 'yield' }, 'me', deps);
    expect(asked).toEqual(['/api/list?sortBy=yield&t=1000']);
    const taken = takeEarly('/api/list?sortBy=yield&t=1234', 'me', null, deps);
    expect(await (await taken)?.text()).toBe('answer');
    expect(takeEarly('/api/list?sortBy=yield&t=1235', 'me', null, deps)).toBeNull();
  });

  it('answer nobody who asks something else or is somebody else', () => {
    const { deps } = aPlace();
    sendEarly('/api/list', { sortBy: 'yield' }, 'me', deps);
    expect(takeEarly('/api/list?sortBy=newest&t=1', 'me', null, deps)).toBeNull();
    expect(takeEarly('/api/list?sortBy=yield&t=1', 'another', null, deps)).toBeNull();
  });

  it('grow old', () => {
    const { deps, pass } = aPlace();
    sendEarly('/api/config', {}, null, deps);
    pass(EARLY_AGE_MAX_MS + 1);
    expect(takeEarly('/api/config?t=1', null, null, deps)).toBeNull();
  });

  it('can be given up by who took them', async () => {
    const { deps } = aPlace();
    sendEarly('/api/config', {}, null, { ...deps, fetch: () => new Promise(() => {}) });
    const leaving = new AbortController();
    const taken = takeEarly('/api/config?t=1', null, leaving.signal, deps);
    leaving.abort(new Error('left'));
    await expect(taken).rejects.toThrow('left');
  });

  it('fail for who took them and trouble nobody else', async () => {
    const { deps } = aPlace();
    sendEarly('/api/config', {}, null, { ...deps, fetch: () => Promise.reject(new TypeError('offline')) });
    await expect(takeEarly('/api/config?t=1', null, null, deps)).rejects.toThrow('offline');
  });
});
