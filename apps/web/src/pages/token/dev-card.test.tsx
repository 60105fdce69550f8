// @vitest-environment happy-dom
import type { CallReply } from '@hunter/contract/calls';
import { screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { answering, show } from '../../show-for-test.tsx';
import { DevCard } from './dev-card.tsx';

const figures = {
  realizedProfit: '0',
  closedTrades: 0,
  wonTrades: 0,
  winRate: null,
  volume: '0',
  trades: 0,
  tokens: 0,
};
const walletWith = (marketCap: string): CallReply<'getWallet'> => ({
  address: 'Dev',
  firstSeen: null,
  lastTrade: null,
  periods: { '7d': figures, '30d': figures, all: figures },
  labels: {
    strategy: null,
    pool: null,
    smartMoney: false,
    launched: {
      lists: [
        {
          tokenContractAddress: 'B',
          tokenSymbol: 'BETA',
          tokenLogoUrl: '/b.svg',
          marketCap,
          sinceLaunch: '-60',
          createdAt: 0,
        },
      ],
      total: 2,
    },
  },
  trackedAs: null,
});

afterEach(() => {
  vi.useRealTimers();
});

it('goes on reading the market caps that it says are of now', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await show(<DevCard creator="Dev" current="A" />, { replies: { getWallet: walletWith('5000') } });
  expect(await screen.findByText('$5.00K')).toBeTruthy();
  vi.stubGlobal('fetch', vi.fn(answering({ getWallet: walletWith('1000') })));
  vi.advanceTimersByTime(60_000);
  await expect.poll(() => screen.queryByText('$1.00K')).not.toBeNull();
});
