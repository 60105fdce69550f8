// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';

it('goes back to the page once when it was reloaded with a dialog open, whatever the router writes meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  history.pushState({ key: 'list' }, '', '/list');
  history.pushState({ key: 'token' }, '', '/token');
  history.pushState({ key: 'token', dialogOver: 'token' }, '', '/token');
  // The browser needs its time to go back.
  const go = vi.spyOn(history, 'go').mockImplementation(() => {});
  const back = vi.spyOn(history, 'back').mockImplementation(() => {});
  await import('./close-on-back.ts');
  history.replaceState({ key: 'token' }, '', '/token?tab=trades');
  vi.runAllTimers();
  expect([back.mock.calls.length, go.mock.calls.length]).toEqual([1, 0]);
  vi.restoreAllMocks();
  history.back();
  await expect.poll(() => history.state as unknown).toEqual({ key: 'token' });
  expect(location.href).toMatch(/\/token\?tab=trades$/);
  vi.useRealTimers();
});
