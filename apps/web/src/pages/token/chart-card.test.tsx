// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { aTokenInfo, aTrigger } from '../../features/triggers/trigger-for-test.ts';
import { show } from '../../show-for-test.tsx';
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

it('draws the lines anew where the order of a dropped line fired while it was held', async () => {
  const { token } = aTokenInfo();
  await show(
    <ChartCard
      address={token.tokenContractAddress}
      token={token}
      triggers={[aTrigger()]}
      interval="15m"
      onInterval={() => {}}
    />,
  );
  await screen.findByTestId('candles');
  const { lines } = shown;
  act(() => shown.onLineMoved('one that fired', 0.002));
  expect(shown.lines).toEqual(lines);
  expect(shown.lines).not.toBe(lines);
});
