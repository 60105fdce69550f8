// Renders components as a page would, with the API's replies given by the test. A reply that the contract does not know
// fails the test.
import { calls } from '@hunter/contract/calls';
import type { CallName, CallReply } from '@hunter/contract/calls';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { cleanup, configure, render, screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, vi } from 'vitest';
import { queryClient } from './data/query-client.ts';
import { session } from './data/session.ts';
import { loadAreas, setLanguage } from './i18n/i18n.ts';
import { FIRST_AREAS } from './page-table.ts';

export type Replies = { [Name in CallName]?: CallReply<Name> };
type Options = {
  language?: 'en' | 'zh';
  replies?: Replies;
  /** Calls that the server answers with an error of its own. */
  failing?: readonly CallName[];
  loggedIn?: boolean;
};

/** Connects to nothing: live values are not what these tests are about. */
class SilentSocket {
  onopen = null;
  onmessage = null;
  onclose = null;
  send(): void {}
  close(): void {}
}

// The default is a second, which a machine with other work may need for rendering alone.
configure({ asyncUtilTimeout: 30_000 });

afterEach(() => {
  cleanup();
  queryClient.clear();
  session.clear();
  vi.unstubAllGlobals();
});

export async function show(
  element: ReactNode,
  { language = 'en', replies = {}, failing = [], loggedIn = true }: Options = {},
): Promise<void> {
  vi.stubGlobal('WebSocket', SilentSocket);
  vi.stubGlobal('fetch', vi.fn(answering(replies, failing)));
  await loadAreas([
    ...FIRST_AREAS,
    'account',
    'alerts',
    'auth',
    'newWallet',
    'mailed',
    'create',
    'reserves',
    'search',
    'discover',
    'notices',
    'strategies',
    'strategy',
    'token',
    'trade',
    'triggers',
    'walletFollow',
    'wallet',
    'chain',
    'share',
    'help',
  ]);
  await setLanguage(language);
  if (loggedIn) session.setUser({ token: 'test', email: 'ann@example.com' });
  const router = createRouter({
    routeTree: createRootRoute({ component: () => element }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  await router.load();
  render(<RouterProvider router={router as never} />);
}

/** Answers calls as the API would. */
export function answering(replies: Replies, failing: readonly CallName[] = []): typeof fetch {
  return (input) => {
    const path = new URL(input as string, 'http://hunter.test').pathname;
    const found = Object.entries(calls).find(([, call]) => call.path === path);
    if (found && failing.includes(found[0] as CallName)) {
      return Promise.resolve(Response.json({ code: 500, msg: '', data: null }));
    }
    const reply = found && replies[found[0] as CallName];
    // A call without a reply stays open, as on a slow connection.
    if (!found || reply === undefined) return new Promise(() => {});
    const data: unknown = found[1].reply.parse(reply);
    return Promise.resolve(Response.json({ code: 200, msg: '', data }));
  };
}

/** The text of every cell by its column's name, row by row; waits for the first row. */
export async function tableRows(name: string): Promise<Record<string, string>[]> {
  const table = await screen.findByRole('table', { name });
  const headers = within(table)
    .getAllByRole('columnheader')
    .map((each) => each.textContent);
  await within(table).findAllByRole('cell');
  const body = within(table)
    .getAllByRole('row')
    .filter((row) => within(row).queryAllByRole('cell').length > 0);
  return body.map((row) =>
    Object.fromEntries(
      within(row)
        .getAllByRole('cell')
        .map((cell, index) => [headers[index] ?? '', cell.textContent]),
    ),
  );
}

/** What stands beside or below a label in a list of figures. */
export function figure(label: string, within_: HTMLElement = document.body): string {
  const found = within(within_)
    .getAllByText(label)
    .find((each) => each.nextElementSibling !== null || each.parentElement?.nextElementSibling !== null);
  const beside = found?.nextElementSibling ?? found?.parentElement?.nextElementSibling;
  return beside?.textContent ?? '';
}

/** Whether the element that shows exactly this text is coloured as a gain, a loss or neither. */
export function toneOfText(text: string, within_: HTMLElement = document.body): 'up' | 'down' | null {
  const [found] = within(within_).getAllByText(text);
  const up = found?.closest('.text-up');
  const down = found?.closest('.text-down');
  return up ? 'up' : down ? 'down' : null;
}
