import type { Address } from '@hunter/solana/address';
import { lamports } from '@hunter/domain/numbers/lamports';
import { spotPrice } from '@hunter/domain/market/swap-maths';
import { expect, it } from 'vitest';
import { useTradingWorld } from '../../trading/use-trading-world-for-test.ts';
import type { TradingWorld } from '../../trading/world-for-test.ts';
import { placeStrategyRound } from '../copying/place-strategy-round.ts';
import { endStrategy } from '../end-strategy.ts';
import type { Strategies } from '../strategies.ts';
import { passUntilClosed, strategiesOn } from '../strategies-for-test.ts';
import { plainMints, SOL, strategySteps } from '../strategy-steps-for-test.ts';

let world: TradingWorld;
let deps: Strategies;
let mints: Address[];

useTradingWorld(async (started) => {
  world = started;
  deps = strategiesOn(world);
  mints = await plainMints(world);
});

const { aStrategy } = strategySteps(() => ({ world, deps, mints }));

const honestPools = { load: (wanted: readonly Address[]) => world.pools.load(wanted) };
/** Somebody has lifted all prices to twice what they were. */
const pumpedPools = {
  load: async (wanted: readonly Address[]) => {
    const pools = await world.pools.load(wanted);
    return new Map([...pools].map(([mint, pool]) => [mint, { ...pool, solReserve: lamports(pool.solReserve * 2n) }]));
  },
};
const ofOthers: Strategies['referencePrice'] = async (mint) => spotPrice((await world.pools.load([mint])).get(mint)!);

/** How a strategy ends whose coins go to its creator in kind. */
async function ended(pools: Strategies['pools'], referencePrice: Strategies['referencePrice']) {
  const [creator] = await world.traders(1, 5n * SOL);
  const strategy = await aStrategy(creator!, { autoClear: false });
  const [{ cost } = { cost: 0n }] = await world.database.query<{ cost: bigint }>(
    `select sum(cost_lamports)::numeric(20, 0) as cost from position where book_id = $1`,
    [strategy.bookId],
  );
  await endStrategy({ ...deps, pools, referencePrice }, strategy.id);
  const [row] = await world.database.query<{
    nav: bigint;
    point: bigint;
    trend: number;
    inKind: bigint;
    atLoss: number;
  }>(
    `select t.nav, t.unsold_at_loss as "atLoss", (select nav from nav_point p where p.strategy_id = t.strategy_id order by at desc, id desc limit 1) as point,
       t.trend[cardinality(t.trend)]::float8 as trend,
       (select sum(lamports) from strategy_event e where e.strategy_id = t.strategy_id and kind = 'flow' and mint is not null)::numeric(20, 0)
         as "inKind"
     from strategy_stats t join strategy s on s.id = t.strategy_id where s.id = $1 and s.status = 'ended'`,
    [strategy.id],
  );
  return { ...row!, cost };
}

it('counts coins that leave in kind at what others paid for them lately, however high their price was lifted', async () => {
  const honest = await ended(honestPools, ofOthers);
  const pumped = await ended(pumpedPools, ofOthers);
  // Two fees of a pool and the impact of selling apart.
  expect(Number(pumped.inKind) / Number(honest.inKind)).toBeLessThan(1.05);
  for (const { nav, point, trend, atLoss } of [honest, pumped]) {
    expect(point).toBe(nav);
    // Both lost their fees, also where the mark before the end saw them at twice their price.
    expect(atLoss).toBe(2);
    expect(trend).toBeCloseTo(Number(nav) / 1e16 - 100, 2);
  }
});

it('counts them with no more than they cost where nobody knows what others paid', async () => {
  const unknown = await ended(pumpedPools, async () => null);
  expect(unknown).toMatchObject({ inKind: unknown.cost, atLoss: 0 });
});

it('ends only after a round that was under way, so that its record has what the round traded', async () => {
  const [creator] = await world.traders(1, 5n * SOL);
  const { id, bookId } = await aStrategy(creator!, { autoClear: false });
  const buy = {
    side: 'buy',
    mint: mints[1]!,
    amountIn: lamports(SOL / 10n),
    slippageBps: 2_000,
    kind: 'trade',
  } as const;
  const { state } = await placeStrategyRound(deps, { ...buy, strategyId: id, waitMs: 0 });
  expect(['held', 'sent']).toContain(state);
  // As if the chain answered for longer than anybody waits.
  const engine = Object.create(deps.engine, { waitFor: { value: async () => {} } }) as Strategies['engine'];
  await endStrategy({ ...deps, engine }, id);
  const open = await world.database.query(
    `select 1 from trade_order o join strategy s using (book_id)
     where o.book_id = $1 and s.status = 'ended' and o.state in ('held', 'sent')`,
    [bookId],
  );
  expect(open).toEqual([]);
  await passUntilClosed(deps, id);
  const events = await world.database.query<{ kind: string; side: string }>(
    `select kind, side from strategy_event where strategy_id = $1 order by id`,
    [id],
  );
  const outs = { kind: 'flow', side: 'out' };
  expect(events.map(({ kind }) => kind)).toEqual(['flow', 'trade', 'trade', 'trade', 'flow', 'flow', 'flow']);
  expect(events.slice(-3)).toEqual([outs, outs, outs]);
});
