// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { show, tableRows, toneOfText } from '../../show-for-test.tsx';
import { Table } from '../../ui/table.tsx';
import { aTrade } from './a-trade-for-test.ts';
import { useTradeColumns } from './trade-columns.tsx';

const trade = aTrade('1', Date.now());

function Trades() {
  const rows = [trade, { ...trade, id: '2', side: 'sell' as const, solAmount: '0.5' }];
  return <Table label="Trades" columns={useTradeColumns()} rows={rows} rowKey={({ id }) => id} />;
}

it('shows side, price, tokens, SOL and value of each trade, buys green and sells red', async () => {
  await show(<Trades />);
  const rows = await tableRows('Trades');
  expect(rows).toMatchObject([
    { Side: 'Buy', Price: '$0.5000', Tokens: '2.50K', SOL: '6.25 SOL', Value: '$1.25K', Wallet: 'WaLL…1111' },
    { Side: 'Sell', SOL: '0.5000 SOL' },
  ]);
  expect(toneOfText('Buy')).toBe('up');
  expect(toneOfText('Sell')).toBe('down');
});

it('names both sides in Chinese', async () => {
  await show(<Trades />, { language: 'zh' });
  expect((await tableRows('Trades')).map((row) => row['方向'])).toEqual(['买入', '卖出']);
});
