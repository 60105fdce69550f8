// @vitest-environment happy-dom
import type { CallReply } from '@hunter/contract/calls';
import { cleanup, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import * as prices from '../../data/live-prices.ts';
import { figure, show, toneOfText } from '../../show-for-test.tsx';
import { MarketCard } from './market-card.tsx';
import { TokenHeader } from './token-header.tsx';

const address = 'So11111111111111111111111111111111111111112';
const info: CallReply<'getTokenBaseInfo'> = {
  token: {
    tokenContractAddress: address,
    tokenLogoUrl: '/x.svg',
    tokenName: 'Test token',
    tokenSymbol: 'TEST',
    price: '0.5',
    priceSol: '0.0025',
    change: '-12.5',
    change1h: '3',
    marketCap: '2000000',
    liquidity: '34000',
    holders: 4321,
    volume: '99999',
    periodChange: '7',
    trend: [],
    supply: '1000000000',
    risk: 'ok',
    createdAt: 0,
    decimals: 6,
    creator: null,
    sinceLaunch: null,
  },
  market: { holders: 4321, tradeCount: 77, tradeVolume: '56000', buyCount: 55, sellCount: 22 },
  safety: {
    checkedAt: 1,
    transferTax: null,
    badges: [
      { key: 'mint-authority', level: 'ok', value: null },
      { key: 'freeze-authority', level: 'danger', value: null },
      { key: 'top-10-share', level: 'warn', value: '41.5' },
    ],
  },
};

it('shows price, changes and figures of a token, each under its own name', async () => {
  await show(<TokenHeader address={address} info={info} />);
  const stats = screen.getByTestId('token-stats');
  expect(figure('Market cap', stats)).toBe('$2.00M');
  expect(figure('Liquidity', stats)).toBe('$34.00K');
  expect(figure('Holders', stats)).toBe('4.32K');
  expect(figure('Supply', stats)).toBe('1.00B');
  expect(figure('24h volume', stats)).toBe('$56.00K');
  const price = screen.getByTestId('token-price');
  expect(price.textContent).toBe('$0.50000.002500 SOL-12.50% 24h+3.00% 1h');
  expect(toneOfText('-12.50%', price)).toBe('down');
  expect(toneOfText('+3.00%', price)).toBe('up');
});

it('shows a change that is not known any more as unknown, whatever was polled before', async () => {
  const tick = { ...info.token, change: null, change1h: null, time: 1 };
  const live = vi.spyOn(prices, 'useLivePrice').mockReturnValue(tick);
  await show(<TokenHeader address={address} info={info} />);
  expect(screen.getByTestId('token-price').textContent).toBe('$0.50000.002500 SOL- 24h- 1h');
  live.mockRestore();
});

it('shows nothing as known of a token that was never traded', async () => {
  await show(<TokenHeader address={address} info={{ ...info, token: { ...info.token, price: '0' } }} />);
  const stats = screen.getByTestId('token-stats');
  expect([figure('Market cap', stats), figure('Liquidity', stats), figure('Holders', stats)]).toEqual(['-', '-', '-']);
});

it('shows what is safe and what is not in different colours', async () => {
  await show(<TokenHeader address={address} info={info} />, { language: 'zh' });
  const tone = (key: string) => document.querySelector(`[data-safety="${key}"]`)?.innerHTML ?? '';
  expect(tone('mint-authority')).toContain('text-up');
  expect(tone('freeze-authority')).toContain('text-down');
  expect(screen.getByText('可冻结')).toBeTruthy();
  expect(screen.getByText('前十 · 41.5%')).toBeTruthy();
});

it('shows buys, sells, trades, volume and holders of the day', async () => {
  await show(<MarketCard address={address} info={info} />);
  const card = screen.getByTestId('market-card');
  expect(card.textContent).toContain('Buys 55');
  expect(card.textContent).toContain('Sells 22');
  expect(toneOfText('55')).toBe('up');
  expect(toneOfText('22')).toBe('down');
  expect(figure('Trades')).toBe('77');
  expect(figure('Volume')).toBe('$56.00K');
  expect(figure('Holders')).toBe('4.32K');
  expect(screen.getByLabelText('55 buys, 22 sells').firstElementChild?.getAttribute('style')).toContain('71.4');
});

it('says of a market that is not known yet neither zero nor a balance', async () => {
  await show(<MarketCard address={address} info={undefined} />);
  expect(screen.queryByRole('img')).toBeNull();
  cleanup();
  const market = { holders: 4321, tradeCount: null, tradeVolume: null, buyCount: null, sellCount: null };
  await show(<MarketCard address={address} info={{ ...info, market }} />);
  expect(screen.queryByRole('img')).toBeNull();
  expect(screen.getByText('Buys').textContent).toBe('Buys -');
  expect([figure('Trades'), figure('Volume'), figure('Holders')]).toEqual(['-', '-', '4.32K']);
});
