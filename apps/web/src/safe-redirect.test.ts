import { expect, it } from 'vitest';
import { leavesForLogin, safeRedirect } from './safe-redirect.ts';

it.each([
  ['/token/abc?x=1#y', '/token/abc?x=1#y'],
  ['/account', '/account'],
  ['/', '/strategies'],
  ['/login', '/strategies'],
  ['/login?redirect=/login', '/strategies'],
  ['/register-success', '/strategies'],
  ['/registered', '/registered'],
  ['//evil.example', '/strategies'],
  ['/\\evil.example', '/strategies'],
  ['/\t/evil.example', '/strategies'],
  ['https://evil.example', '/strategies'],
  ['javascript:alert(1)', '/strategies'],
  ['', '/strategies'],
  [undefined, '/strategies'],
  [7, '/strategies'],
])('sends %j to %s after login', (target, path) => {
  expect(safeRedirect(target)).toBe(path);
});

it.each(['/freeze', '/unfreeze', '/undo-reset', '/cancel-withdrawal', '/login', '/register-success'])(
  'leaves somebody whose session has ended on %s, which needs none',
  (pathname) => {
    expect(leavesForLogin(pathname)).toBe(false);
  },
);

it.each(['/account', '/discover', '/', '/freezer', '/token/login'])('leads from %s to the login page', (pathname) => {
  expect(leavesForLogin(pathname)).toBe(true);
});
