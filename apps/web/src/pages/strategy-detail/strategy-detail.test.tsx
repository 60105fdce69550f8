// @vitest-environment happy-dom
import type { CallReply } from '@hunter/contract/calls';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { setLanguage } from '../../i18n/i18n.ts';
import { AppShell } from '../../shell/app-shell.tsx';
import { answering, figure, show, tableRows, toneOfText, type Replies } from '../../show-for-test.tsx';
import { CoinsTable } from './coins-table.tsx';
import EndDialog from './end-dialog.tsx';
import RebalanceDialog from './rebalance-dialog.tsx';
import { RecordCard } from './record-card.tsx';
import { RoundsCard } from './rounds-card.tsx';
import type { StrategyDetail } from './strategy-detail.ts';
import StrategyDetailPage from './strategy-detail-page.tsx';
import { SummaryCard } from './summary-card.tsx';
import { TradesTable } from './trades-table.tsx';
import { YieldCard } from './yield-card.tsx';

const coin = { tokenContractAddress: 'A', tokenSymbol: 'ALPHA', tokenLogoUrl: '/a.svg', weight: '62.5' };
const strategy: StrategyDetail = {
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
  followerReturn: '9',
  winRate: '50',
  closedTrades: 4,
  unsoldAtLoss: 0,
  followers: 31,
  copyTradeFunds: '140.5',
  capitalAmount: '22',
  publishTime: 0,
  endTime: null,
  duration: null,
  autoClear: true,
  coins: [coin],
  trend: [],
  status: 'running',
  following: false,
  mine: false,
  description: '',
  bookId: null,
  equity: '24.75',
  freeSol: '9',
  capacity: '300',
  gap: { total: '3.5', price: '0', fees: '1', skipped: '2.75', timing: '-0.25' },
  positions: [{ ...coin, amount: '2500', cost: '10', value: '15.75', profit: '5.75', profitPercent: '57.5' }],
  myFollow: null,
  rounds: [
    { time: 2, side: 'buy', tokenContractAddress: 'A', tokenSymbol: 'ALPHA', solAmount: '3', copied: 7, skipped: 2 },
    { time: 1, side: 'sell', tokenContractAddress: 'B', tokenSymbol: 'BETA', solAmount: '4', copied: 0, skipped: 0 },
  ],
  copies: { filled: 7, skipped: 2, reasons: [{ reason: 'coin-cap', count: 2 }] },
  record: {
    countedTrips: 14,
    wonTrips: 9,
    coins: 3,
    rankedYield: '8.5',
    offMarketTrips: 1,
    offMarket: [
      {
        tokenContractAddress: 'A',
        tokenSymbol: 'ALPHA',
        openTime: 1,
        closeTime: 2,
        reason: 'own-trade',
        countsAsLost: false,
      },
    ],
  },
  creatorHoldings: [{ tokenContractAddress: 'A', tokenSymbol: 'ALPHA', since: 1, where: 'personal' }],
  followsWallet: null,
  verify: { wallet: 'W', publishTxHash: null },
};

it('shows each figure of the strategy under its own name', async () => {
  await show(<SummaryCard strategy={strategy} onAction={() => {}} />);
  const figures = screen.getByRole('group', { name: 'Figures' });
  const shown = (label: string) => figure(label, figures);
  expect(shown('Yield rate')).toBe('+12.50%');
  expect(shown('Follower return (median)')).toBe('+9.00% 3 follows, early');
  expect(shown('Max drawdown')).toBe('-7.50%');
  expect(toneOfText('-7.50%')).toBe('down');
  expect(shown('Win rate')).toBe('50% 4 closed');
  expect(shown('Followers')).toBe('31');
  expect(shown('Copy trade funds')).toBe('140.50 SOL');
  expect(shown('Capital')).toBe('22.00 SOL');
  expect(shown('Current value')).toBe('24.75 SOL');
  expect(shown('Duration')).toBe('open-ended');
  expect(screen.getByText('300.00 SOL')).toBeTruthy();
  expect(screen.getByText('On')).toBeTruthy();
});

