// @vitest-environment happy-dom
import { errorCatalogue } from '@hunter/contract/error-catalogue';
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { figure, show, tableRows } from '../../show-for-test.tsx';
import { BuyPreview } from './buy-preview.tsx';

const buy = {
  tokenContractAddress: 'A',
  tokenSymbol: 'ALPHA',
  solAmount: '2',
  expectedTokens: '2500',
  price: '0.0008',
  priceImpact: '1.5',
  skip: null,
  limitedBy: null,
};

it('shows what is bought, what it costs, and what stays in SOL without what is skipped', async () => {
  await show(<BuyPreview capital="5" coins={[{ tokenContractAddress: 'A', weight: '50' }]} />, {
    replies: {
      previewStrategy: {
        buys: [buy, { ...buy, tokenContractAddress: 'B', tokenSymbol: 'BETA', skip: 'venue-refused' }],
        cost: '0.05',
        costPercent: '1',
      },
    },
  });
  expect(await tableRows('Buys')).toMatchObject([
    { Coin: 'ALPHA', SOL: '2.00 SOL', Tokens: '2.50K', 'Price impact': '1.50%' },
    { Coin: 'BETA', SOL: 'Can’t be bought right now' },
  ]);
  expect(figure('Stays in SOL')).toBe('3.00 SOL');
  expect(figure('Est. entry cost')).toBe('0.0500 SOL · 1.00%');
});

it('says that nothing is bought without coins', async () => {
  await show(<BuyPreview capital="5" coins={[]} />);
  expect(screen.getByText('Nothing is bought; the capital stays in SOL.')).toBeTruthy();
});

function TypedCapital() {
  const [capital, setCapital] = useState<string | null>(null);
  return (
    <>
      <button onClick={() => setCapital('0.05')}>Type</button>
      <BuyPreview capital={capital} coins={[{ tokenContractAddress: 'A', weight: '50' }]} />
    </>
  );
}

it('says beforehand why publishing would be refused', async () => {
  await show(<TypedCapital />);
  const refusal = { code: errorCatalogue.AMOUNT_TOO_SMALL.code, msg: '', data: { minimum: '0.12 SOL' } };
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(refusal)));
  fireEvent.click(screen.getByRole('button', { name: 'Type' }));
  expect(await screen.findByText('The amount is too small, the minimum is 0.12 SOL')).toBeTruthy();
});
