// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { session } from '../../data/session.ts';
import { show } from '../../show-for-test.tsx';
import { UserMenu } from './user-menu.tsx';

it('shows the balance of the wallet, not what is available of it', async () => {
  await show(<UserMenu />);
  act(() => session.setWalletInfo({ walletAddress: 'W', tokenBalance: '12.48', available: '3', withdrawable: '2' }));
  expect(screen.getByTestId('header-balance').textContent).toBe('12.48 SOL');
  expect(screen.getByRole('button', { name: 'Your account, balance 12.48 SOL' })).toBeTruthy();
});

it('offers to log in where nobody is logged in', async () => {
  await show(<UserMenu />, { loggedIn: false, language: 'zh' });
  expect(screen.getByTestId('login-button').textContent).toBe('登录');
});
