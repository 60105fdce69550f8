import { expect, it } from 'vitest';
import { tokenReply } from './swap-v2.ts';

it('takes a token of the venue only by a mint that is an address', () => {
  const token = {
    name: 'Frog',
    symbol: 'FROG',
    decimals: 6,
    tokenProgram: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  };
  const isTaken = (id: string) => tokenReply.safeParse({ ...token, id }).success;
  expect(isTaken('So11111111111111111111111111111111111111112')).toBe(true);
  expect(['', 'Frog', 'z'.repeat(44)].filter(isTaken)).toEqual([]);
});
