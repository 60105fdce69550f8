// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { writeQuickBuy } from '../../features/discover/quick-buy-settings.ts';
import { aTokenInfo } from '../../features/triggers/trigger-for-test.ts';
// Loaded beforehand: it is fetched when another type is chosen, which may take long on a busy machine.
import '../../features/trade/trigger-form.tsx';
import { show } from '../../show-for-test.tsx';
import { browserStorage } from '../../ui/browser-storage.ts';
import { OrderPanel } from './order-panel.tsx';

const info = aTokenInfo();
const panel = (amount: string) => (
  <OrderPanel
    address={info.token.tokenContractAddress}
    info={info}
    side="buy"
    onSide={() => {}}
    focusRequest={0}
    bookId={null}
    onBook={() => {}}
    amounts={{ buy: amount, sell: '' }}
    onAmounts={() => {}}
    order={{ progress: { phase: 'idle' }, submit: () => {}, askAgain: () => {}, reset: () => {} }}
    onPlanned={() => {}}
    onPlaced={() => {}}
  />
);

it('offers the amounts that the account has chosen for quick buys, now and for orders that wait', async () => {
  writeQuickBuy(browserStorage, 'ann@example.com', { amounts: ['0.25', '0.75', '0.75'], armed: false });
  await show(panel(''));
  const offered = () =>
    within(screen.getByRole('group', { name: 'Quick amounts' }))
      .getAllByRole('button')
      .map(({ textContent }) => textContent);
  expect(offered()).toEqual(['0.25', '0.75', '0.75', 'Max']);
  fireEvent.click(screen.getByText('Limit'));
  await screen.findByTestId('trigger-form');
  expect(offered()).toEqual(['0.25', '0.75', '0.75']);
});

it('asks for no amount where one is typed and its quote failed', async () => {
  await show(panel('0.5'), { failing: ['quote'] });
  await screen.findByText(/^Couldn’t get a quote, trying again/);
  expect(screen.queryByText(/^Enter an amount to see a quote/)).toBeNull();
});
