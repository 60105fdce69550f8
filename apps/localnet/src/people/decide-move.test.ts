import { describe, expect, it } from 'vitest';
import { decideMove, decideRotation, type HeldCoin, type MarketCoin } from './decide-move.ts';
import { SeededRandom } from '@hunter/domain/seeded-random';
import { STRATEGY_PLANS } from './strategy-plans.ts';

const market: MarketCoin[] = Array.from({ length: 20 }, (_, index) => ({
  mint: `coin-${index}`,
  change1h: index - 10,
  change24h: 10 - index,
  liquidityUsd: index < 18 ? 80_000 : 10_000,
}));
const held: HeldCoin[] = [
  { mint: 'winner', tokens: '1000', profitPercent: 12 },
  { mint: 'loser', tokens: '1000', profitPercent: -12 },
];

describe('a simulated creator', () => {
  it('does the same for the same seed', () => {
    const moves = (seed: string) => {
      const random = new SeededRandom(seed);
      return Array.from({ length: 20 }, () => decideMove('gambler', market, held, random));
    };
    expect(moves('one')).toEqual(moves('one'));
    expect(moves('one')).not.toEqual(moves('two'));
  });

  it('has habits that make records differ', () => {
    const random = new SeededRandom('habits');
    expect(decideMove('takes-profit', market, held, random)).toEqual({ kind: 'sell', mint: 'winner', share: 1 });
    expect(decideMove('cuts-late', market, held, random)).toEqual({ kind: 'sell', mint: 'loser', share: 1 });
  });

  it('rotates from one coin into another that is calm and deep, and keeps at least one', () => {
    const random = new SeededRandom('rotation');
    for (const { style } of STRATEGY_PLANS) {
      const { sell, buy } = decideRotation(style, market, held, random);
      const coin = market.find(({ mint }) => mint === buy?.mint)!;
      expect(['winner', 'loser']).toContain(sell);
      expect(Math.abs(coin.change1h)).toBeLessThanOrEqual(4);
      expect(coin.liquidityUsd).toBeGreaterThan(10_000);
    }
    expect(decideRotation('dips', market, held, random).sell).toBe('winner');
    expect(decideRotation('momentum', market, held, random).sell).toBe('loser');
    expect(decideRotation('momentum', market, held.slice(0, 1), random).sell).toBeNull();
    expect(decideRotation('momentum', [], [], random)).toEqual({ sell: null, buy: null });
  });

  it('rotates out of what is calm where it holds such a coin, whatever it gained', () => {
    const random = new SeededRandom('calm');
    const [leaping, calm] = [market[0]!.mint, market[10]!.mint];
    const both = [
      { mint: leaping, tokens: '1000', profitPercent: 30 },
      { mint: calm, tokens: '1000', profitPercent: 2 },
    ];
    for (const { style } of STRATEGY_PLANS) expect(decideRotation(style, market, both, random).sell).toBe(calm);
  });

  it('waits rather than sell what it does not have', () => {
    const random = new SeededRandom('nothing');
    for (const { style } of STRATEGY_PLANS) expect(decideMove(style, [], [], random)).toEqual({ kind: 'wait' });
  });

  it('is one of at least a dozen who publish at first start', () => {
    expect(STRATEGY_PLANS.filter((plan) => plan.endsEarly !== true).length).toBeGreaterThanOrEqual(12);
    expect(new Set(STRATEGY_PLANS.map((plan) => plan.name)).size).toBe(STRATEGY_PLANS.length);
  });
});
