import { expect, it } from 'vitest';
import { isHostAllowed } from './allowed-host.ts';

const local = { local: true, publicOrigin: undefined };
const production = { local: false, publicOrigin: 'https://hunter.example' };

it('answers to addresses and localhost, but to no name of a stranger', () => {
  for (const host of ['localhost:3000', 'localhost', '127.0.0.1:3000', '[::1]:3000', '192.168.1.5:3000']) {
    expect(isHostAllowed(host, local), host).toBe(true);
    expect(isHostAllowed(host, production), host).toBe(true);
  }
  for (const host of [
    'evil.example:3000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '',
    undefined,
    '@evil',
  ]) {
    expect(isHostAllowed(host, local), host).toBe(false);
    expect(isHostAllowed(host, production), host).toBe(false);
  }
});

it('answers to its public name, and in production mode to any where none was configured', () => {
  expect(isHostAllowed('hunter.example', production)).toBe(true);
  expect(isHostAllowed('HUNTER.example:443', production)).toBe(true);
  expect(isHostAllowed('hunter.example', local)).toBe(false);
  expect(isHostAllowed('anything.example', { local: false, publicOrigin: undefined })).toBe(true);
});
