// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../show-for-test.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SearchBox } from './search-box.tsx';

it('stays open while Enter and Escape belong to a word that is being composed', async () => {
  await show(<SearchBox />);
  const input = await screen.findByRole('combobox');
  fireEvent.keyDown(document.body, { key: '/' });
  expect(input.getAttribute('aria-expanded')).toBe('true');
  fireEvent.keyDown(input, { key: 'Escape', isComposing: true });
  expect(input.getAttribute('aria-expanded')).toBe('true');
  fireEvent.keyDown(input, { key: 'Escape' });
  expect(input.getAttribute('aria-expanded')).toBe('false');
});

it('is not opened by its key behind a dialog', async () => {
  await show(
    <>
      <SearchBox />
      <Dialog open title="Alert" onClose={() => {}} />
    </>,
  );
  const close = await screen.findByRole('button', { name: 'Close' });
  fireEvent.keyDown(close, { key: '/' });
  expect(screen.getByRole('combobox', { hidden: true }).getAttribute('aria-expanded')).toBe('false');
});
