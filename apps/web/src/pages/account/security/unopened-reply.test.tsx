// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { show } from '../../../show-for-test.tsx';
import { toast } from '../../../ui/toast-store.ts';
import FactorDialog from './factors/factor-dialog.tsx';
import { noFactors } from './factors-for-test.ts';
import KeyDialog from './key-dialog.tsx';

/** Sealed to somebody else's key. */
const unreadable = {
  publicKey: 'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
  box: 'A'.repeat(96),
};
const shownErrors = () =>
  toast.store
    .getState()
    .toasts.filter(({ kind }) => kind === 'error')
    .map(({ text }) => text);

it('says that the private key could not be decrypted, and leaves the form for another try', async () => {
  await show(<KeyDialog onClose={() => {}} />, {
    replies: { getMyFactors: noFactors, exportKey: { address: 'own', privateKey: unreadable } },
  });
  const press = screen.getByRole<HTMLButtonElement>('button', { name: 'Show private key' });
  await expect.poll(() => press.disabled).toBe(false);
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'my password' } });
  fireEvent.change(screen.getByLabelText('Verification code'), { target: { value: '123456' } });
  fireEvent.click(press);
  await expect.poll(shownErrors).toEqual([expect.stringContaining('couldn’t decrypt the private key')]);
  expect(screen.getByRole('button', { name: 'Show private key' })).toBeTruthy();
});

it('says that new recovery codes were lost and what to do, and closes: the change is made', async () => {
  const onClose = vi.fn();
  await show(<FactorDialog action={{ kind: 'codes' }} factors={noFactors} onClose={onClose} />, {
    replies: { renewRecoveryCodes: { recoveryCodes: unreadable } },
  });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'my password' } });
  fireEvent.click(screen.getByRole('button', { name: 'Replace the codes' }));
  await expect.poll(shownErrors).toContainEqual(expect.stringContaining('Create new recovery codes'));
  expect(onClose).toHaveBeenCalled();
});
