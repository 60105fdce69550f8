import { lamports } from '@hunter/domain/numbers/lamports';
import { connectNats } from '../../apps/server/src/platform/bus/nats-bus.ts';
import { systemClock as clock } from '../../apps/server/src/platform/clock.ts';
import { LeaseKeeper } from '../../apps/server/src/platform/lease-keeper.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { placeStrategyRound } from '../../apps/server/src/strategies/copying/place-strategy-round.ts';
import type { Strategies } from '../../apps/server/src/strategies/strategies.ts';
import { strategiesOn } from '../../apps/server/src/strategies/strategies-for-test.ts';
import {
  laneShard,
  OwnsAllLanes,
  SharesLanes,
  StrategyLanes,
} from '../../apps/server/src/strategies/strategy-lanes.ts';
import type { Strategy } from '../../apps/server/src/strategies/strategy-store.ts';
import { startTradingWorld, type TradingWorld } from '../../apps/server/src/trading/world-for-test.ts';
import { NatsServer } from '../../scripts/nats.ts';
import { withDatabase } from '../../scripts/temporary-database.ts';
import { strategyWithCrowd } from './strategy-crowd.ts';

const ONE_SOL = 1_000_000_000n;
const FOLLOW_LAMPORTS = ONE_SOL / 5n;
const ROUNDS = 4;
const PHASES = 2;
const log = createLog('error');

type Engine = { lanes: SharesLanes; keeper: LeaseKeeper };

/** A creator's order with all followers, by an engine that is alone, and by one of two that share the lanes by lease. */
export async function measureRoundOfEngines(followers: number) {
  const nats = new NatsServer();
  await nats.start();
  try {
    return await withDatabase(async (_database, url) => {
      const world = await startTradingWorld(url);
      try {
        const deps = strategiesOn(world);
        const [creator] = await world.traders(1, 60n * ONE_SOL);
        const crowd = await world.traders(followers, 2n * FOLLOW_LAMPORTS);
        const strategy = await strategyWithCrowd(world, deps, creator!, crowd, FOLLOW_LAMPORTS);
        const times = { one: [] as number[], two: [] as number[] };
        // In turns, so that both have the same machine and the same books.
        for (let phase = 0; phase < PHASES; phase += 1) {
          const alone = { ...deps, lanes: new StrategyLanes(new OwnsAllLanes(world.database)) };
          times.one.push(...(await rounds(world, alone, strategy)));
          // The one that was alone is gone.
          await world.database.write(`update lease set until = clock_timestamp() - interval '1 second'`);
          times.two.push(...(await withTwo(world, deps, strategy, { databaseUrl: url, natsUrl: nats.url })));
        }
        const [oneMs, twoMs] = [median(times.one), median(times.two)];
        return {
          followers,
          oneEngineMs: Math.round(oneMs),
          twoEnginesMs: Math.round(twoMs),
          twoOverOne: Math.round((twoMs / oneMs) * 100) / 100,
        };
      } finally {
        await world.close();
      }
    });
  } finally {
    await nats.kill();
  }
}

async function withTwo(
  world: TradingWorld,
  deps: Strategies,
  strategy: Strategy,
  { databaseUrl, natsUrl }: { databaseUrl: string; natsUrl: string },
): Promise<number[]> {
  const bus = await connectNats(natsUrl, log);
  const engines: Engine[] = [1, 2].map(() => {
    const onLost = (name: string): never => {
      throw new Error(`the lease ${name} was lost`);
    };
    const keeper = new LeaseKeeper({ databaseUrl, durationMs: 10_000, clock, log, onLost });
    keeper.start();
    return { keeper, lanes: new SharesLanes({ keeper, bus, clock }) };
  });
  try {
    for (const { lanes } of engines) await lanes.balance(2);
    // As a command is: carried out by the engine that has the lane.
    const owner = engines.find(({ lanes }) => lanes.mine().includes(laneShard(strategy.id)))!;
    return await rounds(world, { ...deps, lanes: new StrategyLanes(owner.lanes) }, strategy);
  } finally {
    for (const { lanes, keeper } of engines) {
      lanes.stop();
      await keeper.stop();
    }
    await bus.close();
  }
}

/** Milliseconds from the order to the posted round; the first warms up. */
async function rounds(world: TradingWorld, deps: Strategies, strategy: Strategy): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const started = performance.now();
    const order = await placeStrategyRound(deps, {
      strategyId: strategy.id,
      side: 'buy',
      mint: world.mint,
      amountIn: lamports(ONE_SOL),
      slippageBps: 3_000,
      kind: 'trade',
      waitMs: 240_000,
    });
    if (order.filledOut === null) throw new Error(`the round was not filled: ${order.error}`);
    times.push(performance.now() - started);
  }
  return times.slice(1);
}

function median(times: readonly number[]): number {
  const sorted = times.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)]!;
}
