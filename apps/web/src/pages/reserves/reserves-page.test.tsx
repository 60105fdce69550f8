// @vitest-environment happy-dom
import type { CallReply } from '@hunter/contract/calls';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { answering, show, tableRows } from '../../show-for-test.tsx';
import ReservesPage from './reserves-page.tsx';

const sol = { tokenContractAddress: null, tokenSymbol: 'SOL' };
const reserves: CallReply<'getReserves'> = {
  snapshot: {
    id: '00000000-0000-4000-8000-000000000001',
    time: 0,
    slot: '77',
    assets: [
      { ...sol, kind: 'personal', owed: '50', onChain: '50.5', unassigned: '0', root: null, sum: null, covered: true },
      {
        ...sol,
        kind: 'strategy',
        owed: '42',
        onChain: '40',
        unassigned: '1',
        root: 'the-root',
        sum: '42',
        covered: false,
      },
    ],
    inFlight: ['a', 'b'],
  },
};
const wallets: CallReply<'getReserveWallets'> = {
  lists: [
    { ...sol, address: 'Wallet1111111111111111111111111111111111111', kind: 'personal', owed: '50', onChain: '50.5' },
  ],
  nextCursor: null,
};

it('shows visitors what is owed and what is on chain, and says where it is not covered', async () => {
  await show(<ReservesPage />, { replies: { getReserves: reserves, getReserveWallets: wallets }, loggedIn: false });
  expect(await screen.findByText('Below what is owed')).toBeTruthy();
  expect(screen.getByText('Covered')).toBeTruthy();
  expect(screen.getByText('the-root')).toBeTruthy();
  expect(screen.getByText('Log in to find your own amounts in the tree.')).toBeTruthy();
  expect(await screen.findByTitle('Wallet1111111111111111111111111111111111111')).toBeTruthy();
});

it('says that there is no snapshot yet, in both languages', async () => {
  await show(<ReservesPage />, { replies: { getReserves: { snapshot: null } } });
  expect(await screen.findByText(/No snapshot yet/)).toBeTruthy();
  cleanup();
  await show(<ReservesPage />, { replies: { getReserves: { snapshot: null } }, language: 'zh' });
  expect(await screen.findByText(/暂无快照/)).toBeTruthy();
});

it('reaches every wallet, page by page', async () => {
  const page = (from: number, nextCursor: string | null): CallReply<'getReserveWallets'> => ({
    lists: Array.from({ length: 3 }, (_, index) => ({
      ...wallets.lists[0]!,
      address: `Wallet${from + index}`.padEnd(43, '1'),
    })),
    nextCursor,
  });
  await show(<ReservesPage />, { replies: { getReserves: reserves, getReserveWallets: page(1, 'second') } });
  for (const [from, cursor, next] of [
    [4, 'second', 'third'],
    [7, 'third', null],
  ] as const) {
    const more = await screen.findByRole('button', { name: 'Load more' });
    const answer = vi.fn(answering({ getReserves: reserves, getReserveWallets: page(from, next) }));
    vi.stubGlobal('fetch', answer);
    fireEvent.click(more);
    await screen.findByTitle(`Wallet${from + 2}`.padEnd(43, '1'));
    expect(answer.mock.calls[0]?.[0] as string).toContain(`cursor=${cursor}`);
  }
  expect(await tableRows('Wallets')).toHaveLength(9);
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
});