it.each([
  ['publishing', 'Publishing: buying the first coins.', '发布中：正在买入首批代币。'],
  ['ending', 'Ending: closing open positions.', '结束中：正在清理持仓。'],
  ['ended', 'This strategy has ended. Its figures are those of its end.', '该策略已结束，数据保持结束时的状态。'],
] as const)('says that a strategy is %s', async (status, en, zh) => {
  await show(<SummaryCard strategy={{ ...strategy, status }} onAction={() => {}} />);
  expect(screen.getByRole('status').textContent).toBe(en);
  await show(<SummaryCard strategy={{ ...strategy, status }} onAction={() => {}} />, { language: 'zh' });
  expect(screen.getAllByRole('status').at(-1)?.textContent).toBe(zh);
});

it('offers following to others, and trading to the creator', async () => {
  await show(<SummaryCard strategy={strategy} onAction={() => {}} />);
  expect(screen.getByRole('button', { name: 'Follow' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Trade' })).toBeNull();
});

it('shows weight, amount, cost, value and result of each coin, and the free SOL', async () => {
  await show(<CoinsTable strategy={strategy} />);
  expect(await tableRows('Included coins')).toMatchObject([
    {
      Coin: 'ALPHA',
      Weight: '62.50%',
      Amount: '2.50K',
      Cost: '10.00 SOL',
      'Current value': '15.75 SOL',
      PnL: '+57.50%+5.75 SOL',
    },
  ]);
  expect(figure('Free SOL')).toBe('9.00 SOL');
  expect(screen.queryByText('In orders and token account rent')).toBeNull();
});

it('names the SOL that is neither free nor in coins, so that all adds up to the current value', async () => {
  await show(<CoinsTable strategy={{ ...strategy, freeSol: '8.98' }} />);
  expect(figure('In orders and token account rent')).toBe('0.0200 SOL');
});

it('shows the side, the size and how many followers copied each round', async () => {
  await show(<RoundsCard rounds={strategy.rounds} copies={strategy.copies} />);
  const rows = screen.getAllByRole('listitem').map((row) => row.textContent);
  expect(rows[0]).toMatch(/^Bought ALPHA.*3\.00 SOL7 of 9 copied$/);
  expect(rows[1]).toMatch(/^Sold BETA.*4\.00 SOLcreator only$/);
});

it('lists trades and flows with type, amounts, price and unit NAV', async () => {
  const trade = {
    id: '1',
    time: 0,
    kind: 'trade' as const,
    side: 'sell' as const,
    tokenContractAddress: 'A',
    tokenSymbol: 'ALPHA',
    tokenAmount: '2500',
    solAmount: '15',
    networkFee: '0.000005',
    price: '0.006',
    txHash: 'hash1111111111111111',
    nav: '1.12345',
  };
  const flow = { kind: 'flow' as const, tokenContractAddress: null, tokenSymbol: null, tokenAmount: null, price: null };
  const lists = [
    trade,
    { ...trade, ...flow, id: '2', side: 'in' as const },
    { ...trade, ...flow, id: '3', side: 'out' as const },
  ];
  await show(<TradesTable slug="alpha" />, { replies: { getStrategyTrades: { lists, nextCursor: null } } });
  expect(await tableRows('Trades')).toMatchObject([
    { Type: 'Sell ALPHA', Amount: '2.50K', SOL: '15.00 SOL', Price: '0.006000 SOL', 'Unit NAV': '1.1235' },
    { Type: 'Deposit ', Price: '-' },
    { Type: 'Withdrawal ' },
  ]);
});

it('shows where the difference between strategy and followers comes from', async () => {
  await show(<YieldCard strategy={strategy} />, { replies: { getStrategyYield: { lists: [], followers: [] } } });
  const gap = screen.getByTestId('gap').textContent;
  expect(gap).toContain('Followers vs strategy: -3.50%');
  expect(gap).toContain('price0.00%');
  expect(gap).toContain('fees-1.00%');
  expect(gap).toContain('skipped-2.75%');
  expect(gap).toContain('joined later+0.25%');
});

it('shows a difference whose parts add up, and which is that of the two figures above it, as they are shown', async () => {
  const gap = { total: '3.4908', price: '0', fees: '1.0044', skipped: '2.4864', timing: '0' };
  const rounded: StrategyDetail = { ...strategy, yieldRate: '12.4951', followerReturn: '9.0043', gap };
  await show(<YieldCard strategy={rounded} />, { replies: { getStrategyYield: { lists: [], followers: [] } } });
  const text = screen.getByTestId('gap').textContent;
  // +12.50% and +9.00% stand above it.
  expect(text).toContain('Followers vs strategy: -3.50%');
  expect(text).toContain('fees-1.01%');
  expect(text).toContain('skipped-2.49%');
});

it.each([
  ['running', 'Followers vs strategy: shown once a follow has lasted 1 hour.'],
  ['ended', 'Followers vs strategy: no follow lasted 1 hour.'],
] as const)('says of a %s strategy without a follow that lasted whether one may still come', async (status, text) => {
  const none: StrategyDetail = { ...strategy, status, followerReturn: null, gap: null };
  await show(<YieldCard strategy={none} />, { replies: { getStrategyYield: { lists: [], followers: [] } } });
  expect(screen.getByText(text)).toBeTruthy();
});

it('says how the copies of the last rounds went and why some were skipped', async () => {
  await show(<RoundsCard rounds={strategy.rounds} copies={strategy.copies} />);
  const copies = screen.getByRole('group', { name: 'Copies of the last rounds' });
  expect(figure('Copied', copies)).toBe('7');
  expect(figure('Skipped', copies)).toBe('2');
  expect(copies.textContent).toContain('Coin cap: this coin’s share of the follow is full2');
});

it('shows what counts in the record, what is off-market, and what the creator holds himself', async () => {
  await show(<RecordCard strategy={strategy} />);
  expect(screen.getByText('Not ranked yet: 6 trips to go')).toBeTruthy();
  expect(figure('Creator’s score')).toBe('1.25');
  expect(figure('Counted trips')).toBe('9 of 14 won');
  expect(figure('Coins')).toBe('3');
  expect(figure('Yield for ranking')).toBe('+8.50%');
  expect(toneOfText('+8.50%')).toBe('up');
  expect(figure('Off-market trips')).toBe('1');
  const trips = screen.getByRole('list', { name: 'Off-market trips' }).textContent;
  expect(trips).toContain('ALPHA');
  expect(trips).toContain('does not count');
  expect(trips).toContain('The creator’s other accounts traded it within 10 minutes');
  expect(screen.getByRole('list', { name: 'Also held by the creator' }).textContent).toContain(
    'ALPHApersonal wallet, since',
  );
});

it('says in the record what is not there', async () => {
  const record = {
    ...strategy.record,
    countedTrips: 0,
    wonTrips: 0,
    offMarketTrips: 0,
    offMarket: [],
    rankedYield: null,
  };
  const plain = { ...strategy, tier: 'ranked', missing: [], score: null, record, creatorHoldings: [] } as const;
  await show(<RecordCard strategy={{ ...plain, missing: [], creatorHoldings: [] }} />, { language: 'zh' });
  expect(screen.queryByText(/尚未上榜/)).toBeNull();
  expect(figure('带单员评分')).toBe('-');
  expect(figure('有效交易')).toBe('暂无');
  expect(figure('上榜收益率')).toBe('-');
  expect(figure('偏离市价的交易')).toBe('无');
  expect(figure('带单员个人也持有')).toBe('未持有这些代币');
});

it('counts a lost off-market trip as lost', async () => {
  const trips = strategy.record.offMarket.map((trip) => ({ ...trip, countsAsLost: true }));
  await show(<RecordCard strategy={{ ...strategy, record: { ...strategy.record, offMarket: trips } }} />);
  expect(screen.getByRole('list', { name: 'Off-market trips' }).textContent).toContain('counts as lost');
});

it('goes on showing the figures of a strategy that has ended', async () => {
  const ended = { ...strategy, status: 'ended' as const, positions: [], capacity: null };
  await show(<SummaryCard strategy={ended} onAction={() => {}} />);
  expect(screen.queryByText('Capacity left')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Follow' })).toBeNull();
  expect(figure('Value at the end')).toBe('24.75 SOL');
  expect(figure('Followers')).toBe('31');
  await show(<CoinsTable strategy={ended} />);
  expect(screen.getByText('Sold or returned at the end')).toBeTruthy();
  expect(screen.queryByText('Free SOL')).toBeNull();
});

it('says before the end of a strategy what it holds for its creator and for those who follow', async () => {
  await show(<EndDialog strategy={strategy} onClose={() => {}} />);
  const dialog = screen.getByRole('dialog');
  expect(figure('Current value', dialog)).toBe('24.75 SOL');
  expect(figure('Followers', dialog)).toBe('31');
  expect(figure('Copy trade funds', dialog)).toBe('140.50 SOL');
});

it('asks about the same end of a strategy again after a lost answer', async () => {
  await show(<EndDialog strategy={strategy} onClose={() => {}} />, { failing: ['closeStrategy'] });
  const keys = () =>
    vi
      .mocked(fetch)
      .mock.calls.filter(([url]) => (url as string).includes('close_strategy'))
      .map(([, init]) => new Headers(init!.headers).get('idempotency-key'));
  const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: 'End strategy' });
  fireEvent.click(submit());
  await expect.poll(() => keys().length === 1 && !submit().disabled).toBe(true);
  fireEvent.click(submit());
  await expect.poll(() => keys().length).toBe(2);
  expect(keys()[1]).toBe(keys()[0]);
});

/** As the router shows it, at its address. */
async function openPage(replies: Replies): Promise<void> {
  await show(null);
  vi.stubGlobal('fetch', vi.fn(answering(replies)));
  const rootRoute = createRootRoute({ component: AppShell });
  const page = createRoute({
    getParentRoute: () => rootRoute,
    path: '/strategies/$slug',
    component: StrategyDetailPage,
    staticData: { meta: { title: 'shell.titles.strategyDetail', requiresAuth: false, hideInMenu: true } },
  });
  const router = createRouter({
    routeTree: rootRoute.addChildren([page]),
    history: createMemoryHistory({ initialEntries: ['/strategies/alpha'] }),
  });
  await router.load();
  render(<RouterProvider router={router as never} />);
}

const follow: CallReply<'getMyFollows'>['lists'][number] = {
  id: 'f',
  slug: 'alpha',
  strategyName: 'Alpha',
  mode: 'sol',
  status: 'closed',
  amount: '2',
  multiplier: '1',
  bookId: 'b',
  equity: '2.5',
  pnl: '0.5',
  changeRate: '25',
  openTime: 0,
  closeTime: 1,
  progress: { done: 0, total: 0 },
  paused: false,
  protection: { runUpLimit: '3', coinCap: '50', capPerTrade: null, stopLoss: '40', takeProfit: null },
  closedBy: 'strategy-end',
  notBought: [],
  joinUntil: null,
};
const followsOf = (...lists: (typeof follow)[]): Replies => ({
  getMyFollows: { lists, total: lists.length, pageNo: 1, pageSize: 100 },
});

it('shows who followed a strategy that has ended what came of it', async () => {
  const earlier = { ...follow, id: 'e', pnl: '-1', changeRate: '-50', equity: '1' };
  await openPage({
    getStrategyDetail: { ...strategy, status: 'ended' },
    ...followsOf({ ...follow, slug: 'another', pnl: '9' }, follow, earlier),
  });
  const card = await screen.findByTestId('past-follow');
  expect(figure('Invested', card)).toBe('2.00 SOL');
  expect(figure('Returned', card)).toBe('2.50 SOL');
  expect(figure('PnL', card)).toBe('+0.5000 SOL');
  expect(card.textContent).toContain('+25.00%');
});

it('names the strategy in the tab, after the general title of the shell, in each language', async () => {
  await openPage({ getStrategyDetail: strategy });
  await expect.poll(() => document.title).toBe(`${strategy.name} · Hunter`);
  // The general title is another one now, and the name is not.
  await act(() => setLanguage('zh'));
  await expect.poll(() => document.title).toBe(`${strategy.name} · Hunter`);
});

it.each([
  ['en', /^The price of BETA can’t be read at the moment/],
  ['zh', /^暂时无法读取 BETA 的价格/],
] as const)('sets no new weights while a coin of the strategy cannot be read (%s)', async (language, text) => {
  const [read] = strategy.positions;
  const unread = { ...read!, tokenContractAddress: 'B', tokenSymbol: 'BETA', weight: null, value: null };
  const positions = [read!, unread];
  await show(<RebalanceDialog strategy={{ ...strategy, positions }} onClose={() => {}} />, { language });
  expect((await screen.findByRole('alert')).textContent).toMatch(text);
  // Neither is offered to be left out, which would sell it.
  expect(screen.queryAllByTestId('weight-row')).toEqual([]);
  expect(screen.getByRole('button', { name: language === 'en' ? 'Rebalance' : '调仓' })).toHaveProperty(
    'disabled',
    true,
  );
});
