// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { stream } from '../../data/stream.ts';
import { answering, show, toneOfText } from '../../show-for-test.tsx';
import { AllocationCard } from './allocation-card.tsx';
import { EquityCard } from './equity-card.tsx';
import { monthOf } from './month-grid.ts';
import { RealizedCalendar } from './realized-calendar.tsx';

const points = [
  { t: 1_700_000_000_000, equity: '10', profit: '0' },
  { t: 1_700_000_600_000, equity: '12.5', profit: '-0.5' },
];

it('shows what the range earned without deposits, and the equity at the point looked at', async () => {
  await show(<EquityCard />, {
    replies: { getMyEquity: { range: '7d', points, profit: '-0.5', profitRate: '-3.8462' } },
  });
  const change = await screen.findByTestId('equity-change');
  expect(change.textContent).toBe('-0.5000 SOL-3.85%');
  expect(toneOfText('-0.5000 SOL')).toBe('down');
  const chart = screen.getByRole('slider', { name: /Equity over time/ });
  expect(chart.getAttribute('aria-valuetext')).toContain('equity 12.50\u00A0SOL, total PnL -0.5000\u00A0SOL');
  fireEvent.keyDown(chart, { key: 'Home' });
  expect(chart.getAttribute('aria-valuetext')).toContain('equity 10.00\u00A0SOL, total PnL 0\u00A0SOL');
});

it('says that there is no line yet with a single point', async () => {
  await show(<EquityCard />, {
    replies: { getMyEquity: { range: '7d', points: points.slice(0, 1), profit: null, profitRate: null } },
  });
  expect(await screen.findByText(/The first points appear/)).toBeTruthy();
});

const place = { bookId: 'a', bookKind: 'personal' as const, name: 'Personal', slug: null, value: '6', share: '60' };
const token = { tokenSymbol: 'SOL', tokenName: 'Solana', tokenLogoUrl: '', amount: '7', value: '7', share: '70' };

it('shows parts of the account by token and by place, what is not priced as such, and the fees apart', async () => {
  await show(<AllocationCard />, {
    replies: {
      getMyPortfolio: {
        equity: '10',
        equityUsd: '1500',
        places: [
          place,
          { ...place, bookId: 'b', bookKind: 'follow', name: 'Moon', slug: 'moon', value: '3', share: '30' },
          { ...place, bookId: 'c', bookKind: 'wallet-follow', name: 'Whale', value: '1', share: '10' },
        ],
        tokens: [
          { ...token, tokenContractAddress: null },
          { ...token, tokenContractAddress: 'Mint', tokenSymbol: 'CAT', value: null, share: null },
        ],
        fees: { network: '0.00001', priority: '0', venue: '0.25', total: '0.25001', trades: 3 },
      },
    },
  });
  const rows = async () => (await screen.findAllByRole('listitem')).map((row) => row.textContent?.replace('◎', ''));
  expect(await rows()).toEqual(['SOL7.00 SOL70.00%', 'CAT--']);
  fireEvent.click(screen.getByRole('radio', { name: 'By place' }));
  expect(await rows()).toEqual([
    'Personal wallet6.00 SOL60.00%',
    'MoonFollow3.00 SOL30.00%',
    'WhaleWallet follow1.00 SOL10.00%',
  ]);
  expect(screen.getByTestId('fees').textContent).toBe(
    'Fees paid0.2500 SOLNetwork<0.001 SOLPriority0 SOLSwap fee0.2500 SOL',
  );
});

it('shows shares that add up to the whole', async () => {
  const tokens = ['83.694', '11.555', '3.266', '0.765', '0.36', '0.197', '0.163'];
  await show(<AllocationCard />, {
    replies: {
      getMyPortfolio: {
        equity: '10',
        equityUsd: null,
        places: ['33.3333', '33.3333', '33.3333'].map((share, index) => ({ ...place, bookId: `${index}`, share })),
        tokens: tokens.map((share, index) => ({ ...token, tokenContractAddress: `Mint${index}`, share })),
        fees: { network: '0', priority: '0', venue: '0', total: '0', trades: 0 },
      },
    },
  });
  const shares = async () =>
    (await screen.findAllByRole('listitem')).map((row) => /[\d.]+(?=%)/.exec(row.textContent)![0]);
  expect(await shares()).toEqual(['83.69', '11.55', '3.27', '0.77', '0.36', '0.20', '0.16']);
  fireEvent.click(screen.getByRole('radio', { name: 'By place' }));
  expect(await shares()).toEqual(['33.34', '33.33', '33.33']);
});

