import { lamports } from '@hunter/domain/numbers/lamports';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { useTradingWorld } from '../trading/use-trading-world-for-test.ts';
import type { Trader, TradingWorld } from '../trading/world-for-test.ts';
import { SELL_ALL } from '../trading/order.ts';
import { createStrategy, fillNameKeys } from './create-strategy.ts';
import { placeStrategyRound } from './copying/place-strategy-round.ts';
import { endStrategy } from './end-strategy.ts';
import { loadFollowById } from './follow-store.ts';
import { markStrategies } from './performance/mark-strategies.ts';
import { viewFollow } from './reads/follow-views.ts';
import { previewStrategy } from './reads/previews.ts';
import { endOldPaperFollows, endPaperFollow, loadMyPaperFollows, startPaperFollow } from './simulator/paper-follows.ts';
import { simulate } from './simulator/simulate.ts';
import { differencesToChain, passUntilClosed, strategiesOn } from './strategies-for-test.ts';
import { followedSteps } from './followed-steps-for-test.ts';

const SOL = 1_000_000_000n;
const DAY_MS = 86_400_000;
const later = (ms: number) => ({ ...systemClock, nowMs: () => Date.now() + ms });

let world: TradingWorld;
let follower: Trader;

useTradingWorld(async (started) => {
  world = started;
  follower = (await world.traders(1, 200n * SOL))[0]!;
});

const { aFollowed, aPurchase } = followedSteps(() => ({ world, follower }));

describe('a strategy', () => {
  it('says in its preview, as when it is published, how little capital is too little', async () => {
    const deps = strategiesOn(world);
    const wanted = { capital: lamports(SOL / 100n), coins: [] };
    const tooSmall = { errorName: 'AMOUNT_TOO_SMALL', context: { minimum: '0.1 SOL' } };
    await expect(previewStrategy(deps, wanted)).rejects.toMatchObject(tooSmall);
    const named = { ...wanted, name: 'Small', description: '', autoClear: true };
    await expect(createStrategy(deps, follower.userId, named, 'small')).rejects.toMatchObject(tooSmall);
  });
});

describe('a strategy’s name', () => {
  const named = async (name: string, creator?: Trader) => {
    const owner = creator ?? (await world.traders(1, 5n * SOL))[0]!;
    const request = { name, description: '', capital: lamports(SOL), coins: [], autoClear: true };
    return (await createStrategy(strategiesOn(world), owner.userId, request, `named ${name}`)).strategy;
  };

  it('belongs to one strategy among all users, and so does whatever looks like it', async () => {
    const first = await named('Quiet Harbor');
    for (const copy of ['quiet harbor', 'Quiet Нarbor', 'Quiet-Harbor']) {
      await expect(named(copy)).rejects.toMatchObject({ errorName: 'NAME_TAKEN' });
    }
    await world.database.write(`update strategy set status = 'ended' where id = $1`, [first.id]);
    expect((await named('Quiet Harbor')).name).toBe('Quiet Harbor');
  });

  it('stays with the creator who was followed under it', async () => {
    const deps = strategiesOn(world);
    const { strategy, leader } = await aFollowed(deps);
    await endStrategy(deps, strategy.id);
    await passUntilClosed(deps, strategy.id);
    await expect(named(strategy.name)).rejects.toMatchObject({ errorName: 'NAME_TAKEN' });
    expect((await named(strategy.name, leader)).name).toBe(strategy.name);
  });

  it('is refused with hidden characters, and gets its key where an earlier version left it out', async () => {
    await expect(named('Quiet\u202eHarbor 2')).rejects.toMatchObject({
      errorName: 'INVALID_INPUT',
      context: { field: 'name', reason: 'format' },
    });
    const old = await named('Old Lighthouse');
    await world.database.write(`update strategy set name_key = null where id = $1`, [old.id]);
    await fillNameKeys({ database: world.database });
    await expect(named('0ld Lighthouse')).rejects.toMatchObject({ errorName: 'NAME_TAKEN' });
  });
});

