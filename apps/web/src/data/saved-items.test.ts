import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { api } from './api.ts';
import { saveItemLater } from './saved-items.ts';
import { session } from './session.ts';

const user = { token: 'a', email: 'a@b.example', walletInfo: {} } as never;

beforeEach(() => {
  vi.useFakeTimers();
  session.store.setState({ user });
});
afterEach(() => {
  session.store.setState({ user: null });
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('sends only the newest text of a key, once it has rested', () => {
  const call = vi.spyOn(api, 'call').mockResolvedValue({});
  saveItemLater('chart', 'MintA', 'one line');
  saveItemLater('chart', 'MintA', 'two lines');
  saveItemLater('chart', 'MintB', 'others');
  expect(call).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(call.mock.calls.map(([, request]) => request)).toEqual([
    { kind: 'chart', key: 'MintA', value: 'two lines' },
    { kind: 'chart', key: 'MintB', value: 'others' },
  ]);
});

it('sends nothing of one user under the session of the next, and nothing of a visitor', () => {
  const call = vi.spyOn(api, 'call').mockResolvedValue({});
  saveItemLater('chart', 'MintA', 'mine');
  session.store.setState({ user: { ...(user as object), token: 'b' } as never });
  vi.advanceTimersByTime(1_000);
  session.store.setState({ user: null });
  saveItemLater('chart', 'MintA', 'a visitor’s');
  vi.advanceTimersByTime(1_000);
  expect(call).not.toHaveBeenCalled();
});
