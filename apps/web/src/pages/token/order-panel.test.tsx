// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { expect, it } from 'vitest';
import { writeQuickBuy } from '../../features/discover/quick-buy-settings.ts';
import { aTokenInfo, aTrigger } from '../../features/triggers/trigger-for-test.ts';
import { useKeptTriggers } from '../../features/trade/kept-triggers.ts';
// Loaded beforehand: it is fetched when another type is chosen, which may take long on a busy machine.
import '../../features/trade/trigger-form.tsx';
import { show } from '../../show-for-test.tsx';
import { browserStorage } from '../../ui/browser-storage.ts';
import { OrderPanel } from './order-panel.tsx';

const info = aTokenInfo();
function Page(props: Omit<ComponentProps<typeof OrderPanel>, 'kept'>) {
  return <OrderPanel {...props} kept={useKeptTriggers()} />;
}
const panel = (amount: string) => (
  <Page
    address={info.token.tokenContractAddress}
    info={info}
    side="buy"
    onSide={() => {}}
    focusRequest={0}
    bookId={null}
    onBook={() => {}}
    amounts={{ buy: amount, sell: '' }}
    onAmounts={() => {}}
    order={{
      progress: { phase: 'idle' },
      submit: () => {},
      askAgain: () => {},
      reset: () => {},
      watch: () => () => {},
    }}
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

it('keeps what is typed for an order that waits while the panel shows an order now', async () => {
  await show(panel(''));
  fireEvent.click(screen.getByText('Limit'));
  fireEvent.change(await screen.findByLabelText('Price'), { target: { value: '0.0016' } });
  fireEvent.click(screen.getByText('Market'));
  expect(screen.queryByLabelText('Price')).toBeNull();
  fireEvent.click(screen.getByText('Limit'));
  expect((await screen.findByLabelText<HTMLInputElement>('Price')).value).toBe('0.0016');
});

it('asks for no amount where one is typed and its quote failed', async () => {
  await show(panel('0.5'), { failing: ['quote'] });
  await screen.findByText(/^Couldn’t get a quote, trying again/);
  expect(screen.queryByText(/^Enter an amount to see a quote/)).toBeNull();
});

it('shows the exits that are open and proposes none of them a second time', async () => {
  const { bookId } = aTrigger();
  const book = { bookId, bookKind: 'personal' as const, bookName: '', amount: '9', availableSol: '1', tradable: true };
  const level = (value: string, when: 'above' | 'below') => ({ unit: 'sol' as const, value, when });
  const lists = [
    aTrigger({ id: '1', level: level('0.0000125', 'below') }),
    aTrigger({
      id: '2',
      kind: 'take-profit',
      amount: { unit: 'percent-held', value: '50' },
      level: level('0.00003', 'above'),
    }),
    aTrigger({ id: '3', kind: 'trailing-stop', bookId: 'another' }),
    aTrigger({ id: '4', kind: 'limit', level: level('0.00004', 'above') }),
  ];
  await show(panel(''), {
    replies: {
      getMyTokenAmount: { amount: '9', books: [book] },
      getMyTriggers: { lists, total: 4, pageNo: 1, pageSize: 100 },
    },
  });
  fireEvent.click(screen.getByText('Exit'));
  const open = await screen.findByRole('region', { name: 'Open exits' });
  expect(
    within(open)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Stop loss at 0.0₄1250\u00A0SOL (≈\u00A0$0.002500) or below · all',
    'Take profit at 0.0₄3000\u00A0SOL (≈\u00A0$0.006000) or above · 50% of holding',
  ]);
  const submit = () => screen.getByTestId<HTMLButtonElement>('trigger-submit');
  expect(submit().disabled).toBe(true);
  fireEvent.click(screen.getByText('Ladder'));
  expect(submit().disabled).toBe(true);
  // Of the kind that is open for another account only, one is proposed.
  fireEvent.click(screen.getByText('Trailing'));
  expect(submit().disabled).toBe(false);
});
