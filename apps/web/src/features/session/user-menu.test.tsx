// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { session } from '../../data/session.ts';
import { show } from '../../show-for-test.tsx';
// Loaded beforehand: it is fetched when somebody is logged in, which may take long on a busy machine.
import './logged-in-menu.tsx';
import { UserMenu } from './user-menu.tsx';

const wallet = {
  walletAddress: 'W',
  tokenBalance: '12.48',
  available: '3',
  committed: '7.5',
  equity: '20.5',
  withdrawable: '2',
};

it('shows the equity of the account, and what is available of it beside', async () => {
  await show(<UserMenu />);
  await screen.findByTestId('header-balance');
  act(() => session.setWalletInfo(wallet));
  await expect.poll(() => screen.getByTestId('header-balance').textContent).toBe('20.50 SOL');
  expect(screen.getByTestId('header-available').textContent).toBe('3.00 SOL avail.');
  expect(screen.getByRole('button', { name: 'Your account, equity 20.50\u00A0SOL 3.00\u00A0SOL avail.' })).toBeTruthy();
});

it('shows no equity where a part of it cannot be priced', async () => {
  await show(<UserMenu />);
  await screen.findByTestId('header-balance');
  act(() => session.setWalletInfo({ ...wallet, committed: null, equity: null }));
  await expect.poll(() => screen.getByTestId('header-available').textContent).toBe('3.00 SOL avail.');
  expect(screen.getByTestId('header-balance').textContent).toBe('-');
});

it('offers to log in where nobody is logged in', async () => {
  await show(<UserMenu />, { loggedIn: false, language: 'zh' });
  expect(screen.getByTestId('login-button').textContent).toBe('登录');
});
