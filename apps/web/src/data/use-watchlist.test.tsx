// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { answering, show } from '../show-for-test.tsx';
import { useApiQuery } from './use-api-query.ts';
import { useWatchlist } from './use-watchlist.ts';

function Stars() {
  const { watched, watch } = useWatchlist();
  return ['A', 'B', 'C'].map((address) => (
    <button
      key={address}
      type="button"
      aria-pressed={watched.has(address)}
      onClick={() => watch(address, !watched.has(address))}
    >
      {address}
    </button>
  ));
}
const isOn = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-pressed') === 'true';

it('takes back each star that the server refuses, however many were pressed meanwhile', async () => {
  await show(<Stars />, { replies: { getMyWatchlist: { lists: ['C'] } } });
  await expect.poll(() => isOn('C')).toBe(true);
  let answer: () => void = () => {};
  const pressed = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const refuse = answering({}, ['watchToken']);
  vi.stubGlobal('fetch', (async (url, init) => {
    await pressed;
    return refuse(url, init);
  }) satisfies typeof fetch);
  fireEvent.click(screen.getByRole('button', { name: 'A' }));
  await expect.poll(() => isOn('A')).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'B' }));
  await expect.poll(() => isOn('B')).toBe(true);
  answer();
  await expect.poll(() => [isOn('A'), isOn('B'), isOn('C')]).toEqual([false, false, true]);
});

it('has the first steps read again once a token is watched', async () => {
  const steps = { deposited: true, bought: false, protected: false, followed: false, recorded: false, left: false };
  const replies = { getMyWatchlist: { lists: [] }, watchToken: { lists: ['A'] } };
  function Found() {
    const { watch } = useWatchlist();
    const { data } = useApiQuery('getMyFirstSteps', {});
    return <button type="button" onClick={() => watch('A', true)}>{`found: ${data?.found}`}</button>;
  }
  await show(<Found />, { replies: { ...replies, getMyFirstSteps: { ...steps, found: false } } });
  const button = await screen.findByRole('button', { name: 'found: false' });
  vi.stubGlobal('fetch', answering({ ...replies, getMyFirstSteps: { ...steps, found: true } }));
  fireEvent.click(button);
  await expect.poll(() => button.textContent).toBe('found: true');
});
