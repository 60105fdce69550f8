// @vitest-environment happy-dom
import { errorCatalogue } from '@hunter/contract/error-catalogue';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { show } from '../../show-for-test.tsx';
import LoginPage from './login-page.tsx';

async function showLogin(answer: object): Promise<void> {
  await show(<></>, { loggedIn: false });
  cleanup();
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(answer)));
  const root = createRootRoute();
  const login = createRoute({ getParentRoute: () => root, path: '/login', component: LoginPage });
  const router = createRouter({
    routeTree: root.addChildren([login]),
    history: createMemoryHistory({ initialEntries: ['/login'] }),
  });
  await router.load();
  render(<RouterProvider router={router as never} />);
  fireEvent.change(await screen.findByLabelText('Email'), { target: { value: 'ann@example.com' } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'my password' } });
  fireEvent.click(screen.getByRole('button', { name: 'Log in' }));
}

it('leads from the second factor back to email and password', async () => {
  const data = { factorId: 'f', address: 'own', rpId: 'localhost', factors: ['totp'], credentialIds: [] };
  await showLogin({ code: errorCatalogue.LOGIN_FACTOR_REQUIRED.code, msg: '', data });
  await screen.findByTestId('factor-prompt');
  expect(screen.queryByLabelText('Email')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Back to login' }));
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ann@example.com');
  expect(screen.queryByTestId('factor-prompt')).toBeNull();
});
