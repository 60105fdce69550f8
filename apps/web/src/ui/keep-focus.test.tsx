// @vitest-environment happy-dom
import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { show } from '../show-for-test.tsx';
import { Button } from './button.tsx';
import { Table } from './table.tsx';
import { TextInput } from './text-input.tsx';

it('leaves a button the focus while its action runs, and does nothing when it is pressed again', () => {
  const onClick = vi.fn();
  const onSubmit = vi.fn();
  const form = (pending: boolean) => (
    <form onSubmit={onSubmit}>
      <Button type="submit" pending={pending} onClick={onClick}>
        Buy
      </Button>
    </form>
  );
  const { rerender } = render(form(false));
  const button = screen.getByRole<HTMLButtonElement>('button');
  act(() => button.focus());
  rerender(form(true));
  expect([button.disabled, button.getAttribute('aria-disabled')]).toEqual([false, 'true']);
  fireEvent.click(button);
  expect(onClick).not.toHaveBeenCalled();
  expect(onSubmit).not.toHaveBeenCalled();
  act(() => button.blur());
  expect(button.disabled).toBe(true);
  rerender(form(false));
  expect([button.disabled, button.getAttribute('aria-disabled')]).toEqual([false, null]);
});

it('leaves an input the focus while it must not be changed', () => {
  const { rerender } = render(<TextInput aria-label="Amount" />);
  const input = screen.getByRole<HTMLInputElement>('textbox');
  act(() => input.focus());
  rerender(<TextInput aria-label="Amount" disabled />);
  expect([input.disabled, input.readOnly, input.getAttribute('aria-disabled')]).toEqual([false, true, 'true']);
  act(() => input.blur());
  expect(input.disabled).toBe(true);
});

it('gives the focus of a row that is gone to its table', async () => {
  await show(null);
  const columns = [{ key: 'close', header: 'Close', cell: (row: string) => <button type="button">{row}</button> }];
  const table = (rows: readonly string[]) => (
    <Table label="Positions" columns={columns} rows={rows} rowKey={(row) => row} />
  );
  const { rerender } = render(table(['ALPHA', 'BETA']));
  screen.getByRole('button', { name: 'ALPHA' }).focus();
  rerender(table(['BETA']));
  const region = screen.getByRole('region', { name: 'Positions' });
  expect(document.activeElement).toBe(region);
  screen.getByRole('button', { name: 'BETA' }).focus();
  rerender(table([]));
  expect(document.activeElement).toBe(region);
});
