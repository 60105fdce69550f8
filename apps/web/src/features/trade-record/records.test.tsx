// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { show, tableRows, toneOfText } from '../../show-for-test.tsx';
import { StrategyRecord } from './strategy-record.tsx';
import { TradeRecord } from './trade-record.tsx';

it('keeps bought and sold, realized and unrealized, open and close price apart', async () => {
  const row = {
    tokenContractAddress: 'A',
    name: 'Alpha coin',
    tokenSymbol: 'ALPHA',
    tokenLogoUrl: '/a.svg',
    bookId: 'b',
    bookKind: 'personal' as const,
    bookName: '',
    openTime: 0,
    closeTime: 86_400_000,
    openPrice: '0.1',
    closePrice: '0.2',
    pnl: '3.5',
    pnlPercent: '35',
    totalBuyAmount: '1000',
    totalBuyValue: '10',
    totalSellAmount: '900',
    totalSellValue: '14',
    currentBalance: '100',
    realizedProfit: '4',
    unrealizedProfit: '-0.5',
  };
  const lists = [
    row,
    { ...row, openTime: 1, closeTime: null, closePrice: null, bookKind: 'follow' as const, bookName: 'Beta' },
  ];
  await show(<TradeRecord />, {
    replies: { getMyTradeRecord: { type: 'trade', lists, total: 2, pageNo: 1, pageSize: 20 } },
  });
  const [closed, open] = await tableRows('Trade record');
  expect(closed).toMatchObject({
    Name: 'ALPHAPersonal',
    'Open price': expect.stringMatching(/^0\.1000 SOL/),
    'Close price': expect.stringMatching(/^0\.2000 SOL/),
    'Total bought': '10.00 SOL1.00K',
    'Total sold': '14.00 SOL900',
    'Current balance': '100',
    'Realized profit': '+4.00 SOL',
    'Unrealized profit': '-0.5000 SOL',
    PnL: '+3.50 SOL+35.00%',
  });
  expect(open).toMatchObject({ Name: 'ALPHABeta', 'Close price': 'open' });
  expect(toneOfText('+4.00 SOL')).toBe('up');
  expect(toneOfText('-0.5000 SOL')).toBe('down');
});

it('shows role, amount, result and rate of each strategy', async () => {
  const row = {
    slug: 'alpha',
    strategyName: 'Alpha',
    role: 'creator' as const,
    bookId: 'b',
    bookKind: 'strategy' as const,
    openTime: 0,
    closeTime: null,
    openAmount: '12',
    totalPnl: '-3',
    changeRate: '-25',
  };
  const lists = [
    row,
    { ...row, role: 'follower' as const, bookKind: 'follow' as const, totalPnl: '1', changeRate: '8' },
  ];
  await show(<StrategyRecord />, {
    replies: { getMyTradeRecord: { type: 'strategy', lists, total: 2, pageNo: 1, pageSize: 20 } },
  });
  expect(await tableRows('Strategy record')).toMatchObject([
    {
      'Strategy name': 'Alphacreated',
      'Close time': 'running',
      'Open amount': '12.00 SOL',
      'Total PnL': '-3.00 SOL',
      'Change rate': '-25.00%',
    },
    { 'Strategy name': 'Alphafollowed', 'Total PnL': '+1.00 SOL', 'Change rate': '+8.00%' },
  ]);
});
