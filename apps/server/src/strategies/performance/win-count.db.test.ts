import { readFileSync } from 'node:fs';
import { baseUnits, type BaseUnits } from '@hunter/domain/numbers/base-units';
import type { Address } from '@hunter/solana/address';
import { expect, it } from 'vitest';
import { useTradingWorld } from '../../trading/use-trading-world-for-test.ts';
import type { TradingWorld } from '../../trading/world-for-test.ts';
import { placeStrategyRound } from '../copying/place-strategy-round.ts';
import { endStrategy } from '../end-strategy.ts';
import type { Strategies } from '../strategies.ts';
import { passUntilClosed, strategiesOn } from '../strategies-for-test.ts';
import { plainMints, SOL, strategySteps } from '../strategy-steps-for-test.ts';
import { markStrategies } from './mark-strategies.ts';

let world: TradingWorld;
let deps: Strategies;
let mints: Address[];

useTradingWorld(async (started) => {
  world = started;
  deps = strategiesOn(world);
  mints = await plainMints(world);
});

const { aStrategy, ask } = strategySteps(() => ({ world, deps, mints }));

/** Two coins that lose their fees, of which one was sold but for a hundredth. */
async function withDust(autoClear: boolean) {
  const [creator] = await world.traders(1, 5n * SOL);
  const strategy = await aStrategy(creator!, { autoClear });
  const [held] = await world.database.query<{ quantity: BaseUnits }>(
    `select quantity from position where book_id = $1 and mint = $2`,
    [strategy.bookId, mints[0]!],
  );
  const sale = {
    side: 'sell',
    mint: mints[0]!,
    amountIn: baseUnits(held!.quantity - held!.quantity / 100n),
    slippageBps: 2_000,
  } as const;
  await placeStrategyRound(deps, { ...sale, strategyId: strategy.id, kind: 'trade' });
  await markStrategies(deps, [strategy.id]);
  return strategy;
}

async function end(id: string): Promise<void> {
  await endStrategy(deps, id);
  await passUntilClosed(deps, id);
}

async function shown(slug: string) {
  const { lists } = await ask('getStrategyList', null, { status: 'all' });
  const detail = await ask('getStrategyDetail', null, { slug });
  return [lists.find((card) => card.slug === slug)!, detail].map(({ winRate, closedTrades, unsoldAtLoss }) => ({
    winRate,
    closedTrades,
    unsoldAtLoss,
  }));
}

it('counts a sale at a loss as lost whatever is left of it, and says what else is unsold at a loss', async () => {
  const { id, slug } = await withDust(false);
  const figures = { winRate: '0', closedTrades: 1, unsoldAtLoss: 1 };
  expect(await shown(slug)).toEqual([figures, figures]);
  await end(id);
  await markStrategies(deps, [id]);
  expect(await shown(slug)).toEqual([figures, figures]);
});

it('has nothing unsold once everything was sold at the end', async () => {
  const { id, slug } = await withDust(true);
  await end(id);
  expect(await shown(slug)).toMatchObject([
    { closedTrades: 2, unsoldAtLoss: 0 },
    { closedTrades: 2, unsoldAtLoss: 0 },
  ]);
});

it('is computed alike by the migration for strategies that have ended', async () => {
  const kept = await withDust(false);
  const sold = await withDust(true);
  for (const { id } of [kept, sold]) await end(id);
  const before = [await shown(kept.slug), await shown(sold.slug)];
  await world.database.write(`update strategy_stats set closed_trips = 9, won_trips = 9, unsold_at_loss = 9`);
  const file = new URL('../../../migrations/0074-unsold-at-end.sql', import.meta.url);
  const migration = readFileSync(file, 'utf8');
  await world.database.write(migration.slice(migration.indexOf('update strategy_stats')));
  expect([await shown(kept.slug), await shown(sold.slug)]).toEqual(before);
});
