// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { session } from '../../data/session.ts';
import { show } from '../../show-for-test.tsx';
import { browserStorage } from '../../ui/browser-storage.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { writeRecent } from './recent-searches.ts';
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

it('shows recent searches to the user whose they are, and to nobody who logs in after him', async () => {
  writeRecent(browserStorage, 'ann@example.com', [
    { tokenContractAddress: 'F', tokenSymbol: 'FROG', tokenName: 'Frog', tokenLogoUrl: '' },
  ]);
  await show(<SearchBox />);
  await screen.findByRole('combobox');
  fireEvent.keyDown(document.body, { key: '/' });
  expect(await screen.findByText('FROG')).toBeTruthy();
  act(() => session.clear());
  expect(screen.queryByText('FROG')).toBeNull();
  act(() => session.setUser({ token: 'other', email: 'bob@example.com' }));
  expect(screen.queryByText('FROG')).toBeNull();
  act(() => session.setUser({ token: 'again', email: 'ann@example.com' }));
  expect(await screen.findByText('FROG')).toBeTruthy();
});
