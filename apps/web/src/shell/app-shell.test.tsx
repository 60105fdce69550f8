// @vitest-environment happy-dom
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { session } from '../data/session.ts';
import { useApiQuery } from '../data/use-api-query.ts';
import { answering, show } from '../show-for-test.tsx';
import { AppShell } from './app-shell.tsx';

const channels = (chat: string) => ({ push: { publicKey: '', devices: [] }, telegram: { configured: true, chat } });

function Chat() {
  return <p>{useApiQuery('getMyAlertChannels', {}, { quiet: true }).data?.telegram.chat ?? 'none'}</p>;
}

/** A page of the app that shows something of the user. */
async function showPage(requiresAuth: boolean): Promise<void> {
  await show(null);
  vi.stubGlobal('fetch', vi.fn(answering({ getMyAlertChannels: channels('ann') })));
  const rootRoute = createRootRoute({ component: AppShell });
  const page = createRoute({
    getParentRoute: () => rootRoute,
    path: '/',
    component: Chat,
    staticData: { meta: { title: 'shell.titles.token', requiresAuth, hideInMenu: true } },
  });
  const router = createRouter({
    routeTree: rootRoute.addChildren([page]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  await router.load();
  render(<RouterProvider router={router as never} />);
  expect(await screen.findByText('ann')).toBeTruthy();
}
const askedForChannels = () =>
  vi.mocked(fetch).mock.calls.filter(([url]) => (url as string).includes('getMyAlertChannels')).length;

it('takes what one user has read off the screen when another one logs in', async () => {
  await showPage(false);
  vi.stubGlobal('fetch', vi.fn(answering({ getMyAlertChannels: channels('bob') })));
  act(() => session.setUser({ token: 'other', email: 'bob@example.com' }));
  expect(screen.queryByText('ann')).toBeNull();
  expect(await screen.findByText('bob')).toBeTruthy();
});

it('asks the server for nothing more of a page that needs a session once that has ended', async () => {
  await showPage(true);
  const before = askedForChannels();
  act(() => session.clear());
  expect(screen.queryByText('ann')).toBeNull();
  expect(askedForChannels()).toBe(before);
});
