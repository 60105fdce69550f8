// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { figure, show, toneOfText } from '../../show-for-test.tsx';
import { StrategyCard } from './strategy-card.tsx';
import type { Strategy } from './strategy-card.tsx';

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
  expect(card.textContent).toContain('Follower return (median) -4.00%');
  expect(toneOfText('-4.00%')).toBe('down');
  expect(figure('Win rate')).toBe('67% 9 closed');
  expect(figure('Followers')).toBe('31');
  expect(figure('Copy trade funds')).toBe('140.50 SOL');
  expect(figure('Capital')).toBe('22.00 SOL');
  expect(card.textContent).toContain('by trader-1 · 2d 3h 4m');
  expect(screen.getByText('auto clear on')).toBeTruthy();
});

it('says what is not known yet instead of showing zero', async () => {
  await show(
    <StrategyCard strategy={{ ...strategy, yieldRate: '0', followerReturn: null, winRate: null, autoClear: false }} />,
  );
  expect(screen.getByText('No follower data yet')).toBeTruthy();
  expect(figure('Win rate')).toBe('none closed');
  expect(toneOfText('0.00%')).toBeNull();
  expect(screen.getByText('auto clear off')).toBeTruthy();
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
