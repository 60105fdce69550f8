// @vitest-environment happy-dom
import type { CallReply } from '@hunter/contract/calls';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { answering, figure, show, tableRows, toneOfText } from '../../show-for-test.tsx';
import { TrackedList } from '../../features/tracked-wallets/tracked-list.tsx';
import { Traders } from '../traders/traders-page.tsx';
import { WalletView } from './wallet-page.tsx';

const ADDRESS = '8VjC7NgBdeSJyKBPNofLLikB2w2SUkgzn2fBWqKq8jQx';
const OTHER = 'BVWmHPYoepGjtKfu8M9VqZbCoePTNgJSJ1sCb41jLCGz';
const token = { tokenContractAddress: 'M', tokenSymbol: 'FROG', tokenLogoUrl: '/f.svg' };
const week = {
  realizedProfit: '-1.5',
  closedTrades: 8,
  wonTrades: 3,
  winRate: '37.5',
  volume: '20',
  trades: 40,
  tokens: 6,
};
const nothing = { ...week, realizedProfit: '0', closedTrades: 0, wonTrades: 0, winRate: null };
const wallet: CallReply<'getWallet'> = {
  address: ADDRESS,
  firstSeen: 0,
  lastTrade: null,
  periods: { '7d': week, '30d': { ...week, realizedProfit: '12.25' }, all: nothing },
  labels: {
    strategy: { name: 'Alpha', slug: 'alpha' },
    pool: null,
    smartMoney: false,
    launched: { total: 1, lists: [{ ...token, createdAt: 0, marketCap: null, sinceLaunch: null }] },
  },
  trackedAs: 'Whale',
};
const replies = {
  getWallet: wallet,
  getWalletHoldings: {
    lists: [
      {
        ...token,
        amount: '1500',
        price: '0.01',
        valueSol: '3',
        valueUsd: '450',
        cost: '2',
        unrealizedProfit: '1',
        unrealizedRate: '50',
        realizedProfit: '-0.25',
      },
      {
        ...token,
        tokenContractAddress: 'N',
        tokenSymbol: 'GIFT',
        amount: '7',
        price: null,
        valueSol: null,
        valueUsd: null,
        cost: null,
        unrealizedProfit: null,
        unrealizedRate: null,
        realizedProfit: '0',
      },
    ],
    total: 2,
    unsoldAtLoss: 0,
    totalValueSol: '3',
    totalValueUsd: '450',
  },
  getWalletTrades: {
    lists: [
      {
        ...token,
        id: '1-1',
        time: 0,
        side: 'sell' as const,
        price: '0.01',
        tokenAmount: '100',
        solAmount: '0.5',
        valueUsd: '75',
        txHash: 'S'.repeat(80),
      },
    ],
    nextCursor: null,
  },
};

