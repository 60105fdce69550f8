import { expect, it } from 'vitest';
import { COPY_SKIP_CODES } from './copy-skip.ts';

it('keeps the number of every reason, because memos on chain are computed from it', () => {
  const byNumber = Object.entries(COPY_SKIP_CODES).map(([reason, code]) => `${code} ${reason}`);
  // Append only: a line that changes here breaks the proofs of rounds that have already been executed.
  expect(byNumber).toEqual([
    '1 paused',
    '2 below-minimum',
    '3 insufficient-balance',
    '4 nothing-to-sell',
    '5 price-moved',
    '6 token-risk',
    '7 mintable',
    '8 pool-too-small',
    '9 pool-too-young',
    '10 coarse-token',
    '11 no-reference-price',
    '12 creator-traded',
    '13 run-up',
    '14 coin-cap',
    '15 cost-limit',
    '16 cap-per-trade',
    '17 creator-stake',
    '18 depth',
    '19 follow-closing',
    '20 joined-later',
    '21 scaled-to-nothing',
    '22 creator-failed',
    '23 venue-refused',
    '24 expired',
    '25 failed-on-chain',
    '26 dropped-by-chain',
  ]);
});

it('gives each reason a number of its own that fits 16 bits; 0 means that the copy took part', () => {
  const codes = Object.values(COPY_SKIP_CODES);
  expect(new Set(codes).size).toBe(codes.length);
  for (const code of codes) expect(code > 0 && code < 2 ** 16).toBe(true);
});
