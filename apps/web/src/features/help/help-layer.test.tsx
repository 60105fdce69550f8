// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
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

/** The layer on a page with the menu of small screens, on a screen of that width. */
async function showOn(narrow: boolean): Promise<HTMLElement> {
  vi.stubGlobal('matchMedia', () => ({ matches: narrow, addEventListener() {}, removeEventListener() {} }));
  await show(
    <>
      <main id="content" />
      <nav />
      <HelpLayer />
    </>,
    { replies: { getMyFirstSteps: steps } },
  );
  return screen.findByTestId('guide-pill');
}

it('puts the guide into the menu of a small screen, where it covers nothing of the page', async () => {
  const guide = await showOn(true);
  expect(screen.getByRole('navigation').contains(guide)).toBe(true);
  expect(guide.textContent).toBe('1/5Getting started');
});

it('lets the guide float above the page on a wide screen, where the shell knows it', async () => {
  const guide = await showOn(false);
  expect(guide.matches('#content ~ [data-floating]')).toBe(true);
  expect(screen.getByRole('navigation').contains(guide)).toBe(false);
});
