// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show, tableRows } from '../../show-for-test.tsx';
import { HoldersTab } from './holders-tab.tsx';

it('ranks holders with amount, share and label, and does not count the pool', async () => {
  await show(<HoldersTab address="A" height={400} />, {
    replies: {
      getTokenHolders: {
        total: 900,
        lists: [
          {
            address: 'Pool111111111111',
            amount: '500000',
            percent: '50',
            realizedProfit: null,
            unrealizedProfit: null,
            label: 'pool',
          },
          {
            address: 'Dev1111111111111',
            amount: '12000',
            percent: '1.2',
            realizedProfit: null,
            unrealizedProfit: null,
            label: 'creator',
          },
        ],
      },
    },
  });
  expect(await tableRows('Holders')).toMatchObject([
    { Rank: '1', Wallet: 'Pool…1111pool', Amount: '500.00K50.00%', Share: '50.00%' },
    { Rank: '2', Wallet: 'Dev1…1111dev', Amount: '12.00K1.20%', Share: '1.20%' },
  ]);
  expect(screen.getByText('The 1 largest of 900 holders')).toBeTruthy();
});

it('calls a top trader no smart money in Chinese: that has a rule of its own', async () => {
  const holder = {
    address: 'Top1111111111111',
    amount: '1',
    percent: '1',
    realizedProfit: '9',
    unrealizedProfit: null,
  };
  await show(<HoldersTab address="A" height={400} />, {
    language: 'zh',
    replies: { getTokenHolders: { total: 1, lists: [{ ...holder, label: 'top-trader' }] } },
  });
  expect(await tableRows('持有人')).toMatchObject([{ 钱包: 'Top1…1111顶级交易员' }]);
});
