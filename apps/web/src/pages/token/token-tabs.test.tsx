// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../show-for-test.tsx';
import { TokenTabs } from './token-tabs.tsx';

it('leads a visitor from the orders of a token to the login', async () => {
  await show(<TokenTabs address="A" symbol="ALPHA" openOrders={0} tab="orders" onTab={() => {}} />, {
    loggedIn: false,
  });
  expect(screen.getByText('Log in to see your orders of this token')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/login?redirect=%2F');
});
