import { expect, it } from 'vitest';
import { address } from '@hunter/solana/address';
import { displayNames, nameFlagsOf } from './name-flags.ts';

const mint = address('So11111111111111111111111111111111111111112');

it.each([
  ['an ordinary name', 'Frog season', 'FROG', []],
  ['a long but honest name', 'A very long name that goes on and on and on for ever', 'LONG', []],
  ['a Chinese name', '金狗', '金狗', []],
  ['markup', '<img src=x onerror=alert(1)>', 'IMG', ['markup']],
  ['a direction override', 'evil\u202Egpj', 'EVIL', ['hidden-characters']],
  ['zero width characters', 'Free\u200Bze', 'FRZ', ['hidden-characters']],
  ['a look-alike of a known symbol', 'Bonk', 'B\u041ENK', ['look-alike']],
])('flags %s', (_title, name, symbol, flags) => {
  expect(nameFlagsOf({ mint, name, symbol })).toEqual(flags);
});

it('shows the address of a token whose name is invisible', () => {
  expect(displayNames({ mint, name: '\u200B', symbol: '\u202E' })).toEqual({ name: 'So11…1112', symbol: 'So11…1112' });
});
