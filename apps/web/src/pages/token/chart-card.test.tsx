// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { expect, it, vi } from 'vitest';
import * as prices from '../../data/live-prices.ts';
import { emptyDraft } from '../../features/trade/trigger-draft.ts';
import { aTokenInfo, aTrigger } from '../../features/triggers/trigger-for-test.ts';
import type { PlannedOrders } from '../../features/trade/planned-lines.ts';
import type { Trigger } from '../../features/triggers/trigger.ts';
// Loaded beforehand: it is fetched when a line is dropped, which may take long on a busy machine.
import '../../features/triggers/move-dialog.tsx';
import { figure, show } from '../../show-for-test.tsx';
import { ChartCard } from './chart-card.tsx';

const shown = vi.hoisted(() => ({
  lines: [] as readonly unknown[],
  onLineMoved: (_id: string, _value: number): void => {},
}));
vi.mock('../../chart/candle-chart.tsx', () => ({
  default: (props: typeof shown) => {
    Object.assign(shown, props);
    return <div data-testid="candles" />;
  },
}));

const { token } = aTokenInfo();
const buy: PlannedOrders = {
  bookId: 'b',
  tokens: '1000',
  cost: '0.5',
  levels: { stop: '20', target: '', trail: '' },
};
let setTriggers: (triggers: readonly Trigger[]) => void;
let setPlanned: (orders: PlannedOrders | null) => void;

function Card() {
  const [triggers, set] = useState<readonly Trigger[]>([aTrigger()]);
  const [planned, setOrders] = useState<PlannedOrders | null>(null);
  useEffect(() => {
    setTriggers = set;
    setPlanned = setOrders;
  }, []);
  const address = token.tokenContractAddress;
  return (
    <ChartCard
      address={address}
      token={token}
      triggers={triggers}
      planned={planned}
      interval="15m"
      onInterval={() => {}}
    />
  );
}

it.each([
  ['of an order that fired while it was held', 'one that fired', 0.002],
  ['below zero', aTrigger().id, -0.002],
])('draws the lines anew where one was dropped %s', async (_, id, value) => {
  await show(<Card />);
  await screen.findByTestId('candles');
  const { lines } = shown;
  act(() => shown.onLineMoved(id, value));
  expect(shown.lines).toEqual(lines);
  expect(shown.lines).not.toBe(lines);
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('moves no order that fires while the dialog asks, and says so', async () => {
  await show(<Card />);
  await screen.findByTestId('candles');
  act(() => shown.onLineMoved(aTrigger().id, 0.002));
  const confirm = await screen.findByRole<HTMLButtonElement>('button', { name: 'Move order' });
  expect(confirm.disabled).toBe(false);
  act(() => setTriggers([]));
  expect(screen.getByRole('alert').textContent).toBe('This order is no longer open and cannot be changed.');
  expect(confirm.disabled).toBe(true);
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

it('shows the level as it is now where the order was changed elsewhere while the dialog asks', async () => {
  await show(<Card />);
  await screen.findByTestId('candles');
  act(() => shown.onLineMoved(aTrigger().id, 0.002));
  await screen.findByRole('dialog');
  act(() => setTriggers([aTrigger({ level: { unit: 'sol', value: '0.00001', when: 'below' } })]));
  expect(figure('From')).toBe('0.0₄1000\u00A0SOL (≈\u00A0$0.002000)');
});

it.each([
  ['en', 'Est. average cost', 'Stop loss -20% (≈ -0.1000 SOL)'],
  ['zh', '预计持仓均价', '止损 -20% (≈ -0.1000 SOL)'],
] as const)(
  'draws the levels of a buy that is being composed, and no order to drag (%s)',
  async (language, cost, stop) => {
    await show(<Card />, { language, replies: { getMyPositions: { lists: [], total: 0, pageNo: 1, pageSize: 100 } } });
    await screen.findByTestId('candles');
    act(() => setPlanned(buy));
    const planned = { draggable: false, isPlanned: true };
    await expect
      .poll(() => shown.lines.slice(1))
      .toEqual([
        {
          ...planned,
          id: 'planned:cost',
          value: 0.1,
          label: cost,
          tone: 'accent',
        },
        {
          ...planned,
          id: 'planned:stop-loss',
          value: 0.08,
          label: stop,
          tone: 'down',
        },
      ]);
    // What is drawn stays the same while nothing of it changes.
    const { lines } = shown;
    act(() => setPlanned({ ...buy }));
    expect(shown.lines).toBe(lines);
    act(() => setPlanned(null));
    expect(shown.lines).toHaveLength(1);
  },
);

it('draws all lines at the dollars per SOL of the last trade, and a typed price where it is typed', async () => {
  const rated: { rate: number | undefined } = { rate: undefined };
  vi.spyOn(prices, 'useLiveUsdPerSol').mockImplementation(() => rated.rate);
  await show(<Card />, { replies: { getMyPositions: { lists: [], total: 0, pageNo: 1, pageSize: 100 } } });
  await screen.findByTestId('candles');
  const values = () => (shown.lines as { id: string; value: number }[]).map(({ id, value }) => [id, value]);
  expect(values()).toEqual([[aTrigger().id, 0.0025]]);
  rated.rate = 100;
  const draft = { ...emptyDraft, price: '0.0012345' };
  act(() => setPlanned({ bookId: 'b', type: 'limit', side: 'buy', draft }));
  expect(values()).toEqual([
    [aTrigger().id, 0.00125],
    ['planned:limit', 0.0012345],
  ]);
});

it('takes the keyboard from what a chart over the whole window covers, and gives it back', async () => {
  const page = (
    <>
      <header />
      <main>
        <p>Beside</p>
        <Card />
      </main>
      <aside>Toasts</aside>
    </>
  );
  await show(page);
  const isOut = () => ['header', 'p', 'aside'].map((name) => document.querySelector<HTMLElement>(name)!.inert);
  fireEvent.click(screen.getByRole('button', { name: 'Full screen' }));
  expect(isOut()).toEqual([true, true, false]);
  expect(screen.getByTestId('candles').closest('[inert]')).toBeNull();
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(isOut()).toEqual([false, false, false]);
});
