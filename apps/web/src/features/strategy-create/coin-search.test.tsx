// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { show } from '../../show-for-test.tsx';
import { CoinSearch } from './coin-search.tsx';
import type { FoundToken } from './coin-search.tsx';

const frog: FoundToken = {
  tokenContractAddress: 'A',
  tokenLogoUrl: '/a.svg',
  tokenName: 'Quiet frog',
  tokenSymbol: 'FROG',
  price: '0.25',
  change: '-2.5',
  marketCap: '3000000',
  liquidity: '44000',
  holders: 1200,
};

it('adds nothing with Enter while the answer to what was typed before is listed', async () => {
  const onAdd = vi.fn<(token: FoundToken) => void>();
  const reply = { lists: [frog], total: 1, pageNo: 1, pageSize: 15 };
  await show(<CoinSearch exclude={[]} disabled={false} onAdd={onAdd} />, { replies: { getTokenList: reply } });
  const field = screen.getByRole('combobox');
  fireEvent.change(field, { target: { value: 'frog' } });
  await screen.findByTestId('coin-option');

  const unanswered = vi.fn<typeof fetch>(() => new Promise(() => {}));
  vi.stubGlobal('fetch', unanswered);
  fireEvent.change(field, { target: { value: 'cat' } });
  await expect.poll(() => unanswered).toHaveBeenCalledWith(expect.stringContaining('keyword=cat'), expect.anything());
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(onAdd).not.toHaveBeenCalled();

  fireEvent.change(field, { target: { value: 'frog' } });
  await screen.findByTestId('coin-option');
  fireEvent.keyDown(field, { key: 'Escape', isComposing: true });
  expect(screen.getByTestId('coin-option')).toBeTruthy();
  await expect.poll(() => (fireEvent.keyDown(field, { key: 'Enter' }), onAdd)).toHaveBeenCalledWith(frog);
});
