// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { queryClient } from '../../data/query-client.ts';
import { apiKey, useApiQuery } from '../../data/use-api-query.ts';
import { show } from '../../show-for-test.tsx';
import ConnectionBar from './connection-bar.tsx';

const rows = ['A'];
const answer = () => Promise.resolve(Response.json({ code: 200, msg: '', data: { lists: rows } }));
const refuse = () => Promise.resolve(Response.json({ code: 5000, msg: 'no', data: null }, { status: 500 }));

function Watched() {
  const { data, isError } = useApiQuery('getMyWatchlist', {}, { quiet: true });
  return <p>{isError && !data ? 'failed' : (data?.lists.join() ?? 'loading')}</p>;
}

async function showPage(): Promise<void> {
  await show(
    <>
      <ConnectionBar />
      <Watched />
    </>,
  );
}

it('reads again what failed while there was no connection', async () => {
  await showPage();
  vi.stubGlobal('fetch', refuse);
  await act(() => queryClient.resetQueries());
  expect(await screen.findByText('failed')).toBeTruthy();
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void dispatchEvent(new Event('offline')));
  expect(screen.getByRole('status').textContent).toContain('You are offline');
  vi.stubGlobal('fetch', answer);
  online.mockReturnValue(true);
  act(() => void dispatchEvent(new Event('online')));
  expect(await screen.findByText('A')).toBeTruthy();
  expect(screen.queryByRole('status')).toBeNull();
  online.mockRestore();
});

it('says that figures are old once they could not be read for a while', async () => {
  await showPage();
  vi.stubGlobal('fetch', answer);
  await act(() => queryClient.resetQueries());
  vi.stubGlobal('fetch', refuse);
  await act(() => queryClient.refetchQueries());
  expect(screen.queryByRole('status')).toBeNull();
  await act(async () => {
    queryClient.setQueryData(apiKey('getMyWatchlist', {}), { lists: rows }, { updatedAt: Date.now() - 60_000 });
    await queryClient.refetchQueries();
  });
  expect(screen.getByText('A')).toBeTruthy();
  expect(screen.getByRole('status').textContent).toBe('Couldn’t refresh. Data may be out of date.');
});
