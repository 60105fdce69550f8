// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { figure, show, toneOfText } from '../../show-for-test.tsx';
import { StrategyCard } from './strategy-card.tsx';
import type { Strategy } from './strategy.ts';

const strategy: Strategy = {
  slug: 'alpha',
  name: 'Alpha',
  creator: { name: 'trader-1' },
  tier: 'new',
  missing: [{ condition: 'trips', count: 6 }],
  score: '1.25',
  maxDrawdown: '7.5',
  followerSample: 3,
  followerReturnEarly: true,
  yieldRate: '12.5',
  followerReturn: '-4',
  winRate: '66.6',
  closedTrades: 9,
  unsoldAtLoss: 15,
  followers: 31,
  copyTradeFunds: '140.5',
  capitalAmount: '22',
  publishTime: 0,
  endTime: null,
  duration: { days: 2, hours: 3, minutes: 4 },
  autoClear: true,
  coins: [{ tokenContractAddress: 'A', tokenSymbol: 'ALPHA', tokenLogoUrl: '/a.svg', weight: '50' }],
  trend: [1, 2],
  status: 'running',
  following: false,
  mine: false,
};

it('shows each figure of a strategy under its own name', async () => {
  await show(<StrategyCard strategy={strategy} />);
  const card = screen.getByTestId('strategy-card');
  expect(toneOfText('+12.50%')).toBe('up');
  expect(card.textContent).toContain('Follower return -4.00% 3 follows, early');
  expect(toneOfText('-4.00%')).toBe('down');
  expect(figure('Win rate')).toBe('67% 9 closed 15 unsold at a loss');
  expect(figure('Followers')).toBe('31');
  expect(figure('Max drawdown')).toBe('-7.50%');
  expect(toneOfText('-7.50%')).toBe('down');
  expect(figure('Copy trade funds')).toBe('140.50 SOL');
  expect(figure('Capital')).toBe('22.00 SOL');
  expect(card.textContent).toContain('by trader-1 · 2d 3h 4m');
  expect(screen.getByText('auto clear on')).toBeTruthy();
});

it('shows its age until now, and until its end once it has ended', async () => {
  const day = 86_400_000;
  await show(<StrategyCard strategy={{ ...strategy, publishTime: Date.now() - 2 * day - 90 * 60_000 - 30_000 }} />);
  expect(figure('Age')).toBe('2d 1h 30m');
  await show(<StrategyCard strategy={{ ...strategy, status: 'ended', publishTime: day, endTime: 4 * day }} />);
  expect(screen.getByText('3d 0h 0m')).toBeTruthy();
});

it.each([
  ['99.6', '99%'],
  ['100', '100%'],
  ['0.4', '1%'],
  ['0', '0%'],
])('shows a win rate of %s as %s: of all that were won, or lost, only where all were', async (winRate, shown) => {
  await show(<StrategyCard strategy={{ ...strategy, winRate, closedTrades: 250, unsoldAtLoss: 0 }} />);
  expect(figure('Win rate')).toBe(`${shown} 250 closed`);
});

it('leads to the page of its creator', async () => {
  await show(<StrategyCard strategy={strategy} />);
  expect(screen.getByRole('link', { name: 'by trader-1' }).getAttribute('href')).toBe('/creator/trader-1');
});

it('says that it is new and what it still lacks, or that it is ranked and by which score', async () => {
  const missing: Strategy['missing'] = [
    { condition: 'trips', count: 6 },
    { condition: 'coins', count: 1 },
    { condition: 'hours', count: 18 },
    { condition: 'equity', count: null },
  ];
  await show(<StrategyCard strategy={{ ...strategy, missing }} />);
  expect(screen.getByTestId('tier-badge').textContent).toBe('New6 trips, 1 coin, 18h to go');
  fireEvent.click(screen.getByTestId('tier-badge'));
  // What has no room in the card's line stands in the explanation.
  expect(await screen.findByText(/18h to go, creator’s equity fell below 1 SOL/)).toBeTruthy();
  await show(<StrategyCard strategy={{ ...strategy, missing }} />, { language: 'zh' });
  expect(screen.getAllByTestId('tier-badge')[1]!.textContent).toBe('新策略还差 6 笔交易、1 种代币、18 小时');
  await show(<StrategyCard strategy={{ ...strategy, tier: 'ranked', missing: [] }} />);
  expect(screen.getAllByTestId('tier-badge').at(-1)!.textContent).toBe('RankedScore 1.25');
  // A score just below zero that rounds to it has no minus.
  await show(<StrategyCard strategy={{ ...strategy, tier: 'ranked', missing: [], score: '-0.0004' }} />);
  expect(screen.getAllByTestId('tier-badge').at(-1)!.textContent).toBe('RankedScore 0.00');
});

it('explains what its badge means on a press', async () => {
  await show(<StrategyCard strategy={strategy} />);
  fireEvent.click(screen.getByTestId('tier-badge'));
  expect(await screen.findByText('Too short a record to be ranked. 6 trips to go')).toBeTruthy();
});

it('says what is not known yet instead of showing zero', async () => {
  await show(
    <StrategyCard
      strategy={{ ...strategy, yieldRate: '0', followerReturn: null, winRate: null, unsoldAtLoss: 0, autoClear: false }}
    />,
  );
  expect(screen.getByText('No follower data yet')).toBeTruthy();
  expect(figure('Win rate')).toBe('none closed');
  expect(toneOfText('0.00%')).toBeNull();
  expect(screen.getByText('auto clear off')).toBeTruthy();
});

it('promises no figures of followers of what has ended', async () => {
  await show(<StrategyCard strategy={{ ...strategy, status: 'ended', followerReturn: null }} />);
  expect(screen.getByText('No follower data')).toBeTruthy();
});

it.each([
  [{ following: true }, 'Following', '跟单中'],
  [{ mine: true }, 'Mine', '我的'],
  [{ status: 'publishing' as const }, 'Publishing', '发布中'],
  [{ status: 'ending' as const }, 'Ending', '结束中'],
  [{ status: 'ended' as const }, 'Ended', '已结束'],
])('marks %j', async (change, en, zh) => {
  await show(<StrategyCard strategy={{ ...strategy, ...change }} />);
  expect(screen.getByText(en)).toBeTruthy();
  const other = { ...strategy, ...change };
  await show(<StrategyCard strategy={other} />, { language: 'zh' });
  expect(screen.getAllByText(zh).length).toBeGreaterThan(0);
});

it('marks nothing on a running strategy of somebody else', async () => {
  await show(<StrategyCard strategy={strategy} />);
  for (const text of ['Following', 'Mine', 'Ended', 'Ending']) expect(screen.queryByText(text)).toBeNull();
});
