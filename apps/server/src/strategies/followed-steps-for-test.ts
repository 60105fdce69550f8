import { lamports } from '@hunter/domain/numbers/lamports';
import type { Trader, TradingWorld } from '../trading/world-for-test.ts';
import { createStrategy } from './create-strategy.ts';
import { followStrategy, type NewFollow } from './follow-strategy.ts';
import type { Follow } from './follow-store.ts';
import type { Strategies } from './strategies.ts';
import type { Strategy } from './strategy-store.ts';

const SOL = 1_000_000_000n;

/** A strategy with one follower, and what its creator buys. */
export function followedSteps(current: () => { world: TradingWorld; follower: Trader }) {
  let count = 0;

  /** A creator who has traded nothing himself lately; each test has its own. */
  async function aFollowed(
    deps: Strategies,
    overrides: Partial<NewFollow> = {},
  ): Promise<{ strategy: Strategy; follow: Follow; leader: Trader }> {
    count += 1;
    const leader = (await current().world.traders(1, 60n * SOL))[0]!;
    const { strategy } = await createStrategy(
      deps,
      leader.userId,
      { name: `Protected ${count}`, description: '', capital: lamports(10n * SOL), coins: [], autoClear: true },
      `protected ${count}`,
    );
    const request = { slug: strategy.slug, mode: 'sol' as const, amount: lamports(5n * SOL), multiplier: '1' };
    const follow = await followStrategy(
      deps,
      current().follower.userId,
      { ...request, ...overrides },
      `follow ${count}`,
    );
    return { strategy, follow, leader };
  }

  const aPurchase = (strategy: Strategy, amountIn = SOL) => ({
    strategyId: strategy.id,
    side: 'buy' as const,
    mint: current().world.mint,
    amountIn: lamports(amountIn),
    slippageBps: 2_000,
    kind: 'trade' as const,
    waitMs: 20_000,
  });

  return { aFollowed, aPurchase };
}
