import { lamports } from '@hunter/domain/lamports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../scripts/database-for-test.ts';
import type { FillsRecorded, OrdersFailed } from '../../trading/order-events.ts';
import { startTradingWorld, type Trader, type TradingWorld } from '../../trading/world-for-test.ts';
import { cancelFollow } from '../cancel-follow.ts';
import { createStrategy } from '../create-strategy.ts';
import { endStrategy } from '../end-strategy.ts';
import { followStrategy } from '../follow-strategy.ts';
import { StrategyLifecycle } from '../lifecycle.ts';
import type { Strategies } from '../strategies.ts';
import { differencesToChain, strategiesOn } from '../strategies-for-test.ts';
import type { Strategy } from '../strategy-store.ts';
import { placeStrategyRound, type RoundRequest } from './place-strategy-round.ts';
import { onFills, onOrdersFailed, resumeRounds } from './resume-rounds.ts';

/** How often each race is run; the long proof sets more. */
const RACES = Number(process.env['COPY_RACES'] ?? '4');
const FOLLOWERS = Number(process.env['COPY_FOLLOWERS'] ?? '12');
const SOL = 1_000_000_000n;

let testDatabase: TestDatabase;
let world: TradingWorld;
let parts: Strategies;
const creators: Trader[] = [];
let followers: Trader[];
let count = 0;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  world = await startTradingWorld(testDatabase.url);
  parts = strategiesOn(world);
  followers = await world.traders(FOLLOWERS, 40n * SOL);
  // A new local chain begins with a past, which a busy machine takes its time to write.
}, 180_000);

afterAll(async () => {
  await world?.close();
  await testDatabase?.drop();
});

/** Each has a creator of its own: followers do not buy what their creator has just bought in another book of his. */
async function aFollowedStrategy(): Promise<Strategy> {
  count += 1;
  const creator = (await world.traders(1, 10n * SOL))[0]!;
  creators.push(creator);
  const { strategy } = await createStrategy(
    parts,
    creator.userId,
    {
      name: `Race ${count}`,
      description: '',
      capital: lamports(4n * SOL),
      coins: [{ tokenContractAddress: world.mint, weight: '30' }],
      autoClear: true,
    },
    `race ${count}`,
  );
  await Promise.all(
    followers.map((trader, index) =>
      followStrategy(
        parts,
        trader.userId,
        {
          slug: strategy.slug,
          mode: index % 4 === 3 ? 'position' : 'sol',
          // One in six is too small to copy small trades, so that there are skips too.
          amount: lamports(index % 6 === 5 ? SOL / 50n : SOL / 2n),
          multiplier: '0.5',
        },
        strategy.slug,
      ),
    ),
  );
  return strategy;
}

function aRound(strategy: Strategy, overrides: Partial<RoundRequest> = {}): RoundRequest {
  return {
    strategyId: strategy.id,
    side: 'buy',
    mint: world.mint,
    amountIn: SOL / 10n,
    slippageBps: 2_000,
    kind: 'trade',
    waitMs: 20_000,
    ...overrides,
  };
}

type CopyRow = { followId: string; roundId: string; state: string; reason: string | null; orders: number };

async function copiesOf(strategy: Strategy): Promise<CopyRow[]> {
  return world.database.query<CopyRow>(
    `select c.follow_id as "followId", c.round_id as "roundId", c.state, c.reason,
       (select count(*)::int from trade_order o where o.book_id = f.book_id and o.parent_id = c.round_id) as orders
     from copy c join follow f on f.id = c.follow_id where f.strategy_id = $1`,
    [strategy.id],
  );
}

/** Each follow has exactly one fill or one explained skip, and never more than one order per round. */
function expectExplained(copies: readonly CopyRow[]): void {
  for (const copy of copies) {
    expect(['filled', 'skipped']).toContain(copy.state);
    expect(copy.state === 'skipped').toBe(copy.reason !== null);
    expect(copy.orders).toBeLessThanOrEqual(1);
  }
  expect(new Set(copies.map((copy) => `${copy.followId} ${copy.roundId}`)).size).toBe(copies.length);
}

async function expectBooksEqualChain(): Promise<void> {
  for (const trader of [...creators, ...followers]) expect(await differencesToChain(world, trader)).toEqual({});
}

async function tokensInClosedBooks(): Promise<number> {
  const rows = await world.database.query(
    `select 1 from balance b join book k on k.id = b.book_id where k.status = 'closed' and b.amount > 0`,
  );
  return rows.length;
}