describe('a wallet’s page', () => {
  it('shows profit, win rate with its sample and labels, for the period that is chosen', async () => {
    await show(<WalletView address={ADDRESS} />, { replies });
    await screen.findByText('-1.50 SOL');
    expect(screen.getByRole('heading', { name: 'Whale' })).toBeTruthy();
    const figures = screen.getByRole('region', { name: 'Figures of the wallet' });
    expect(toneOfText('-1.50 SOL', figures)).toBe('down');
    expect(figure('Win rate', figures)).toBe('37.50%3 of 8 closed');
    expect(figure('Holdings', figures)).toBe('3.00 SOL');
    expect(screen.getByRole('link', { name: 'Strategy: Alpha' }).getAttribute('href')).toBe('/strategies/alpha');
    expect(screen.getByText('Dev of 1 token')).toBeTruthy();
    expect(screen.queryByText('Smart money')).toBeNull();

    fireEvent.click(within(figures).getByRole('radio', { name: '30 days' }));
    expect(toneOfText('+12.25 SOL', figures)).toBe('up');
    fireEvent.click(within(figures).getByRole('radio', { name: 'All' }));
    expect(figure('Win rate', figures)).toBe('-no closed trade');
  });

  it('says beside the win rate how many trades are unsold at a loss', async () => {
    const getWalletHoldings = { ...replies.getWalletHoldings, unsoldAtLoss: 15 };
    await show(<WalletView address={ADDRESS} />, { replies: { ...replies, getWalletHoldings } });
    await screen.findByText('15 unsold at a loss');
    const figures = screen.getByRole('region', { name: 'Figures of the wallet' });
    expect(figure('Win rate', figures)).toBe('37.50%3 of 8 closed15 unsold at a loss');
  });

  it('shows what the wallet holds, and a dash for what is not known', async () => {
    await show(<WalletView address={ADDRESS} />, { replies });
    const [frog, gift] = await tableRows('Holdings');
    expect(frog).toMatchObject({
      Token: 'FROG',
      'Current value': '3.00 SOL$450.0000',
      Cost: '2.00 SOL',
      Unrealized: '+50.00%+1.00 SOL',
      Realized: '-0.2500 SOL',
    });
    expect(gift).toMatchObject({ Token: 'GIFT', 'Current value': '--', Cost: '-', Unrealized: '--' });
  });

  it('shows a dash, and does not load for ever, where the holdings did not come', async () => {
    await show(<WalletView address={ADDRESS} />, { replies, failing: ['getWalletHoldings'] });
    await screen.findByText('-1.50 SOL');
    const figures = screen.getByRole('region', { name: 'Figures of the wallet' });
    await expect.poll(() => figure('Holdings', figures)).toBe('-');
    expect(figure('Win rate', figures)).toBe('37.50%3 of 8 closed- unsold at a loss: the holdings could not be read');
  });

  it('reads what the wallet has as often as what it did, whichever tab is open', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const chain = (sol: string): CallReply<'getChainAddress'> => ({
      address: ADDRESS,
      kind: 'wallet',
      sol,
      program: null,
      programName: null,
      tokenAccount: null,
      mint: null,
      poolOf: null,
      tokens: [],
    });
    await show(<WalletView address={ADDRESS} />, { replies: { ...replies, getChainAddress: chain('13.08') } });
    const figures = await screen.findByRole('region', { name: 'Figures of the wallet' });
    await expect.poll(() => figure('SOL balance', figures)).toBe('13.08 SOL');
    fireEvent.click(screen.getByRole('tab', { name: 'Trades' }));
    const getWalletHoldings = { ...replies.getWalletHoldings, totalValueSol: '5' };
    vi.stubGlobal('fetch', answering({ ...replies, getWalletHoldings, getChainAddress: chain('11.08') }));
    await act(() => vi.advanceTimersByTimeAsync(15_000));
    vi.useRealTimers();
    await expect
      .poll(() => [figure('SOL balance', figures), figure('Holdings', figures)])
      .toEqual(['11.08 SOL', '5.00 SOL']);
  });

  it('shows its trades with side and transaction', async () => {
    await show(<WalletView address={ADDRESS} />, { replies, language: 'zh' });
    fireEvent.click(await screen.findByRole('tab', { name: '交易' }));
    const [trade] = await tableRows('交易');
    expect(trade).toMatchObject({ 代币: 'FROG', 方向: '卖出', SOL: '0.5000 SOL', 交易哈希: 'SSSS…SSSS' });
    expect(toneOfText('卖出')).toBe('down');
  });
});

it('lists traders with a win rate that never stands without its sample', async () => {
  const lists = [
    { ...week, address: ADDRESS, realizedProfit: '9', strategy: { name: 'Alpha', slug: 'alpha' } },
    { ...nothing, address: OTHER, strategy: null },
  ];
  const tracked = { max: 100, lists: [{ address: OTHER, name: 'Shark', createdAt: 0, lastTrade: null, week }] };
  await show(<Traders period="7d" sort="profit" onChange={() => {}} />, {
    replies: { getTraders: { lists, time: 0 }, getMyTrackedWallets: tracked },
  });
  await screen.findByText('Shark');
  const rows = await tableRows('Traders');
  expect(rows[0]).toMatchObject({
    Wallet: '8VjC…8jQxAlpha',
    'Realized profit': '+9.00 SOL',
    'Win rate': '37.50%3 of 8 closed',
    Volume: '20.00 SOL',
    Tokens: '6',
  });
  expect(rows[1]).toMatchObject({ Wallet: 'Shark', 'Win rate': '-no closed trade' });
  expect(screen.getByRole('button', { name: 'Follow the wallet Shark' })).toBeTruthy();
  // The wallet of a strategy is followed where everybody fills in one swap.
  expect(screen.getByRole('link', { name: 'Strategy' }).getAttribute('href')).toBe('/strategies/alpha');
  expect(screen.queryByRole('button', { name: 'Follow the wallet 8VjC…8jQx' })).toBeNull();
});

it('lists traders to visitors without a way to follow that needs an account', async () => {
  const lists = [{ address: OTHER, ...nothing, strategy: null }];
  await show(<Traders period="7d" sort="profit" onChange={() => {}} />, {
    replies: { getTraders: { lists, time: 0 } },
    loggedIn: false,
  });
  const [row] = await tableRows('Traders');
  expect(Object.keys(row!)).not.toContain('Follow');
});

it('lists tracked wallets by the names that the user gave them', async () => {
  const lists = [{ address: ADDRESS, name: 'Whale', createdAt: 0, lastTrade: null, week }];
  await show(<TrackedList />, { replies: { getMyTrackedWallets: { max: 100, lists } } });
  const [row] = await tableRows('Tracked wallets');
  expect(row).toMatchObject({ Name: 'Whale', 'Realized profit, 7 days': '-1.50 SOL', 'Last trade': '-' });
  expect(screen.getByText('1 of 100')).toBeTruthy();
});
