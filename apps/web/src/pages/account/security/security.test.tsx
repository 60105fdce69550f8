// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { answering, show } from '../../../show-for-test.tsx';
import { queryClient } from '../../../data/query-client.ts';
import { apiKey as cacheKey } from '../../../data/use-api-query.ts';
import { SavedAddresses } from '../../../features/withdraw/saved-addresses.tsx';
import { WithdrawalLimits } from '../../../features/withdraw/withdrawal-limits.tsx';
import ApiKeyDialog from './api-keys/api-key-dialog.tsx';
import { ApiKeysBlock } from './api-keys/api-keys-block.tsx';
import FactorDialog from './factors/factor-dialog.tsx';
import { FactorsBlock } from './factors/factors-block.tsx';
import { Invites } from './invites.tsx';
import { noFactors } from './factors-for-test.ts';
import KeyDialog from './key-dialog.tsx';
import { OperatorReads } from './operator-reads.tsx';
import { SessionList } from './session-list.tsx';
import { TradingSettings } from './trading-settings.tsx';

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

it.each([
  [<FactorsBlock key="factors" />, 'Add authenticator app'],
  [<ApiKeysBlock key="keys" />, 'Create API key'],
])('gives the focus back to the button that opened a dialog (%#)', async (block, name) => {
  const replies = { getMyFactors: noFactors, getMyApiKeys: { lists: [] } };
  await show(block, { replies });
  const opener = await screen.findByRole('button', { name });
  act(() => opener.focus());
  fireEvent.click(opener);
  const dialog = await screen.findByRole('dialog');
  const first = within(dialog).getByLabelText('Name');
  await expect.poll(() => document.activeElement).toBe(first);
  fireEvent.keyDown(first, { key: 'Escape' });
  await expect.poll(() => document.activeElement).toBe(opener);
});

it('shows recovery codes under a name of their own', async () => {
  await show(<FactorDialog action={{ kind: 'codes' }} factors={noFactors} onClose={() => {}} />, {
    replies: { renewRecoveryCodes: { recoveryCodes: ['AAAA-BBBB-CCCC'] } },
  });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'my password' } });
  fireEvent.click(screen.getByRole('button', { name: 'Replace the codes' }));
  expect((await screen.findByRole('dialog', { name: 'Your recovery codes' })).textContent).toContain('AAAA-BBBB-CCCC');
});

it('says of a key that is shown only what still matters', async () => {
  await show(<KeyDialog onClose={() => {}} />, {
    replies: { getMyFactors: noFactors, exportKey: { address: 'own', privateKey: 'the key' } },
  });
  const dialog = screen.getByRole('dialog');
  const press = screen.getByRole<HTMLButtonElement>('button', { name: 'Show private key' });
  await expect.poll(() => press.disabled).toBe(false);
  expect(dialog.textContent).toContain('Showing it needs your password');
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'my password' } });
  fireEvent.change(screen.getByLabelText('Verification code'), { target: { value: '123456' } });
  fireEvent.click(press);
  await screen.findByTestId('private-key');
  expect(dialog.textContent).toContain('Whoever has it controls the wallet.');
  expect(dialog.textContent).not.toContain('Showing it needs');
});

it('says that the settings could not be loaded', async () => {
  await show(<TradingSettings />, { failing: ['getMySettings'] });
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
});

