import { afterEach, expect, it, vi } from 'vitest';
import { browserStorage } from './browser-storage.ts';

const forbidden = () => {
  throw new DOMException('forbidden', 'SecurityError');
};
const kept = new Map<string, string>();
const usable = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
};

afterEach(() => {
  browserStorage.removeItem('token');
  vi.unstubAllGlobals();
  Reflect.deleteProperty(globalThis, 'localStorage');
  kept.clear();
});

it('keeps texts in the browser, and nowhere beside it: another tab may change them', () => {
  vi.stubGlobal('localStorage', usable);
  browserStorage.setItem('token', 't1');
  expect(Object.fromEntries(kept)).toEqual({ token: 't1' });
  kept.set('token', 't2');
  expect(browserStorage.getItem('token')).toBe('t2');
  browserStorage.removeItem('token');
  expect(browserStorage.getItem('token')).toBeNull();
});

it('keeps texts for the life of the page where the very name of the storage throws', () => {
  Object.defineProperty(globalThis, 'localStorage', { get: forbidden, configurable: true });
  expect(browserStorage.getItem('token')).toBeNull();
  browserStorage.setItem('token', 't1');
  expect(browserStorage.getItem('token')).toBe('t1');
  browserStorage.removeItem('token');
  expect(browserStorage.getItem('token')).toBeNull();
});

it('lets somebody log in there: calls of the page find the token', async () => {
  Object.defineProperty(globalThis, 'localStorage', { get: forbidden, configurable: true });
  vi.resetModules();
  const { session } = await import('../data/session.ts');
  session.setUser({ token: 't1', email: 'ann@example.com' });
  expect(session.storedToken()).toBe('t1');
  expect(session.rememberedEmail()).toBe('ann@example.com');
  session.clear();
  expect(session.storedToken()).toBeNull();
});

it('prefers the newer text where the browser keeps an older one and takes no more', () => {
  kept.set('token', 'old');
  vi.stubGlobal('localStorage', { ...usable, setItem: forbidden });
  browserStorage.setItem('token', 'new');
  expect(browserStorage.getItem('token')).toBe('new');
});
