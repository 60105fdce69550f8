// @vitest-environment happy-dom
import type { CallReply } from '@hunter/contract/calls';
import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useStore } from 'zustand/react';
import { createStore } from 'zustand/vanilla';
import { session } from '../../data/session.ts';
import { show } from '../../show-for-test.tsx';
import { AccountFigures } from './account-figures.tsx';
import { useSharedEquity } from './shared-equity.ts';

const walletInfo = {
  walletAddress: 'W',
  tokenBalance: '1.5',
  available: '1',
  committed: '0',
  equity: '1.5',
  withdrawable: '0.9',
};
const account: CallReply<'getMyAccount'> = {
  balance: '1',
  available: '1',
  equity: '1.75',
  equityUsd: '350',
  inStrategies: '0',
  inFollows: '0',
  rentDeposits: '0',
  deposited: '1',
  withdrawn: '0',
  totalReturnRate: '0',
  totalProfit: '0',
  leadProfit: null,
};

const answers = createStore<{ account?: CallReply<'getMyAccount'> }>(() => ({}));
const answer = (given: CallReply<'getMyAccount'>) => answers.setState({ account: given });

function Page() {
  return <AccountFigures account={useSharedEquity(useStore(answers).account)} />;
}

const inHeader = () => session.store.getState().user?.walletInfo?.equity;
const onPage = () => screen.getByTestId('figure-equity').textContent;

it('shows one equity in header and page, whichever of them is told a newer one', async () => {
  await show(<Page />);
  act(() => session.setUser({ token: 't1', email: 'a@b.c', walletInfo }));
  act(() => answer(account));
  expect([inHeader(), onPage()]).toEqual(['1.75', expect.stringContaining('1.75 SOL$350.00')]);
  // A withdrawal: the header is told before the page has asked again.
  act(() => session.setWalletInfo({ ...walletInfo, equity: '0.5' }));
  expect([inHeader(), onPage()]).toEqual(['0.5', expect.stringContaining('0.5000 SOL$100.00')]);
  act(() => answer({ ...account, equity: '0.4', equityUsd: '80' }));
  expect([inHeader(), onPage()]).toEqual(['0.4', expect.stringContaining('0.4000 SOL$80.00')]);
  // The header prices the wallet again by itself.
  const take = session.awaitWallet('t1');
  act(() => take({ email: 'a@b.c', walletInfo: { ...walletInfo, equity: null } }));
  expect([inHeader(), onPage()]).toEqual([null, expect.stringContaining('-')]);
});