it('keeps new recovery codes on the screen until their owner says that they are saved, also where a read fails', async () => {
  const totp = { id: 'app', name: 'phone', createdAt: 0, lastUsedAt: null };
  const factors = { ...noFactors, totp, recoveryCodesLeft: 1 };
  await show(<FactorsBlock />, {
    replies: { getMyFactors: factors, renewRecoveryCodes: { recoveryCodes: ['first-code', 'second-code'] } },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'New recovery codes' }));
  fireEvent.change(await screen.findByLabelText('Password'), { target: { value: 'my password' } });
  fireEvent.click(screen.getByRole('button', { name: 'Replace the codes' }));
  fireEvent.change(await screen.findByLabelText('Code from your authenticator app'), { target: { value: '123456' } });
  vi.stubGlobal(
    'fetch',
    answering({ renewRecoveryCodes: { recoveryCodes: ['first-code', 'second-code'] } }, ['getMyFactors']),
  );
  fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  const codes = await screen.findByTestId('recovery-codes');
  await expect.poll(() => queryClient.getQueryState(cacheKey('getMyFactors', {}))?.status).toBe('error');
  fireEvent.keyDown(codes, { key: 'Escape' });
  expect(screen.getByTestId('recovery-codes').textContent).toBe('first-codesecond-code');
  fireEvent.click(screen.getByRole('button', { name: 'I have saved them' }));
  expect(screen.queryByTestId('recovery-codes')).toBeNull();
});

it('keeps what is typed beside saved addresses that could not be read anew', async () => {
  const saved = { toWallet: 'A'.repeat(44), label: 'cold', usedBefore: true, changedAt: 0 };
  await show(<SavedAddresses />, { replies: { getMyWithdrawalAddresses: { lists: [saved] } } });
  fireEvent.change(await screen.findByLabelText('Label'), { target: { value: 'exchange' } });
  vi.stubGlobal('fetch', answering({}, ['getMyWithdrawalAddresses']));
  await queryClient.invalidateQueries({ queryKey: cacheKey('getMyWithdrawalAddresses') });
  // The cache tells its readers in a turn of its own.
  await act(() => new Promise((told) => void setTimeout(told)));
  expect(screen.getByText('cold')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Label').value).toBe('exchange');
});

it('cancels a raise of the withdrawal limits that somebody asked for, without a password or lower limits', async () => {
  const now = { dailySol: '5', delaysNew: true };
  const limits = { now, next: { dailySol: '400', delaysNew: false, from: 1 }, dailySolMax: '500', largeSol: '50' };
  await show(<WithdrawalLimits />, {
    replies: { getMyWithdrawalLimits: limits, saveMyWithdrawalLimits: { ...limits, next: null } },
  });
  expect((await screen.findByTestId('raised-limits')).textContent).toMatch(/To cancel this, save the present limits/);
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  const sent = () => vi.mocked(fetch).mock.calls.find(([url]) => (url as string).includes('saveMyWithdrawalLimits'));
  await expect.poll(sent).toBeTruthy();
  const { t: _, ...request } = JSON.parse(sent()![1]!.body as string) as Record<string, unknown>;
  expect(request).toEqual(now);
});

it.each(['en', 'zh'] as const)('names the button that ends a session by what it shows (%s)', async (language) => {
  const session = { id: '1', createdAt: 0, lastSeenAt: 0, device: '', address: '10.0.0.1', current: false };
  await show(<SessionList />, { language, replies: { getMySessions: { lists: [session] } } });
  const button = await screen.findByRole('button');
  expect(button.getAttribute('aria-label')).toContain(button.textContent);
});

it('keeps invites and operator reads that could not be read anew', async () => {
  const invite = { code: 'HUNT-1', usesLeft: 1, usesTotal: 1, usedBy: [] };
  const read = { operator: 'root', reason: 'ticket 7', time: 0 };
  const lists = (
    <>
      <Invites />
      <OperatorReads />
    </>
  );
  const replies = { getMyInvites: { lists: [invite], invitedBy: null }, getMyOperatorReads: { lists: [read] } };
  await show(lists, { replies });
  await screen.findByText('HUNT-1');
  await screen.findByText('ticket 7');
  vi.stubGlobal('fetch', answering({}, ['getMyInvites', 'getMyOperatorReads']));
  await queryClient.invalidateQueries();
  // The cache tells its readers in a turn of its own.
  await act(() => new Promise((told) => void setTimeout(told)));
  expect(screen.getByText('HUNT-1')).toBeTruthy();
  expect(screen.getByText('ticket 7')).toBeTruthy();
});
