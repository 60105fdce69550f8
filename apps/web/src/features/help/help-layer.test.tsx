// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { GUIDE_OVER_KEY, GUIDE_SLOT_ID } from '../../data/guide-slot.ts';
import { stream } from '../../data/stream.ts';
import { answering, show } from '../../show-for-test.tsx';
import HelpLayer from './help-layer.tsx';

const steps = {
  deposited: true,
  found: false,
  bought: false,
  protected: false,
  followed: false,
  recorded: false,
  left: false,
};

/** The layer on a page with the menu of small screens, on a screen of that width. */
async function showOn(narrow: boolean, given = steps): Promise<void> {
  vi.stubGlobal('matchMedia', () => ({ matches: narrow, addEventListener() {}, removeEventListener() {} }));
  await show(
    <>
      <main id="content" />
      <nav>
        <span id={GUIDE_SLOT_ID} />
      </nav>
      <HelpLayer />
    </>,
    { replies: { getMyFirstSteps: given } },
  );
}

it('puts the guide into the menu of a small screen, where it covers nothing of the page', async () => {
  await showOn(true);
  const guide = await screen.findByTestId('guide-pill');
  expect(screen.getByRole('navigation').contains(guide)).toBe(true);
  expect(guide.textContent).toBe('1/5Getting started');
});

it('lets the guide float above the page on a wide screen, where the shell knows it', async () => {
  await showOn(false);
  const guide = await screen.findByTestId('guide-pill');
  expect(guide.matches('#content ~ [data-floating]')).toBe(true);
  expect(screen.getByRole('navigation').contains(guide)).toBe(false);
});

it.each([
  ['deposits', {}, { deposited: true, found: true }],
  ['orders', { status: 'confirmed' }, { bought: true, protected: true, found: true }],
  ['triggers', {}, { bought: true, protected: true }],
  ['follows', {}, { followed: true }],
] as const)('counts a step as soon as the stream tells of it: %s', async (channel, told, taken) => {
  const heard = new Map<string, (data: object) => void>();
  vi.spyOn(stream, 'subscribe').mockImplementation((name, _key, { onData }) => {
    heard.set(name, (data) => onData(data as never));
    return () => {};
  });
  try {
    const now = { ...steps, deposited: false };
    await showOn(false, now);
    const guide = await screen.findByTestId('guide-pill');
    vi.stubGlobal('fetch', answering({ getMyFirstSteps: { ...now, ...taken } }));
    act(() => heard.get(channel)!(told));
    const count = new Set(Object.keys(taken).map((name) => (name === 'protected' ? 'bought' : name))).size;
    await expect.poll(() => guide.textContent).toBe(`${count}/5Getting started`);
  } finally {
    vi.mocked(stream.subscribe).mockRestore();
  }
});

it.each([
  [{ ...steps, left: true }, 'ann@example.com'],
  [steps, null],
])('remembers for the next visit whether the menu needs room for the guide', async (given, kept) => {
  localStorage.setItem(GUIDE_OVER_KEY, 'unknown yet');
  await showOn(true, given);
  await expect.poll(() => localStorage.getItem(GUIDE_OVER_KEY)).toBe(kept);
});
