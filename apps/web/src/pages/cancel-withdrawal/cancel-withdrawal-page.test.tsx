// @vitest-environment happy-dom
import type { CallReply } from '@hunter/contract/calls';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../show-for-test.tsx';
import CancelWithdrawalPage from './cancel-withdrawal-page.tsx';

const withdrawal: CallReply<'getMailedWithdrawal'> = {
  id: '1',
  status: 'held',
  toWallet: 'W'.repeat(44),
  label: null,
  tokenContractAddress: null,
  tokenSymbol: 'SOL',
  amount: '5',
  txHash: null,
  gasFee: null,
  accountRent: null,
  accountRentIsMaximum: false,
  createdAt: 0,
  heldUntil: 1_700_000_000_000,
  holdReason: 'new-address',
};

it('offers to cancel what is held, and says that nothing was sent only then', async () => {
  location.hash = `#${'a'.repeat(43)}`;
  await show(<CancelWithdrawalPage />, { replies: { getMailedWithdrawal: withdrawal } });
  expect(await screen.findByRole('button', { name: 'Cancel withdrawal' })).toBeTruthy();
  expect(screen.getByText(/Nothing has been sent yet/)).toBeTruthy();
});

it('does not say that nothing was sent where it is too late', async () => {
  location.hash = `#${'a'.repeat(43)}`;
  await show(<CancelWithdrawalPage />, {
    replies: { getMailedWithdrawal: { ...withdrawal, status: 'sent', heldUntil: null } },
  });
  expect((await screen.findByRole('alert')).textContent).toBe('This withdrawal can no longer be canceled.');
  expect(screen.queryByRole('button', { name: 'Cancel withdrawal' })).toBeNull();
  expect(screen.queryByText(/Nothing has been sent yet/)).toBeNull();
});
