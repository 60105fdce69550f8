// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { queryClient } from '../../data/query-client.ts';
import { answering, figure, show, tableRows, toneOfText } from '../../show-for-test.tsx';
import { toast } from '../../ui/toast-store.ts';
import CloseDialog from './close-dialog.tsx';
import HiddenTokens from './hidden-tokens.tsx';
import { PositionCard } from './position-card.tsx';
import type { Position } from './position.ts';
import { PositionsTable } from './positions-table.tsx';

const position: Position = {
  tokenContractAddress: 'A',
  tokenSymbol: 'ALPHA',
  tokenName: 'Alpha coin',
  tokenLogoUrl: '/a.svg',
  bookId: 'personal',
  bookKind: 'personal',
  bookName: '',
  openTime: 0,
  amount: '1000',
  boughtAmount: '1000',
  cost: '5',
  value: '4',
  valueUsd: '800',
  unrealizedProfit: '-1',
  unrealizedPercent: '-20',
};
const followed: Position = {
  ...position,
  bookId: 'follow',
  bookKind: 'follow',
  bookName: 'Beta',
  amount: '3000',
  boughtAmount: '3000',
  value: '7',
};
const ofWallet: Position = { ...followed, bookId: 'wallet', bookKind: 'wallet-follow', bookName: 'Whale' };
const created: Position = { ...followed, bookId: 'strategy', bookKind: 'strategy', bookName: 'Gamma' };
const sold = {
  id: 'o',
  status: 'confirmed' as const,
  txHash: null,
  tokenContractAddress: 'A',
  side: 'sell' as const,
  bookId: 'personal',
  bookKind: 'personal' as const,
  amountIn: '1000',
  amountOut: '9',
  price: null,
  fee: null,
  error: null,
  createdAt: 0,
};
const reply = (...lists: Position[]) => ({
  getMyPositions: { lists, total: lists.length, pageNo: 1, pageSize: 100 },
});

it('shows amount, cost, value and unrealized profit of each position', async () => {
  await show(<PositionsTable />, {
    replies: reply(position, { ...followed, cost: null, unrealizedProfit: null, unrealizedPercent: null }),
  });
  expect(await tableRows('My positions')).toMatchObject([
    {
      Account: 'Personal',
      'Position amount': '1.00K',
      'Position cost': '5.00 SOL',
      'Current value': '4.00 SOL$800.0000',
      'Unrealized profit': '-20.00%-1.00 SOL',
    },
    { Account: 'FollowBeta', 'Position cost': '-', 'Unrealized profit': '--' },
  ]);
  expect(toneOfText('-1.00 SOL')).toBe('down');
});

it('adds up the position of a token over all accounts', async () => {
  await show(<PositionCard address="A" symbol="ALPHA" onClosed={() => {}} />, {
    replies: reply(position, { ...followed, cost: '5', unrealizedProfit: '2' }),
  });
  expect((await screen.findByTestId('position-amount')).textContent).toBe('4.00K ALPHA');
  expect(figure('Cost')).toBe('10.00 SOL');
  expect(figure('Current value')).toBe('11.00 SOL');
  expect(screen.getByTestId('position-profit').textContent).toBe('+1.00 SOL · +10.00%');
  expect(toneOfText('+1.00 SOL')).toBe('up');
  expect(screen.getByText('In 2 accounts')).toBeTruthy();
});

it('names every account that sells, and cannot be confirmed before the list is there', async () => {
  await show(<CloseDialog address="A" symbol="ALPHA" onClose={() => {}} />);
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Sell all ALPHA' })).disabled).toBe(true);
});

it('sells from all accounts, or from the one that was chosen', async () => {
  await show(<CloseDialog address="A" symbol="ALPHA" onClose={() => {}} />, {
    replies: { ...reply(position, followed, ofWallet, created), tokenClose: { lists: [sold] } },
  });
  const rows = await screen.findAllByTestId('closing-book');
  expect(rows.map((row) => row.textContent)).toEqual([
    'Personal1.00K ALPHA≈ 4.00 SOL',
    'Betafollow; the SOL stays in it3.00K ALPHA≈ 7.00 SOL',
    'Whalefollow; the SOL stays in it3.00K ALPHA≈ 7.00 SOL',
    'Gammayour strategy; its followers sell too3.00K ALPHA≈ 7.00 SOL',
  ]);
  fireEvent.change(screen.getByRole('combobox'), { target: { value: 'follow' } });
  await waitFor(() => expect(screen.getAllByTestId('closing-book')).toHaveLength(1));
  fireEvent.click(screen.getByRole('button', { name: 'Sell all ALPHA' }));
  await waitFor(() => {
    const sent = vi.mocked(fetch).mock.calls.find(([url]) => (url as string).includes('tokenClose'));
    expect(JSON.parse(sent?.[1]?.body as string)).toMatchObject({ tokenContractAddress: 'A', bookId: 'follow' });
  });
});

