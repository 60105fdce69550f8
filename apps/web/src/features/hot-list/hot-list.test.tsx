// @vitest-environment happy-dom
import type { CallReply } from '@hunter/contract/calls';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show, toneOfText } from '../../show-for-test.tsx';
import { HotList, HotStrip } from './hot-list.tsx';

type HotToken = CallReply<'getTokenHotList'>['lists'][number];

const token = (changes: Partial<HotToken>): HotToken => ({
  tokenContractAddress: 'A',
  tokenLogoUrl: '/a.svg',
  tokenName: 'Alpha',
  tokenSymbol: 'ALPHA',
  price: '0.25',
  change: '99',
  marketCap: '3000000',
  liquidity: '44000',
  holders: 12,
  volume: '7000',
  periodChange: '5',
  change1h: '1',
  trend: [],
  supply: '1',
  risk: 'ok',
  createdAt: 0,
  ...changes,
});

it('shows price, market cap and the change of the period of each token', async () => {
  const lists = [token({}), token({ tokenContractAddress: 'B', tokenSymbol: 'BETA', periodChange: '-8', price: '0' })];
  await show(<HotList current="A" />, { replies: { getTokenHotList: { lists } } });
  const [first, second] = await screen.findAllByTestId('hot-row');
  expect(first?.textContent).toBe('ALPHA$3.00M$0.2500+5.00%');
  expect(first?.getAttribute('aria-current')).toBe('page');
  expect(second?.textContent).toBe('BETA---8.00%');
  expect(toneOfText('+5.00%')).toBe('up');
  expect(toneOfText('-8.00%')).toBe('down');
});

it('shows the same tokens in one line where there is no room for the list', async () => {
  const lists = [token({}), token({ tokenContractAddress: 'B', tokenSymbol: 'BETA', change1h: '-3' })];
  await show(<HotStrip current="B" />, { replies: { getTokenHotList: { lists } } });
  const [first, second] = await screen.findAllByRole('link');
  expect(first?.textContent).toBe('ALPHA+1.00%');
  expect(second?.getAttribute('href')).toBe('/token/B');
  expect(second?.getAttribute('aria-current')).toBe('page');
});

it('goes on loading while the market has no token yet', async () => {
  await show(<HotList current="A" />, { replies: { getTokenHotList: { lists: [] } } });
  await expect.poll(() => screen.getByTestId('hot-list').getAttribute('aria-busy')).toBe('false');
  expect(screen.getByRole('list', { name: 'Hot tokens' }).children.length).toBeGreaterThan(5);
});
