// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { session } from '../../data/session.ts';
import { setEquity } from './equity-in-header.ts';

const walletInfo = {
  walletAddress: 'W',
  tokenBalance: '1.5',
  available: '1',
  committed: '0',
  equity: '1.5',
  withdrawable: '0.9',
};

it('gives the header the equity of the page, and leaves a wallet that is on its way to be taken', () => {
  session.setUser({ token: 't1', email: 'a@b.c', walletInfo });
  const take = session.awaitWallet('t1');
  setEquity('1.75');
  expect(session.store.getState().user?.walletInfo).toEqual({ ...walletInfo, equity: '1.75' });
  take({ email: 'a@b.c', walletInfo: { ...walletInfo, tokenBalance: '7' } });
  expect(session.store.getState().user?.walletInfo?.tokenBalance).toBe('7');
});
