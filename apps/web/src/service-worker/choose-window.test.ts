import { expect, it } from 'vitest';
import { chooseWindow } from './choose-window.ts';

const origin = 'https://hunter.test';
const chosen = (path: string, ...paths: string[]) =>
  chooseWindow(
    paths.map((each) => ({ url: new URL(each, origin).href })),
    path,
    origin,
  )?.url.slice(origin.length);

it('takes the window that shows the page, not the one used last', () => {
  expect(chosen('/strategies/moon', '/discover', '/strategies/moon')).toBe('/strategies/moon');
});

it('prefers the very address to another view of the same page', () => {
  const views = ['/discover', '/account', '/account?tab=notifications'];
  expect(chosen('/account?tab=notifications', ...views)).toBe('/account?tab=notifications');
  expect(chosen('/account?tab=security', ...views)).toBe('/account');
});

it('takes the window used last where none shows the page', () => {
  expect(chosen('/strategies/moon', '/token/a', '/discover')).toBe('/token/a');
});

it('takes no document beside the app, which could not show the page', () => {
  expect(chosen('/strategies/moon', '/verify?strategy=moon', '/api/docs', '/discover')).toBe('/discover');
  expect(chosen('/strategies/moon', '/verify?strategy=moon')).toBeUndefined();
  expect(chosen('/strategies/moon')).toBeUndefined();
});
