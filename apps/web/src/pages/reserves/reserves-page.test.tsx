// @vitest-environment happy-dom
import type { CallReply } from '@hunter/contract/calls';
import { base64url, hashBytes, joined, numberBytes, uuidBytes } from '@hunter/verify/bytes';
import { sha256 } from '@hunter/verify/sha256';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { queryClient } from '../../data/query-client.ts';
import { answering, show, tableRows } from '../../show-for-test.tsx';
import ReservesPage from './reserves-page.tsx';

const sol = { tokenContractAddress: null, tokenSymbol: 'SOL' };
const reserves: CallReply<'getReserves'> = {
  snapshot: {
    id: '00000000-0000-4000-8000-000000000001',
    time: 0,
    slot: '77',
    assets: [
      {
        ...sol,
        kind: 'personal',
        owed: '50',
        onChain: '49.5',
        inTransit: '0.5',
        unassigned: '0',
        root: null,
        sum: null,
        covered: true,
      },
      {
        ...sol,
        kind: 'strategy',
        owed: '42',
        onChain: '40',
        inTransit: '0',
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
  expect(screen.getByText('Covered').textContent).toBe('Covered0.5 in transit');
  expect(screen.getAllByText(/in transit$/)).toHaveLength(1);
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

const bookId = '00000000-0000-4000-8000-00000000000b';
const salt = base64url(new Uint8Array(32).fill(7));
const newer = '00000000-0000-4000-8000-000000000002';

/** The root of a tree of one leaf is that leaf. */
function rootWith(amount: bigint, snapshotId: string): string {
  const tag = new TextEncoder().encode('hunter-reserve-1');
  const head = joined(numberBytes(0n, 1), tag, uuidBytes(snapshotId), new Uint8Array(32), uuidBytes(bookId));
  return base64url(sha256(joined(head, hashBytes(salt), numberBytes(amount, 8))));
}

const snapshotWith = (root: string, sum: string, id = reserves.snapshot!.id): CallReply<'getReserves'> => {
  const [personal, strategy] = reserves.snapshot!.assets;
  return { snapshot: { ...reserves.snapshot!, id, assets: [personal!, { ...strategy!, root, sum }] } };
};
const proofOf = (
  amount: bigint,
  snapshotId = reserves.snapshot!.id,
  shownAmount = '0.00000004',
): CallReply<'getMyReserveProofs'> => {
  const own = { snapshotId, bookId, bookName: 'Alpha', salt, index: 0, path: [] };
  const [text, root] = [amount.toString(), rootWith(amount, snapshotId)];
  return { lists: [{ ...sol, ...own, amount: text, shownAmount, root, sum: text }] };
};
const check = async () => (await tableRows('Your sub-accounts'))[0]!['Check'];

it('finds an own amount in the tree that is published for everybody', async () => {
  const getReserves = snapshotWith(rootWith(40n, reserves.snapshot!.id), '40');
  await show(<ReservesPage />, { replies: { getReserves, getMyReserveProofs: proofOf(40n) } });
  expect(await check()).toBe('Found in the tree');
});

it('does not take the root that comes with an own amount for the published one', async () => {
  const getReserves = snapshotWith(rootWith(41n, reserves.snapshot!.id), '41');
  await show(<ReservesPage />, { replies: { getReserves, getMyReserveProofs: proofOf(40n) } });
  expect(await check()).toBe('Not in the published tree');
});

it('finds no other amount than the one it shows', async () => {
  const getReserves = snapshotWith(rootWith(40n, reserves.snapshot!.id), '40');
  const [own] = proofOf(40n).lists;
  const more = { lists: [{ ...own!, shownAmount: '4' }] };
  await show(<ReservesPage />, { replies: { getReserves, getMyReserveProofs: more } });
  expect(await check()).toBe('Not in the published tree');
});

it('asks again where a snapshot was taken between both answers', async () => {
  const getReserves = snapshotWith(rootWith(40n, reserves.snapshot!.id), '40');
  await show(<ReservesPage />, { replies: { getReserves, getMyReserveProofs: proofOf(40n) } });
  expect(await check()).toBe('Found in the tree');
  const next = vi.fn(
    answering({
      getReserves: snapshotWith(rootWith(41n, newer), '41', newer),
      getMyReserveProofs: proofOf(41n, newer, '0.000000041'),
    }),
  );
  vi.stubGlobal('fetch', next);
  await queryClient.invalidateQueries({ queryKey: ['getMyReserveProofs'] });
  expect(await screen.findByText('0.000000041')).toBeTruthy();
  expect(await check()).toBe('Found in the tree');
});
