// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { show, toneOfText } from '../../show-for-test.tsx';
import SearchPanel from './search-panel.tsx';
import type { FoundToken } from './token-search.ts';

const token: FoundToken = {
  tokenContractAddress: 'A',
  tokenLogoUrl: '/a.svg',
  tokenName: 'Alpha coin',
  tokenSymbol: 'ALPHA',
  price: '0.25',
  change: '-2.5',
  marketCap: '3000000',
  liquidity: '44000',
  holders: 1200,
};
const panel = (tokens: readonly FoundToken[], keyword = 'a', close = () => {}) => (
  <SearchPanel
    box={{
      id: 'search',
      state: { keyword, phase: 'done', tokens },
      active: -1,
      setActive: () => {},
      setHot: () => {},
      recent: [],
      choose: () => {},
      forgetRecent: () => {},
      close,
    }}
  />
);

it('shows name, price, change, market cap, liquidity and holders in the order of the columns', async () => {
  await show(panel([token]));
  const row = await screen.findByTestId('search-row');
  expect(row.textContent).toBe('ALPHAAlpha coin$0.2500-2.50%Market cap $3.00MLiquidity $44.00KHolders 1.20K');
  expect(toneOfText('-2.50%')).toBe('down');
});

it('shows nothing as known of a token that was never traded', async () => {
  await show(panel([{ ...token, price: '0', change: null }]), { language: 'zh' });
  const row = await screen.findByTestId('search-row');
  expect(row.textContent).toBe('ALPHAAlpha coin--市值 -流动性 -持有人 -');
});

it('leads to the page of a wallet where an address is no token’s', async () => {
  const address = '8VjC7NgBdeSJyKBPNofLLikB2w2SUkgzn2fBWqKq8jQx';
  const close = vi.fn<() => void>();
  await show(panel([], ` ${address} `, close));
  const link = screen.getByRole('link', { name: 'Open wallet 8VjC…8jQx' });
  expect(link.getAttribute('href')).toBe(`/wallet/${address}`);
  fireEvent.click(link);
  expect(close).toHaveBeenCalledOnce();
});

it('takes no other text for a wallet', async () => {
  await show(panel([], 'no such frog'));
  expect(screen.getByRole('status').textContent).toBe('No tokens found');
  expect(screen.queryByRole('link')).toBeNull();
});
