// @vitest-environment happy-dom
import type { CallReply } from '@hunter/contract/calls';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { PaperTable } from '../../features/follow/paper-table.tsx';
import { figure, show, tableRows } from '../../show-for-test.tsx';
import { SimulatorCard } from './simulator-card.tsx';

const simulation: CallReply<'simulateFollow'> = {
  slug: 'alpha',
  mode: 'sol',
  amount: '1',
  since: 1_000,
  until: 9_000,
  equity: '0.62',
  pnl: '-0.38',
  changeRate: '-38',
  strategyChangeRate: '-12.5',
  maxDrawdown: '41.5',
  networkFees: '0.0002',
  endedBy: 'stop-loss',
  endedAt: 5_000,
  copied: 7,
  limited: 2,
  skipped: 3,
  reasons: [
    { reason: 'pool-too-young', count: 3 },
    { reason: 'coin-cap', count: 2 },
  ],
  lists: [
    { t: 1_000, changeRate: '0' },
    { t: 9_000, changeRate: '-38' },
  ],
  strategy: [
    { t: 1_000, changeRate: '0' },
    { t: 9_000, changeRate: '-12.5' },
  ],
};

it('shows what a follow would be worth beside the strategy, its copies and why some were smaller or skipped', async () => {
  await show(<SimulatorCard slug="alpha" publishTime={0} isRunning />, { replies: { simulateFollow: simulation } });
  fireEvent.click(screen.getByRole('button', { name: 'Simulate' }));
  const figures = await screen.findByTestId('simulation');
  expect(figure('It would be worth', figures)).toBe('0.6200 SOL -38.00%');
  expect(figure('Strategy, same time', figures)).toBe('-12.50%');
  expect(figure('Max drawdown', figures)).toBe('-41.50%');
  expect(figure('Copies', figures)).toBe('7 filled, 2 of them smaller, 3 skipped');
  expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
    'Pool younger than 1 hour3',
    expect.stringMatching(/2$/),
  ]);
  expect(screen.getByText(/^Stop loss reached on /)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Follow on paper' })).toBeTruthy();
});

it('simulates nothing while a protection is wrong, and shows what it had as old', async () => {
  await show(<SimulatorCard slug="alpha" publishTime={0} isRunning />, { replies: { simulateFollow: simulation } });
  fireEvent.click(screen.getByRole('button', { name: 'Simulate' }));
  const figures = await screen.findByTestId('simulation');
  fireEvent.click(screen.getByRole('button', { name: /^Protection/ }));
  const asked = vi.mocked(fetch).mock.calls.length;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  fireEvent.change(screen.getByLabelText(/^Stop loss/), { target: { value: '99' } });
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(vi.mocked(fetch).mock.calls).toHaveLength(asked);
  expect(figures.closest('[aria-busy="true"]')).toBeTruthy();
});

it('offers no paper follow of a strategy that has ended', async () => {
  await show(<SimulatorCard slug="alpha" publishTime={0} isRunning={false} />, {
    replies: { simulateFollow: simulation },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Simulate' }));
  await screen.findByTestId('simulation');
  expect(screen.queryByRole('button', { name: 'Follow on paper' })).toBeNull();
});

it('lists paper follows as paper, with their result and the way to end them', async () => {
  const paper: CallReply<'startPaperFollow'> = {
    id: 'p1',
    slug: 'alpha',
    strategyName: 'Alpha',
    mode: 'sol',
    amount: '2',
    multiplier: '1',
    protection: { runUpLimit: '3', coinCap: '50', capPerTrade: null, stopLoss: '40', takeProfit: null },
    startTime: 1,
    endTime: null,
    equity: '2.5',
    pnl: '0.5',
    changeRate: '25',
    strategyChangeRate: '31',
    copied: 4,
    skipped: 1,
    endedBy: null,
  };
  const lists = [paper, { ...paper, id: 'p2', strategyName: 'Beta', endTime: 2, endedBy: 'take-profit' as const }];
  await show(<PaperTable />, { replies: { getMyPaperFollows: { lists, total: 2, pageNo: 1, pageSize: 20 } } });
  const rows = await tableRows('Paper follows');
  expect(rows[0]).toMatchObject({
    Strategy: 'AlphaPaper',
    Invested: '2.00 SOL',
    'Current value': '2.50 SOL',
    PnL: '+25.00%+0.5000 SOL',
    Copies: '4 filled, 1 skipped',
  });
  expect(Object.values(rows[1]!)).toContain('Take profit');
  expect(within(screen.getByRole('table')).getAllByRole('button', { name: 'End' })).toHaveLength(1);
});
