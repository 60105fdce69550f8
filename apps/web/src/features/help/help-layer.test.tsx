// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { show } from '../../show-for-test.tsx';
import HelpLayer from './help-layer.tsx';

const steps = {
  deposited: true,
  found: false,
  bought: false,
  protected: false,
  followed: false,
  recorded: false,
  left: false,
};

/** The layer beside a form, on a screen of that width. */
async function showBeside(narrow: boolean): Promise<void> {
  vi.stubGlobal('matchMedia', () => ({ matches: narrow, addEventListener() {}, removeEventListener() {} }));
  await show(
    <>
      <button type="button">Elsewhere</button>
      <form>
        <input aria-label="Amount" />
        <button type="submit">Send</button>
      </form>
      <HelpLayer />
    </>,
    { replies: { getMyFirstSteps: steps } },
  );
  await screen.findByTestId('guide-pill');
}

it('takes the guide out of the way while a form is filled in on a small screen', async () => {
  await showBeside(true);
  for (const part of [screen.getByLabelText('Amount'), screen.getByRole('button', { name: 'Send' })]) {
    act(() => part.focus());
    expect(screen.queryByTestId('guide-pill')).toBeNull();
  }
  act(() => screen.getByRole('button', { name: 'Elsewhere' }).focus());
  expect(screen.getByTestId('guide-pill')).toBeTruthy();
});

it('leaves the guide where it is beside a form on a wide screen', async () => {
  await showBeside(false);
  act(() => screen.getByLabelText('Amount').focus());
  expect(screen.getByTestId('guide-pill')).toBeTruthy();
});
