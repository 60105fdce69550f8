// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../show-for-test.tsx';
import { SlippageControl } from './slippage-control.tsx';

it('keeps neither a wrong value nor its error when it is closed', async () => {
  await show(<SlippageControl bps={100} maxBps={5_000} saving={false} onSave={() => {}} />);
  const toggle = screen.getByRole('button', { name: 'Change slippage, now 1%' });
  fireEvent.click(toggle);
  fireEvent.change(screen.getByLabelText('Custom slippage in percent'), { target: { value: '99' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByRole('alert').textContent).toBe('Enter a percentage between 0.01 and 50');
  fireEvent.click(toggle);
  fireEvent.click(toggle);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Custom slippage in percent').value).toBe('');
});
