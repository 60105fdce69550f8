// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { show } from '../../../show-for-test.tsx';
import ApiKeyDialog from './api-keys/api-key-dialog.tsx';
import { TradingSettings } from './trading-settings.tsx';

const noFactors = {
  rpId: 'localhost',
  address: 'own',
  passkeys: [],
  totp: null,
  recoveryCodesLeft: 0,
  loginRequired: false,
  recovery: null,
  recoveryDelayMs: 0,
  exportReadyAt: null,
};

const apiKey = {
  id: '1',
  name: 'bot',
  scope: 'read' as const,
  hint: 'once',
  createdAt: 0,
  expiresAt: 1,
  expired: false,
  lastUsedAt: null,
  lastUsedFrom: '',
  requestsPerSecond: 5,
  dailySol: null,
  spentTodaySol: '0',
  addresses: [],
};

it('keeps a new API key on the screen until its owner says that it is saved', async () => {
  const onClose = vi.fn();
  await show(<ApiKeyDialog onMade={() => {}} onClose={onClose} />, {
    replies: { getMyFactors: noFactors, createApiKey: { key: 'hk_only_shown_once', apiKey } },
  });
  const make = screen.getByRole<HTMLButtonElement>('button', { name: 'Create API key' });
  await expect.poll(() => make.disabled).toBe(false);
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'bot' } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'my password' } });
  fireEvent.click(make);
  expect((await screen.findByTestId('made-api-key')).textContent).toBe('hk_only_shown_once');
  fireEvent.keyDown(screen.getByTestId('made-api-key'), { key: 'Escape' });
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'I have saved it' }));
  expect(onClose).toHaveBeenCalled();
});

it('says that the settings could not be loaded', async () => {
  await show(<TradingSettings />, { failing: ['getMySettings'] });
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
});
