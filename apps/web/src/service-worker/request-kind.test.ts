import { expect, it } from 'vitest';
import { requestKind } from './request-kind.ts';

const ORIGIN = 'https://hunter.example';
const kindOf = (path: string, mode = 'navigate', method = 'GET') =>
  requestKind({ method, mode, url: new URL(path, ORIGIN).href }, ORIGIN);

it('keeps hashed files and answers for the app’s own document', () => {
  expect(kindOf('/assets/index-abc.js', 'cors')).toBe('asset');
  expect(['/', '/strategies/moon', '/token/Mint?tab=holders'].map((path) => kindOf(path))).toEqual([
    'page',
    'page',
    'page',
  ]);
});

it.each([
  ['/api/user/myWallet', 'cors'],
  ['/api/dev/mailbox/page', 'navigate'],
  ['/verify', 'navigate'],
  ['/verify?slug=moon', 'navigate'],
  ['/strategies', 'cors'],
  ['/icons/icon-192.png', 'navigate'],
  ['/manifest.webmanifest', 'cors'],
  ['https://elsewhere.example/assets/x.js', 'cors'],
])('leaves %s (%s) to the browser', (path, mode) => {
  expect(kindOf(path, mode)).toBe('other');
});

it('leaves everything that is not a plain read to the browser', () => {
  expect(kindOf('/assets/x.js', 'cors', 'POST')).toBe('other');
});
