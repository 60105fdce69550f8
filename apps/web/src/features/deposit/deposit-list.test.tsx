// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../show-for-test.tsx';
import { DepositList } from './deposit-list.tsx';

it.each([
  ['en', ['confirming', 'finalized', 'dropped by the network']],
  ['zh', ['确认中', '已完成', '已被网络丢弃']],
] as const)('lists deposits with amount, token and status (%s)', async (language, statuses) => {
  const deposit = { tokenContractAddress: null, tokenSymbol: 'SOL', txHash: 'hash1111111111111111', time: 0 };
  const lists = [
    { ...deposit, id: '1', amount: '10', status: 'seen' as const },
    { ...deposit, id: '2', amount: '2500', tokenSymbol: 'ALPHA', status: 'finalized' as const },
    { ...deposit, id: '3', amount: '3', status: 'orphaned' as const },
  ];
  await show(<DepositList />, {
    language,
    replies: { getMyDeposits: { lists, total: 3, pageNo: 1, pageSize: 10 } },
  });
  const rows = (await screen.findAllByRole('listitem')).map((row) => row.textContent);
  expect(rows[0]).toContain(`10 SOL${statuses[0]}`);
  expect(rows[1]).toContain(`2,500 ALPHA${statuses[1]}`);
  expect(rows[2]).toContain(`3 SOL${statuses[2]}`);
});

it('does not say that there are no deposits when they could not be loaded', async () => {
  await show(<DepositList />, { failing: ['getMyDeposits'] });
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(screen.queryByText('No deposits yet')).toBeNull();
});
