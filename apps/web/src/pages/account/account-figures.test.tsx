// @vitest-environment happy-dom
import type { CallReply } from '@hunter/contract/calls';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show, toneOfText } from '../../show-for-test.tsx';
import { AccountFigures } from './account-figures.tsx';

const account: CallReply<'getMyAccount'> = {
  balance: '20',
  available: '7',
  equity: '25.5',
  equityUsd: '5100',
  inStrategies: '6',
  inFollows: '3',
  rentDeposits: '0.1',
  deposited: '30',
  withdrawn: '1',
  totalReturnRate: '-11.67',
  totalProfit: '-3.5',
  leadProfit: null,
};
const text = (name: string) => screen.getByTestId(`figure-${name}`).textContent;

it('shows balance, equity and return of the account, each with its parts', async () => {
  await show(<AccountFigures account={account} />);
  expect(text('balance')).toBe('Balance20.00 SOL7.00\u00A0SOL available · 13.00\u00A0SOL set aside');
  expect(text('equity')).toBe('Equity25.50 SOL$5.10K6.00\u00A0SOL in strategies · 3.00\u00A0SOL in follows');
  expect(text('total-return')).toBe('Total return rate-11.67%PnL -3.50 SOL');
  expect(toneOfText('-11.67%')).toBe('down');
  expect(toneOfText('-3.50 SOL')).toBe('down');
  expect(text('lead-profit')).toContain('Coming soon');
});

it('says nothing of SOL that is set aside where all of it is available', async () => {
  await show(<AccountFigures account={{ ...account, available: '20' }} />);
  expect(text('balance')).toBe('Balance20.00 SOL20.00\u00A0SOL available');
});

it('shows what cannot be priced as not known', async () => {
  await show(
    <AccountFigures
      account={{ ...account, equity: null, equityUsd: null, totalReturnRate: null, totalProfit: null }}
    />,
  );
  expect(text('total-return')).toBe('Total return rate-PnL -');
});
