import { expect, it } from 'vitest';
import { baseUnits } from '../numbers/base-units.ts';
import { lamports } from '../numbers/lamports.ts';
import type { Fill } from './position.ts';
import { realizedByDay } from './realized-days.ts';

const DAY_MS = 86_400_000;
const dayOf = (atMs: number) => String(Math.floor(atMs / DAY_MS));
const buy = (tokens: bigint, paid: bigint): Fill => ({
  kind: 'buy',
  tokens: baseUnits(tokens),
  lamports: lamports(paid),
  feeLamports: lamports(5n),
});
const sell = (tokens: bigint, got: bigint): Fill => ({
  kind: 'sell',
  tokens: baseUnits(tokens),
  lamports: lamports(got),
  feeLamports: lamports(5n),
});

it('a day has what its sales brought beyond their average cost, fees included', () => {
  const days = realizedByDay(
    [
      { position: 'a', fill: buy(10n, 95n), atMs: 0 },
      { position: 'b', fill: buy(10n, 195n), atMs: 0 },
      { position: 'a', fill: sell(5n, 85n), atMs: DAY_MS },
      { position: 'b', fill: sell(10n, 105n), atMs: DAY_MS + 1 },
      { position: 'a', fill: { kind: 'failed', feeLamports: lamports(7n) }, atMs: 2 * DAY_MS },
    ],
    dayOf,
  );
  // a: 85 − 5 − half of 100; b: 105 − 5 − 200.
  expect(Object.fromEntries(days)).toEqual({
    1: { lamports: 30n - 100n, sales: 2 },
    2: { lamports: -7n, sales: 0 },
  });
});

it('tokens from outside and moves in kind realise nothing', () => {
  const received: Fill = { kind: 'received', tokens: baseUnits(10n) };
  const days = realizedByDay(
    [
      { position: 'a', fill: received, atMs: 0 },
      { position: 'a', fill: sell(10n, 500n), atMs: 0 },
    ],
    dayOf,
  );
  expect(days.get('0')).toEqual({ lamports: 0n, sales: 1 });
});

it('tokens that were not seen to arrive realize nothing when they are sold', () => {
  const days = realizedByDay([{ position: 'a', fill: sell(10n, 500n), atMs: 0 }], dayOf);
  expect(days.get('0')).toEqual({ lamports: 0n, sales: 1 });
});
