// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ApiFailure } from '../data/api-failure.ts';
import type { FailureKind } from '../data/api-failure.ts';
import { show } from '../show-for-test.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { FormDialog } from './form-dialog.tsx';

const noResponse: FailureKind = { kind: 'no-response' };
const refused: FailureKind = { kind: 'envelope', code: 1200, msg: '', data: null };
const failing = (reason: FailureKind) => () => Promise.reject(new ApiFailure(reason));
const warning = () => screen.queryByRole('alert')?.textContent;

const dialogs = {
  form: (reason: FailureKind) => (
    <FormDialog title="Add funds" submitLabel="Go" onSubmit={failing(reason)} onClose={() => {}}>
      {() => null}
    </FormDialog>
  ),
  confirmation: (reason: FailureKind) => (
    <ConfirmDialog open title="Sell all?" confirmLabel="Go" onConfirm={failing(reason)} onClose={() => {}} />
  ),
};

it.each(['form', 'confirmation'] as const)('a %s says that what got no answer may have happened', async (kind) => {
  await show(dialogs[kind](noResponse));
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Go' });
  fireEvent.click(button);
  await expect.poll(warning).toContain('it may have gone through');
  expect(button.disabled).toBe(false);
});

it.each(['form', 'confirmation'] as const)('a %s adds nothing to a refusal, which the call has told', async (kind) => {
  await show(dialogs[kind](refused));
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Go' });
  fireEvent.click(button);
  await expect.poll(() => button.disabled).toBe(false);
  expect(warning()).toBeUndefined();
});
