import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadPatiently } from './load-patiently.ts';

const failure = new TypeError('Failed to fetch dynamically imported module');

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('asks again for what did not come', async () => {
  vi.stubGlobal('navigator', { onLine: true });
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(failure).mockResolvedValue('dialog');
  const loaded = loadPatiently(load);
  await vi.runAllTimersAsync();
  expect(await loaded).toBe('dialog');
  expect(load).toHaveBeenCalledTimes(2);
});

it('gives up on what a connection does not bring', async () => {
  vi.stubGlobal('navigator', { onLine: true });
  const load = vi.fn<() => Promise<string>>().mockRejectedValue(failure);
  const refused = expect(loadPatiently(load)).rejects.toBe(failure);
  await vi.runAllTimersAsync();
  await refused;
  expect(load).toHaveBeenCalledTimes(5);
});

it('waits for as long as the browser is offline', async () => {
  const network = { onLine: false };
  vi.stubGlobal('navigator', network);
  const load = vi.fn<() => Promise<string>>().mockRejectedValue(failure);
  const loaded = loadPatiently(load);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(load.mock.calls.length).toBeGreaterThan(20);
  network.onLine = true;
  load.mockResolvedValue('dialog');
  await vi.runAllTimersAsync();
  expect(await loaded).toBe('dialog');
});
