import { describe, expect, it, vi } from 'vitest';
import { createLiveStore, type LiveStoreOptions } from './live-store.ts';

function aStore(options: LiveStoreOptions = {}) {
  const frames: (() => void)[] = [];
  const store = createLiveStore<number>({ schedule: (flush) => void frames.push(flush), ...options });
  return { store, frames, nextFrame: () => frames.shift()?.() };
}

describe('the live store', () => {
  it('tells a row once per frame however often it changed, and only that row', () => {
    const { store, nextFrame, frames } = aStore();
    const told: string[] = [];
    store.subscribe('a', () => told.push('a'));
    store.subscribe('b', () => told.push('b'));
    store.set('a', 1);
    store.set('a', 2);
    expect(told).toEqual([]);
    expect(frames).toHaveLength(1);
    nextFrame();
    expect(told).toEqual(['a']);
    expect(store.get('a')).toBe(2);
  });

  it('tells each row by itself, so that a burst can be spread over several frames', () => {
    const { store, nextFrame } = aStore();
    const told: string[] = [];
    for (const key of ['a', 'b']) store.subscribe(key, () => told.push(key));
    for (const key of ['a', 'b', 'a']) store.set(key, 1);
    nextFrame();
    expect(told).toEqual(['a']);
    nextFrame();
    expect(told).toEqual(['a', 'b']);
  });

  it('asks for no frame when nobody watches the key', () => {
    const { store, frames } = aStore();
    store.subscribe('a', () => {})();
    store.set('a', 1);
    expect(frames).toEqual([]);
    expect(store.get('a')).toBe(1);
  });

  it('forgets what was not told again in time, and says so', () => {
    vi.useFakeTimers();
    try {
      const { store, nextFrame } = aStore({ keepMs: 1_000 });
      const told: (number | undefined)[] = [];
      store.subscribe('a', () => told.push(store.get('a')));
      store.set('a', 1);
      nextFrame();
      vi.advanceTimersByTime(900);
      store.set('a', 2);
      nextFrame();
      vi.advanceTimersByTime(900);
      expect(store.get('a')).toBe(2);
      vi.advanceTimersByTime(100);
      nextFrame();
      expect(told).toEqual([1, 2, undefined]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('forgets each value in its own time, with one timer for all', () => {
    vi.useFakeTimers();
    try {
      const { store } = aStore({ keepMs: 1_000 });
      store.set('a', 1);
      store.set('b', 1);
      vi.advanceTimersByTime(600);
      store.set('a', 2);
      expect(vi.getTimerCount()).toBe(1);
      vi.advanceTimersByTime(400);
      expect([store.get('a'), store.get('b')]).toEqual([2, undefined]);
      vi.advanceTimersByTime(600);
      expect(store.get('a')).toBeUndefined();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