it('quotes what all accounts sell as one sale, with its price impact and the least it brings', async () => {
  const quote = {
    side: 'sell' as const,
    amountIn: '4000',
    expectedOut: '9',
    minimumOut: '8.91',
    price: '0.00225',
    priceUsd: '0.45',
    priceImpact: '7.2',
    impactLevel: 'warn' as const,
    slippageBps: 100,
    fees: { network: '0.0001', venue: '0.09', rent: '0', rentIsMaximum: false, total: '0.0901' },
    expiresAt: 0,
  };
  await show(<CloseDialog address="A" symbol="ALPHA" onClose={() => {}} />, {
    replies: { ...reply(position, { ...followed, cost: '5' }), quote },
  });
  await expect.poll(() => figure('Price impact')).toBe('7.20%');
  const asked = vi.mocked(fetch).mock.calls.find(([url]) => (url as string).includes('quote'));
  expect(JSON.parse(asked?.[1]?.body as string)).toMatchObject({ side: 'sell', amount: '4000' });
  expect(figure('Est. received')).toBe('9.00 SOL');
  expect(figure('Minimum received')).toBe('8.91 SOL');
  expect(figure('Est. profit')).toBe('-1.00 SOL · -10.00%');
  expect(screen.getByRole('alert').textContent).toContain('you get 7.20% less than at the current price');
});

it('quotes a sale from all accounts with the followers of the own strategy, who sell into the same pool', async () => {
  await show(<CloseDialog address="A" symbol="ALPHA" onClose={() => {}} />, { replies: reply(position, created) });
  await screen.findAllByTestId('closing-book');
  const asked = () => vi.mocked(fetch).mock.calls.find(([url]) => (url as string).includes('quote'));
  await expect.poll(asked).toBeDefined();
  expect(JSON.parse(asked()?.[1]?.body as string)).toMatchObject({ amount: '4000', bookId: 'strategy' });
});

it.each([
  ['1000', 'Received 9.00 SOL for what cost 5.00 SOL'],
  ['400', 'Received 9.00 SOL'],
])('tells what was paid for what was sold only where all of it was bought (%s of 1000)', async (boughtAmount, text) => {
  await show(<CloseDialog address="A" symbol="ALPHA" onClose={() => {}} />, {
    replies: { ...reply({ ...position, boughtAmount }), tokenClose: { lists: [sold] } },
  });
  await screen.findByTestId('closing-book');
  fireEvent.click(screen.getByRole('button', { name: 'Sell all ALPHA' }));
  const told = () => toast.store.getState().toasts.map((each) => each.text.replaceAll('\u00A0', ' '));
  await expect.poll(told).toContain(text);
});

it('says that nothing is left where the chosen account sold elsewhere meanwhile, and takes no other in its place', async () => {
  await show(<CloseDialog address="A" symbol="ALPHA" onClose={() => {}} />, { replies: reply(position, followed) });
  fireEvent.change(await screen.findByRole('combobox'), { target: { value: 'follow' } });
  vi.stubGlobal('fetch', vi.fn(answering(reply(position))));
  await queryClient.invalidateQueries();
  expect(await screen.findByText(/Nothing left to sell/)).toBeTruthy();
  expect(screen.queryAllByTestId('closing-book')).toEqual([]);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Sell all ALPHA' }).disabled).toBe(true);
  fireEvent.change(screen.getByRole('combobox'), { target: { value: 'all' } });
  expect((await screen.findByTestId('closing-book')).textContent).toBe('Personal1.00K ALPHA≈ 4.00 SOL');
});

it('hides a token that came from outside, and lists what is hidden and what strangers handed over', async () => {
  const spam = { ...position, tokenContractAddress: 'S', tokenSymbol: 'SPAM', cost: null };
  const foreign = {
    address: 'F'.repeat(44),
    tokenContractAddress: 'S',
    tokenSymbol: 'SPAM',
    tokenName: 'Spam',
    tokenLogoUrl: '/s.svg',
    amount: '9',
  };
  const hides = () =>
    vi
      .mocked(fetch)
      .mock.calls.filter(([url]) => (url as string).includes('hideToken'))
      .map(([, options]) => JSON.parse(options?.body as string) as unknown);
  await show(<PositionsTable />, {
    replies: { ...reply(position, spam), hideToken: {}, getMyForeignAccounts: { lists: [foreign] } },
  });
  expect(screen.queryByRole('button', { name: 'Hide ALPHA' })).toBeNull();
  fireEvent.click(await screen.findByRole('button', { name: 'Hide SPAM' }));
  await waitFor(() => expect(hides()).toMatchObject([{ tokenContractAddress: 'S', hidden: true }]));
  fireEvent.click(screen.getByRole('button', { name: 'Hidden tokens and foreign accounts' }));
  expect(await screen.findByText(/Not counted/)).toBeTruthy();
  fireEvent.click((await screen.findAllByRole('button', { name: 'Show SPAM' }))[0]!);
  await waitFor(() => expect(hides()[1]).toMatchObject({ tokenContractAddress: 'S', hidden: false }));
});

it('says that hidden tokens could not be loaded', async () => {
  await show(<HiddenTokens />, { failing: ['getMyPositions'] });
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
});

it('keeps the focus in the card of a position that was closed', async () => {
  await show(<PositionCard address="A" symbol="ALPHA" onClosed={() => {}} />, { replies: reply(position) });
  (await screen.findByTestId('close-position')).focus();
  vi.stubGlobal('fetch', vi.fn(answering(reply())));
  await queryClient.invalidateQueries();
  await expect.poll(() => document.activeElement).toBe(screen.getByTestId('position-card'));
});
