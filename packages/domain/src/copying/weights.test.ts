import { describe, expect, it } from 'vitest';
import { readWeights } from './weights.ts';

describe('the weights of a strategy', () => {
  it('are percent points whose rest stays SOL', () => {
    expect(readWeights([])).toEqual({ ok: true, targets: [] });
    expect(
      readWeights([
        { mint: 'a', weight: '33.3' },
        { mint: 'b', weight: '66.7' },
      ]),
    ).toEqual({
      ok: true,
      targets: [
        { mint: 'a', weight: 33_300_000n },
        { mint: 'b', weight: 66_700_000n },
      ],
    });
  });

  it.each([
    [[{ mint: 'a', weight: 'x' }], 'not-a-weight', 'a'],
    [[{ mint: 'a', weight: '1e1' }], 'not-a-weight', 'a'],
    [[{ mint: 'a', weight: '0' }], 'not-positive', 'a'],
    [[{ mint: 'a', weight: '-1' }], 'not-positive', 'a'],
    [
      [
        { mint: 'a', weight: '1' },
        { mint: 'a', weight: '1' },
      ],
      'same-coin-twice',
      'a',
    ],
    [
      [
        { mint: 'a', weight: '60' },
        { mint: 'b', weight: '40.000001' },
      ],
      'sum-over-100',
      'b',
    ],
  ])('are refused by name when wrong: %j is %s', (coins, problem, mint) => {
    expect(readWeights(coins)).toEqual({ ok: false, problem, mint });
  });
});