describe('a follow without money', () => {
  const chosen = (slug: string, amount: bigint) => ({
    slug,
    mode: 'sol' as const,
    amount: lamports(amount),
    multiplier: '1',
    protection: {},
  });

  it('becomes what a real follow of the same amount became, on paper and in hindsight', async () => {
    const deps = strategiesOn(world);
    const { strategy, follow } = await aFollowed(deps);
    const [other] = await world.traders(1, SOL);
    const paper = await startPaperFollow(deps, other!.userId, chosen(strategy.slug, 5n * SOL));
    expect(paper).toMatchObject({ equity: '5', pnl: '0', copied: 0, endTime: null, endedBy: null });
    await expect(startPaperFollow(deps, other!.userId, chosen(strategy.slug, SOL))).rejects.toThrow(
      'You already follow this strategy',
    );

    await placeStrategyRound(deps, aPurchase(strategy, 2n * SOL));
    await placeStrategyRound(deps, aPurchase(strategy, 7n * SOL));
    const sale = { ...aPurchase(strategy), side: 'sell' as const, amountIn: SELL_ALL };
    await placeStrategyRound(deps, sale);
    await placeStrategyRound(deps, aPurchase(strategy, SOL));
    await markStrategies(deps, [strategy.id]);

    const real = await viewFollow(deps, await loadFollowById(world.database, follow.id));
    const hindsight = await simulate(deps, { ...chosen(strategy.slug, 5n * SOL), since: follow.openedAt.getTime() });
    expect(hindsight).toMatchObject({ copied: 4, limited: 1, skipped: 0, endedBy: null });
    expect(hindsight.reasons).toEqual([{ reason: 'coin-cap', count: 1 }]);
    expect(Math.abs(Number(hindsight.equity) - Number(real.equity))).toBeLessThan(0.03);
    expect(Number(hindsight.lists.at(-1)!.changeRate)).toBe(Number(hindsight.changeRate));
    const { lists, total } = await loadMyPaperFollows(deps, other!.userId, { pageNo: 1, pageSize: 20 });
    expect(total).toBe(1);
    expect(lists[0]).toMatchObject({ id: paper.id, copied: 4, skipped: 0 });
    expect(Math.abs(Number(lists[0]!.equity) - Number(hindsight.equity))).toBeLessThan(0.001);

    await expect(endPaperFollow(deps, follower.userId, paper.id)).rejects.toThrow('Resource not found');
    const ended = await endPaperFollow(deps, other!.userId, paper.id);
    expect(ended).toMatchObject({ endedBy: 'follower' });
    await placeStrategyRound(deps, { ...sale });
    // Its result stays, also when what it was replayed over is long gone.
    const years = strategiesOn(world, { clock: later(800 * DAY_MS) });
    for (const looking of [deps, years]) {
      expect((await loadMyPaperFollows(looking, other!.userId, { pageNo: 1, pageSize: 20 })).lists).toEqual([ended]);
    }
    expect(await differencesToChain(world)).toEqual({});
  });

  it('that has ended by itself stands in the way of no other, and keeps its result', async () => {
    const deps = strategiesOn(world);
    const { strategy } = await aFollowed(deps);
    const [other] = await world.traders(1, SOL);
    const careful = { ...chosen(strategy.slug, 5n * SOL), protection: { stopLoss: '20' } };
    await startPaperFollow(deps, other!.userId, careful);
    await placeStrategyRound(deps, aPurchase(strategy, 9n * SOL));
    // For some minutes the coin is worth nothing.
    await world.database.write(
      `insert into pool_mark (mint, at, sol_reserve, token_reserve, virtual_sol, virtual_tokens, fee_bps)
       select $1, date_trunc('minute', now()) + n * interval '1 minute', 1, 1000000000000000, 0, 0, 100 from generate_series(3, 6) n`,
      [world.mint],
    );
    const soon = strategiesOn(world, { clock: later(600_000) });
    const again = await startPaperFollow(soon, other!.userId, careful);
    expect(again).toMatchObject({ endedBy: null, endTime: null });
    const muchLater = strategiesOn(world, { clock: later(31 * DAY_MS) });
    await endOldPaperFollows(muchLater);
    const { lists } = await loadMyPaperFollows(muchLater, other!.userId, { pageNo: 1, pageSize: 20 });
    expect(lists).toMatchObject([
      { id: again.id, endedBy: 'time', endTime: again.startTime + 30 * DAY_MS },
      { endedBy: 'stop-loss', copied: 1 },
    ]);
    expect(Number(lists[1]!.equity)).toBeLessThan(4);
  });

  it('that joins later buys the weights of that moment, and says from when the past is known', async () => {
    const deps = strategiesOn(world);
    const { strategy } = await aFollowed(deps);
    await placeStrategyRound(deps, aPurchase(strategy, 4n * SOL));
    await markStrategies(deps, [strategy.id]);
    const joined = await simulate(deps, { ...chosen(strategy.slug, SOL), since: Date.now() });
    // Four of ten SOL are in the coin, and so are four tenths of what joins.
    expect(Number(joined.equity)).toBeLessThan(1);
    expect(Number(joined.equity)).toBeGreaterThan(0.98);
    expect(joined.copied).toBe(0);
    await world.database.write(`delete from round_market where strategy_id = $1`, [strategy.id]);
    const forgotten = await simulate(deps, { ...chosen(strategy.slug, SOL), since: 0 });
    expect(forgotten.since).toBeGreaterThan(strategy.publishedAt.getTime());
    await expect(simulate(deps, { ...chosen(strategy.slug, SOL), since: Date.now() + 60_000 })).rejects.toMatchObject({
      context: { field: 'since' },
    });
  });
});