describe('copying', () => {
  it('gives each follow one fill or one explained skip per round, however often the events come', async () => {
    const strategy = await aFollowedStrategy();
    const rounds = [
      await placeStrategyRound(parts, aRound(strategy)),
      await placeStrategyRound(parts, aRound(strategy, { side: 'sell', amountIn: 1_000_000n })),
    ];
    const before = await copiesOf(strategy);
    expect(before).toHaveLength(2 * FOLLOWERS);
    expect(rounds[0]!.copied).toBeGreaterThan(0);
    expect(rounds[0]!.copied + rounds[0]!.skipped).toBe(FOLLOWERS);
    const events = await world.database.query<{ topic: string; payload: FillsRecorded & OrdersFailed }>(
      `select topic, payload from outbox where topic in ('fill-recorded', 'order-failed')`,
    );
    for (let repeat = 0; repeat < 5; repeat += 1) {
      await Promise.all(
        events.map(({ topic, payload }) =>
          topic === 'fill-recorded' ? onFills(parts, payload) : onOrdersFailed(parts, payload),
        ),
      );
    }
    expectExplained(before);
    expect(await copiesOf(strategy)).toEqual(before);
    const recorded = await world.database.query(
      `select 1 from strategy_event where strategy_id = $1 and kind = 'trade'`,
      [strategy.id],
    );
    expect(recorded).toHaveLength(3);
    await expectBooksEqualChain();
  });

  it('lets intents expire that a dead process never handed over, and trades nothing for them', async () => {
    const strategy = await aFollowedStrategy();
    const dying = strategiesOn(world, {
      engine: {
        ...bound(world),
        placeRound: async () => {
          throw new Error('killed');
        },
      },
    });
    await expect(placeStrategyRound(dying, aRound(strategy))).rejects.toThrow('killed');
    const planned = await copiesOf(strategy);
    expect(planned.some((copy) => copy.state === 'pending')).toBe(true);
    await resumeRounds(parts);
    const resumed = await copiesOf(strategy);
    expectExplained(resumed);
    expect(resumed.filter((copy) => copy.reason === 'expired').length).toBeGreaterThan(0);
    expect(resumed.every((copy) => copy.orders === 0)).toBe(true);
  });

  it('takes over what became of the orders when the process dies after handing them over', async () => {
    const strategy = await aFollowedStrategy();
    const dying = strategiesOn(world, {
      engine: {
        ...bound(world),
        placeRound: async (input) => {
          await world.engine.placeRound(input, { waitMs: 0 });
          throw new Error('killed');
        },
      },
    });
    await expect(placeStrategyRound(dying, aRound(strategy))).rejects.toThrow('killed');
    const pending = (await copiesOf(strategy)).filter((copy) => copy.state === 'pending');
    expect(pending.length).toBeGreaterThan(0);
    const orders = await world.database.query<{ id: string }>(
      `select order_id as id from copy where state = 'pending'`,
    );
    await world.engine.waitFor(
      orders.map((order) => order.id),
      20_000,
    );
    await resumeRounds(parts);
    expectExplained(await copiesOf(strategy));
    await expectBooksEqualChain();
  });

  it('never copies after a cancel was acknowledged, and leaves nothing in a closed book', async () => {
    for (let race = 0; race < RACES; race += 1) {
      const strategy = await aFollowedStrategy();
      const acknowledged = new Map<string, Date>();
      const round = placeStrategyRound(
        parts,
        aRound(strategy, race % 2 === 0 ? {} : { side: 'sell', amountIn: 5_000_000n }),
      );
      const cancels = followers.map(async (trader, index) => {
        // Spread over the life of a round: before it, inside each step of it and after.
        await new Promise((resolve) => setTimeout(resolve, (index * 600) / FOLLOWERS));
        const follow = await cancelFollow(parts, trader.userId, strategy.slug);
        acknowledged.set(follow.id, new Date());
        return follow;
      });
      await Promise.all([round, ...cancels]);
      await passUntilClosed(strategy);
      const late = await world.database.query<{ followId: string; at: Date }>(
        `select f.id as "followId", o.created_at as at from trade_order o join follow f on f.book_id = o.book_id
         where f.strategy_id = $1 and o.kind = 'copy'`,
        [strategy.id],
      );
      for (const { followId, at } of late)
        expect(at.getTime()).toBeLessThanOrEqual(acknowledged.get(followId)!.getTime());
      expect(await openFollows(strategy)).toBe(0);
      expectExplained(await copiesOf(strategy));
      expect(await tokensInClosedBooks()).toBe(0);
      // Its capital goes back to the creator, who has many races before him.
      await endStrategy(parts, strategy.id);
    }
    await expectBooksEqualChain();
  });

  it('ends a strategy in the middle of rounds and cancels with every book empty', async () => {
    for (let race = 0; race < RACES; race += 1) {
      const strategy = await aFollowedStrategy();
      const results = await Promise.allSettled([
        placeStrategyRound(parts, aRound(strategy)),
        placeStrategyRound(parts, aRound(strategy, { side: 'sell', amountIn: 2_000_000n })),
        endStrategy(parts, strategy.id),
        cancelFollow(parts, followers[0]!.userId, strategy.slug),
        cancelFollow(parts, followers[1]!.userId, strategy.slug),
      ]);
      expect(results[2].status).toBe('fulfilled');
      await passUntilClosed(strategy);
      const open = await world.database.query(
        `select 1 from follow where strategy_id = $1 and status <> 'closed'
         union all select 1 from strategy where id = $1 and status <> 'ended'`,
        [strategy.id],
      );
      expect(open).toEqual([]);
      expectExplained(await copiesOf(strategy));
      expect(await tokensInClosedBooks()).toBe(0);
    }
    await expectBooksEqualChain();
  });
});

async function openFollows(strategy: Strategy): Promise<number> {
  const rows = await world.database.query(`select 1 from follow where strategy_id = $1 and status <> 'closed'`, [
    strategy.id,
  ]);
  return rows.length;
}

/** A chain that is slow for a moment leaves the rest of a closing to the next look, as in the running product. */
async function passUntilClosed(strategy: Strategy): Promise<void> {
  const lifecycle = new StrategyLifecycle(parts);
  let passes = 0;
  do {
    await lifecycle.pass();
    passes += 1;
  } while ((await openFollows(strategy)) > 0 && passes < 20);
}

function bound({ engine }: TradingWorld): Strategies['engine'] {
  return {
    placeMany: (...args) => engine.placeMany(...args),
    placeRound: (...args) => engine.placeRound(...args),
    waitFor: (...args) => engine.waitFor(...args),
  };
}
