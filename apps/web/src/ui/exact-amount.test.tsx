// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show, toneOfText } from '../show-for-test.tsx';
import { ExactAmount } from './exact-amount.tsx';

it('shows every digit, with thousands apart and a sign and colour for a change', async () => {
  await show(
    <>
      <ExactAmount value="-1234567.000000001" unit="SOL" tone />
      <ExactAmount value="1000.5" tone />
      <ExactAmount value="999" unit="SOL" />
    </>,
  );
  expect(screen.getByText('-1,234,567.000000001 SOL')).toBeTruthy();
  expect([toneOfText('-1,234,567.000000001 SOL'), toneOfText('+1,000.5'), toneOfText('999 SOL')]).toEqual([
    'down',
    'up',
    null,
  ]);
});
