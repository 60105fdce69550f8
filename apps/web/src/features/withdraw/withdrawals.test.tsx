// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { figure, show } from '../../show-for-test.tsx';
import type { Withdrawal } from './withdrawal.ts';
import { WithdrawalList } from './withdrawal-list.tsx';
import { WithdrawalResult } from './withdrawal-result.tsx';

const withdrawal: Withdrawal = {
  id: '1',
  status: 'finalized',
  toWallet: 'DestinationWa11etDestinationWa11et11111111',
  amount: '1.25',
  txHash: 'hash1111111111111111',
  gasFee: '0.000005',
  createdAt: 0,
  heldUntil: null,
  holdReason: null,
  label: null,
  tokenContractAddress: null,
  tokenSymbol: 'SOL',
  accountRent: null,
  accountRentIsMaximum: false,
};

it.each([
  ['held', 1, /^Held for your safety until/, 'Cancel withdrawal'],
  ['requested', 1, 'Being checked', 'Another withdrawal'],
  ['resending', 1, 'Sending again', 'Another withdrawal'],
  ['sent', 2, 'Sent', 'Another withdrawal'],
  ['confirmed', 3, 'Withdrawal successful', 'Another withdrawal'],
  ['finalized', 4, 'Withdrawal successful', 'Another withdrawal'],
  ['failed', 0, 'Withdrawal failed, please try again', 'Another withdrawal'],
  ['cancelled', 0, 'Withdrawal canceled', 'Another withdrawal'],
] as const)('tells that a withdrawal is %s, and how far it is', async (status, steps, text, action) => {
  const held = status === 'held' ? ({ holdReason: 'new-address', heldUntil: 1_800_000_000_000 } as const) : {};
  await show(
    <WithdrawalResult
      first={{ ...withdrawal, amount: '1.250001', status, ...held }}
      onAgain={() => {}}
      onDone={() => {}}
    />,
  );
  expect(screen.getAllByText(text).length).toBeGreaterThan(0);
  expect(screen.getByRole('button', { name: action })).toBeTruthy();
  expect(screen.getByRole('status').textContent).toContain('1.250001 SOL');
  expect(figure('Gas fee')).toBe('0.000005 SOL');
  expect(document.querySelectorAll('li > .bg-accent')).toHaveLength(steps);
});

it('lists withdrawals with amount, status and destination', async () => {
  const lists = [
    withdrawal,
    { ...withdrawal, id: '2', status: 'cancelled' as const, amount: '3' },
    { ...withdrawal, id: '3', status: 'held' as const, amount: '5', heldUntil: 1_800_000_000_000 },
    {
      ...withdrawal,
      id: '4',
      status: 'resending' as const,
      amount: '1000.5',
      label: 'Ledger',
      tokenContractAddress: 'mint',
      tokenSymbol: 'BONK',
    },
  ];
  await show(<WithdrawalList />, { replies: { getMyWithdrawals: { lists, total: 4, pageNo: 1, pageSize: 10 } } });
  const rows = await screen.findAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^1\.25 SOLFinalizedDest…1111/),
    expect.stringMatching(/^3 SOLCanceledDest…1111/),
    expect.stringMatching(/^5 SOLHeldDest…1111.*Held for your safety until.*Cancel withdrawal$/),
    expect.stringMatching(/^1,000\.5 BONKSending againLedger · Dest…1111/),
  ]);
});

it('says that withdrawals could not be loaded, one of which may wait to be canceled', async () => {
  await show(<WithdrawalList />, { failing: ['getMyWithdrawals'] });
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
});
