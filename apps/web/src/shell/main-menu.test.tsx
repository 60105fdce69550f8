// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { GUIDE_OVER_KEY, GUIDE_SLOT_ID } from '../data/guide-slot.ts';
import { show } from '../show-for-test.tsx';
import { BottomMenu } from './main-menu.tsx';

it.each([
  [true, null, true],
  [true, 'bob@example.com', true],
  [true, 'ann@example.com', false],
  [false, null, false],
])('keeps room for the guide before it is there (logged in: %s, over for: %s): %s', async (loggedIn, over, room) => {
  localStorage.clear();
  if (over !== null) localStorage.setItem(GUIDE_OVER_KEY, over);
  await show(<BottomMenu />, { loggedIn });
  expect(document.getElementById(GUIDE_SLOT_ID)?.classList.contains('empty:hidden')).toBe(!room);
});

it('gives up the room on the next page, once the guide is over', async () => {
  localStorage.clear();
  await show(<BottomMenu />);
  const slot = () => document.getElementById(GUIDE_SLOT_ID)?.classList.contains('empty:hidden');
  localStorage.setItem(GUIDE_OVER_KEY, 'ann@example.com');
  expect(slot()).toBe(false);
  fireEvent.click(screen.getByRole('link', { name: 'Discover' }));
  await expect.poll(slot).toBe(true);
});
