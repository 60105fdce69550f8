// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { aTokenInfo } from '../../features/triggers/trigger-for-test.ts';
import { show } from '../../show-for-test.tsx';
import { TradeSheet } from './trade-sheet.tsx';

it('says the price now, which the sheet covers on the page', async () => {
  const { token } = aTokenInfo({ change1h: '-4.5' });
  const sheet = (
    <TradeSheet address={token.tokenContractAddress} token={token} open onOpen={() => {}} onClose={() => {}}>
      form
    </TradeSheet>
  );
  await show(sheet);
  expect((await screen.findByTestId('sheet-price')).textContent).toBe('$0.003000 -4.50% 1h');
});
