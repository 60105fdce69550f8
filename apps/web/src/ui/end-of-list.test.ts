import { expect, it } from 'vitest';
import { asksWhenSeen } from './end-of-list.ts';

const end = { hasMore: true, loading: false, failed: false };

it('asks for the next page when it is seen', () => {
  expect(asksWhenSeen(end)).toBe(true);
});

it('asks for nothing where the list ends or a page is on its way', () => {
  expect(asksWhenSeen({ ...end, hasMore: false })).toBe(false);
  expect(asksWhenSeen({ ...end, loading: true })).toBe(false);
});

it('leaves a page that failed to the button', () => {
  expect(asksWhenSeen({ ...end, failed: true })).toBe(false);
});
