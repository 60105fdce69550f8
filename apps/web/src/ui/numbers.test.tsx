// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show, toneOfText } from '../show-for-test.tsx';
import { Count, Percent, Price, Sol, Tokens, Usd } from './numbers.tsx';
import { Profit } from './profit.tsx';

it.each([
  ['12.5', '+12.50%', 'up'],
  ['-3', '-3.00%', 'down'],
  ['0', '0.00%', null],
  ['-0.004', '0.00%', null],
  ['0.004', '0.00%', null],
  ['123456', '+123.46K%', 'up'],
  [null, '-', null],
] as const)('given %s percent, shows %s (tone: %s)', async (value, text, tone) => {
  await show(<Percent value={value} />);
  expect(toneOfText(text)).toBe(tone);
});

it('gives shares and fees neither sign nor colour', async () => {
  await show(<Percent value="12.5" tone={false} />);
  expect(toneOfText('12.50%')).toBeNull();
});

it.each([
  ['1.5', '+1.50 SOL', 'up'],
  ['-0.25', '-0.2500 SOL', 'down'],
  ['0', '0 SOL', null],
  [null, '-', null],
] as const)('given %s SOL of profit, shows %s (tone: %s)', async (value, text, tone) => {
  await show(<Sol value={value} tone />);
  expect(toneOfText(text)).toBe(tone);
});

it('does not colour an amount that is no profit', async () => {
  await show(
    <>
      <Sol value="2.5" />
      <Usd value="1234" />
      <Price value="0.5" />
    </>,
  );
  expect(toneOfText('2.50 SOL')).toBeNull();
  expect(toneOfText('$1.23K')).toBeNull();
  expect(toneOfText('$0.5000')).toBeNull();
});

it('names the unit of a price in SOL, and none where there is no price', async () => {
  await show(
    <>
      <Price value="0.0125" unit="sol" />
      <i data-testid="none">
        <Price value={null} unit="sol" />
      </i>
    </>,
  );
  expect(screen.getByText('0.01250 SOL')).toBeTruthy();
  expect(screen.getByTestId('none').textContent).toBe('-');
});

it('speaks a run of zeros as the number it stands for', async () => {
  await show(<Price value="0.0004127" />);
  expect(screen.getByRole('img').getAttribute('aria-label')).toContain('$0.0004127');
  expect(screen.getByRole('img').textContent).toBe('$0.034127');
});

it('shortens counts and quantities', async () => {
  await show(
    <>
      <Count value={1234} />
      <Tokens value="181240.5" />
    </>,
  );
  expect(screen.getByText('1.23K')).toBeTruthy();
  expect(screen.getByText('181.24K')).toBeTruthy();
});

it('shows a profit as rate and amount, both in the colour of the result', async () => {
  await show(<Profit percent="-20" sol="-0.5" />);
  expect(toneOfText('-20.00%')).toBe('down');
  expect(toneOfText('-0.5000 SOL')).toBe('down');
});
