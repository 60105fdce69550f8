// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { expect, it, vi } from 'vitest';
import { aTokenInfo, aTrigger } from '../../features/triggers/trigger-for-test.ts';
import type { ProtectedBuy } from '../../features/trade/protect-lines.ts';
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
const buy: ProtectedBuy = {
  bookId: 'b',
  tokens: '1000',
  cost: '0.5',
  levels: { stop: '20', target: '', trail: '' },
};
let setTriggers: (triggers: readonly Trigger[]) => void;
let setBuy: (buy: ProtectedBuy | null) => void;

function Card() {
  const [triggers, set] = useState<readonly Trigger[]>([aTrigger()]);
  const [protectedBuy, setProtectedBuy] = useState<ProtectedBuy | null>(null);
  useEffect(() => {
    setTriggers = set;
    setBuy = setProtectedBuy;
  }, []);
  const address = token.tokenContractAddress;
  return (
    <ChartCard
      address={address}
      token={token}
      triggers={triggers}
      protectedBuy={protectedBuy}
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
    act(() => setBuy(buy));
    const usdPerSol = Number(token.price) / Number(token.priceSol);
    const planned = { draggable: false, isPlanned: true };
    await expect
      .poll(() => shown.lines.slice(1))
      .toEqual([
        {
          ...planned,
          id: 'planned:cost',
          value: Number((0.0005 * usdPerSol).toPrecision(4)),
          label: cost,
          tone: 'accent',
        },
        {
          ...planned,
          id: 'planned:stop-loss',
          value: Number((0.0004 * usdPerSol).toPrecision(4)),
          label: stop,
          tone: 'down',
        },
      ]);
    // What is drawn stays the same while nothing of it changes.
    const { lines } = shown;
    act(() => setBuy({ ...buy }));
    expect(shown.lines).toBe(lines);
    act(() => setBuy(null));
    expect(shown.lines).toHaveLength(1);
  },
);
