// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { show } from '../show-for-test.tsx';
import { Explain } from './explain.tsx';

const rest = () => act(() => vi.advanceTimersByTimeAsync(1_000));

const explained = (
  <Explain title="Capacity" text="What fits in">
    <button type="button">capacity</button>
  </Explain>
);

it('opens on a press, says so to assistive technology, and closes on the next one', async () => {
  await show(explained);
  const button = screen.getByRole('button', { name: 'capacity' });
  expect(button.getAttribute('aria-expanded')).toBe('false');
  fireEvent.click(button);
  const panel = screen.getByRole('dialog', { name: 'Capacity' });
  expect(panel.textContent).toContain('What fits in');
  expect(button.getAttribute('aria-controls')).toBe(panel.id);
  fireEvent.click(button);
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('closes on Escape and on a press elsewhere, not on one inside', async () => {
  await show(explained);
  const button = screen.getByRole('button', { name: 'capacity' });
  fireEvent.click(button);
  fireEvent.pointerDown(screen.getByRole('dialog'));
  expect(screen.queryByRole('dialog')).not.toBeNull();
  fireEvent.pointerDown(document.body);
  expect(screen.queryByRole('dialog')).toBeNull();
  fireEvent.click(button);
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('follows a mouse that rests on it, and stays when it was pressed meanwhile', async () => {
  await show(explained);
  vi.useFakeTimers();
  try {
    const button = screen.getByRole('button', { name: 'capacity' });
    fireEvent.pointerEnter(button, { pointerType: 'mouse' });
    await rest();
    expect(screen.queryByRole('dialog')).not.toBeNull();
    fireEvent.pointerLeave(button, { pointerType: 'mouse' });
    await rest();
    expect(screen.queryByRole('dialog')).toBeNull();
    fireEvent.pointerEnter(button, { pointerType: 'mouse' });
    await rest();
    fireEvent.click(button);
    fireEvent.pointerLeave(button, { pointerType: 'mouse' });
    await rest();
    expect(screen.queryByRole('dialog')).not.toBeNull();
  } finally {
    vi.useRealTimers();
  }
});
