// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { show } from '../show-for-test.tsx';
import { NumberInput } from './number-input.tsx';

function Amount({ decimals }: { decimals: number }) {
  const [value, setValue] = useState('');
  return <NumberInput aria-label="Amount" unit="SOL" decimals={decimals} value={value} onValue={setValue} />;
}

it.each([
  ['en', 'At most 9 decimals', 'Whole numbers only'],
  ['zh', '最多 9 位小数', '仅限整数'],
] as const)(
  'says that a number has more decimals than fit, until the next is typed (%s)',
  async (language, most, whole) => {
    await show(<Amount decimals={9} />, { language });
    const input = screen.getByRole<HTMLInputElement>('textbox');
    const type = (value: string) => fireEvent.change(input, { target: { value } });
    type('0.5 SOL');
    expect(input.value).toBe('0.5');
    type('0.1234567891');
    expect([input.value, screen.getByRole('alert').textContent]).toEqual(['0.5', most]);
    type('0.25');
    expect(input.value).toBe('0.25');
    expect(screen.queryByRole('alert')).toBeNull();
    await show(<Amount decimals={0} />, { language });
    fireEvent.change(screen.getAllByRole('textbox')[1]!, { target: { value: '1.5' } });
    expect(screen.getByRole('alert').textContent).toBe(whole);
  },
);

it('says that what was pasted is no number of this unit', async () => {
  await show(<Amount decimals={9} />);
  const input = screen.getByRole<HTMLInputElement>('textbox');
  fireEvent.input(input, { target: { value: '$5' }, inputType: 'insertFromPaste' });
  expect([input.value, screen.getByRole('alert').textContent]).toEqual(['', 'Enter a number']);
  fireEvent.blur(input);
  expect(screen.queryByRole('alert')).toBeNull();
});
