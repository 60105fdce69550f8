// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { answering, show } from '../../show-for-test.tsx';
import { aTrade } from './a-trade-for-test.ts';
import { TradesTab } from './trades-tab.tsx';

const shown = vi.hoisted(() => ({ rows: [] as readonly { id: string }[], onEnd: (): void => {} }));
vi.mock('../../ui/virtual-table.tsx', () => ({
  VirtualTable: (props: typeof shown) => {
    Object.assign(shown, props);
    return null;
  },
}));

const page = (id: string, nextCursor: string | null) => ({ lists: [aTrade(id)], nextCursor });

it('goes on to older own trades at the end of the list, and stops at the first one', async () => {
  await show(<TradesTab address="A" whose="mine" height={400} />, {
    replies: { getTokenTransactionData: page('new', 'older') },
  });
  await expect.poll(() => shown.rows.map(({ id }) => id)).toEqual(['new']);
  vi.stubGlobal('fetch', vi.fn(answering({ getTokenTransactionData: page('old', null) })));
  act(() => shown.onEnd());
  await expect.poll(() => shown.rows.map(({ id }) => id)).toEqual(['new', 'old']);
  act(() => shown.onEnd());
  expect(vi.mocked(fetch).mock.calls.map(([url]) => (url as string).includes('cursor=older'))).toEqual([true]);
});
