// @vitest-environment happy-dom
import type { CallReply } from '@hunter/contract/calls';
import { cleanup, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { figure, show } from '../../show-for-test.tsx';
import { Creator } from './creator-page.tsx';

const creator: CallReply<'getCreator'> = {
  name: 'trader-1',
  since: 0,
  score: '1.256',
  countedTrips: 25,
  wonTrips: 20,
  followers: 31,
  copyTradeFunds: '140.5',
  ranked: 1,
  running: 2,
  ended: 3,
  strategies: [],
};

it('shows the record of a creator over all strategies', async () => {
  await show(<Creator name="trader-1" />, { replies: { getCreator: creator } });
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toContain('trader-1');
  await expect.poll(() => document.title).toBe('trader-1 · Hunter');
  await screen.findByRole('group', { name: 'Record' });
  expect(figure('Score')).toBe('1.26');
  expect(figure('Counted trips')).toBe('25 20 won');
  expect(figure('Followers')).toBe('31');
  expect(figure('Copy trade funds')).toBe('140.50 SOL');
  expect(figure('Strategies')).toBe('1 ranked, 2 running, 3 ended');
  expect(screen.getByText('No running strategy')).toBeTruthy();
  expect(screen.getByText('No ended strategy')).toBeTruthy();
});

it('names nobody in the tab where there is no such creator', async () => {
  document.title = 'trader-0 · Hunter';
  await show(<Creator name="trader-1" />, { failing: ['getCreator'] });
  await expect.poll(() => document.title).toBe('Creator · Hunter');
});

it('says how many strategies are shown where they are not all', async () => {
  const none = { ...creator, running: 0, ended: 0 };
  await show(<Creator name="trader-1" />, { replies: { getCreator: none } });
  await screen.findByRole('group', { name: 'Record' });
  expect(screen.queryByText(/^The newest/)).toBeNull();
  cleanup();
  await show(<Creator name="trader-1" />, { replies: { getCreator: creator } });
  expect(await screen.findByText('The newest 0 of 5 strategies, running ones first')).toBeTruthy();
  cleanup();
  await show(<Creator name="trader-1" />, { replies: { getCreator: creator }, language: 'zh' });
  expect(await screen.findByText('共 5 个策略，显示最新的 0 个，运行中的在前')).toBeTruthy();
});

it('says that nothing counts yet instead of showing a score of zero, in both languages', async () => {
  const fresh = { ...creator, score: null, countedTrips: 0, wonTrips: 0 };
  await show(<Creator name="trader-1" />, { replies: { getCreator: fresh } });
  expect(await screen.findByText('no trips counted yet')).toBeTruthy();
  cleanup();
  await show(<Creator name="trader-1" />, { replies: { getCreator: fresh }, language: 'zh' });
  expect(await screen.findByText('暂无有效交易')).toBeTruthy();
});