it('reads the parts anew when the balance changes, as the figures beside them do', async () => {
  let balanceChanges: () => void = () => {};
  vi.spyOn(stream, 'subscribe').mockImplementation((channel, _key, { onData }) => {
    if (channel === 'balance') balanceChanges = () => act(() => onData({} as never));
    return () => {};
  });
  const portfolio = (amount: string) => ({
    equity: amount,
    equityUsd: null,
    places: [],
    tokens: [{ ...token, tokenContractAddress: null, amount, value: amount, share: '100' }],
    fees: { network: '0', priority: '0', venue: '0', total: '0', trades: 0 },
  });
  await show(<AllocationCard />, { replies: { getMyPortfolio: portfolio('0') } });
  await screen.findByText('0 SOL', { selector: 'li *' });
  vi.stubGlobal('fetch', answering({ getMyPortfolio: portfolio('10') }));
  balanceChanges();
  expect(await screen.findByText('10.00 SOL')).toBeTruthy();
  vi.restoreAllMocks();
});

it('shows what each day realized and moves through the days by keyboard', async () => {
  const month = monthOf(Date.now());
  await show(<RealizedCalendar />, {
    replies: {
      getMyRealized: {
        month,
        days: [
          { day: `${month}-02`, realized: '1.25', sales: 1 },
          { day: `${month}-03`, realized: '-0.5', sales: 2 },
        ],
        realized: '0.75',
        sales: 3,
        firstMonth: month,
      },
    },
  });
  const grid = await screen.findByRole('grid', { name: 'Realized profit per day' });
  const day = (at: string) => grid.querySelector<HTMLElement>(`[data-day="${month}-${at}"]`)!;
  await screen.findByText('+1.25 SOL');
  expect(day('02').getAttribute('aria-label')).toMatch(/^2 \w+: \+1\.25\u00A0SOL realized, 1 sale$/);
  expect(toneOfText('-0.5000 SOL', grid)).toBe('down');
  expect(within(grid.parentElement!).getByText('+0.7500 SOL')).toBeTruthy();
  act(() => day('01').focus());
  fireEvent.keyDown(day('01'), { key: 'ArrowRight' });
  expect(document.activeElement).toBe(day('02'));
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Previous month' }).disabled).toBe(true);
});

it('reads the month anew when a position changes', async () => {
  let positionsChange: () => void = () => {};
  vi.spyOn(stream, 'subscribe').mockImplementation((channel, _key, { onData }) => {
    if (channel === 'positions') positionsChange = () => act(() => onData({} as never));
    return () => {};
  });
  const month = monthOf(Date.now());
  const realized = (amount: string) => ({ month, days: [], realized: amount, sales: 1, firstMonth: month });
  await show(<RealizedCalendar />, { replies: { getMyRealized: realized('1.25') } });
  await screen.findByText('+1.25 SOL');
  vi.stubGlobal('fetch', answering({ getMyRealized: realized('1.75') }));
  positionsChange();
  expect(await screen.findByText('+1.75 SOL')).toBeTruthy();
  vi.restoreAllMocks();
});

it('leads back from a month that did not come to one that did', async () => {
  const month = monthOf(Date.now());
  const days = [{ day: `${month}-02`, realized: '1.25', sales: 1 }];
  const getMyRealized = { month, days, realized: '1.25', sales: 1, firstMonth: '2020-01' };
  await show(<RealizedCalendar />, { replies: { getMyRealized } });
  await screen.findByText('1 sale', { exact: false });
  vi.stubGlobal('fetch', answering({}, ['getMyRealized']));
  fireEvent.click(screen.getByRole('button', { name: 'Previous month' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Couldn’t load');
  fireEvent.click(screen.getByRole('button', { name: 'Next month' }));
  expect(await screen.findByRole('grid')).toBeTruthy();
});
