// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../show-for-test.tsx';
import { NewestDeposit, type Deposit } from './newest-deposit.tsx';

const seen: Deposit = {
  tokenContractAddress: null,
  tokenSymbol: 'SOL',
  amount: '2',
  txHash: 'hash1111111111111111',
  status: 'seen',
};

it.each([
  ['seen', 'Received 2\u00a0SOL confirming'],
  ['orphaned', '2\u00a0SOL dropped by the network'],
] as const)('that is %s says: %s', async (status, text) => {
  await show(<NewestDeposit deposit={{ ...seen, status }} />);
  expect((await screen.findByRole('status')).textContent).toBe(text);
});
