import { lamports } from '@hunter/domain/numbers/lamports';
import { describe, expect, it, vi } from 'vitest';
import { requestOrderId } from '../trading/request-order-id.ts';
import { loadFrozenBooks } from '../treasury/transfers/transfer-store.ts';
import { useTradingWorld } from '../trading/use-trading-world-for-test.ts';
import type { Trader, TradingWorld } from '../trading/world-for-test.ts';
import { cancelFollow } from './cancel-follow.ts';
import { changeFunds } from './change-funds.ts';
import { loadFollowById } from './follow-store.ts';
import { loadRoom } from './follow-strategy.ts';
import { onTransferSettled } from './on-transfer-settled.ts';
import type { Strategies } from './strategies.ts';
import { passUntilClosed, strategiesOn } from './strategies-for-test.ts';
import { loadStrategyById } from './strategy-store.ts';
import { SOL, strategySteps } from './strategy-steps-for-test.ts';

let world: TradingWorld;
let deps: Strategies;
useTradingWorld((started) => {
  world = started;
  deps = strategiesOn(world);
});

const { aStrategy, follow } = strategySteps(() => ({ world, deps, mints: [] }));

/** Nobody waits long for a transfer that the signer puts off. */
function waitingOneSecond(): Strategies {
  const transfers = Object.assign(Object.create(deps.transfers) as Strategies['transfers'], {
    run: (id: string) => deps.transfers.run(id, { waitMs: 1_000 }),
    waitFor: deps.transfers.waitFor.bind(deps.transfers),
  });
  return { ...deps, transfers };
}

async function settled(transferId: string): Promise<void> {
  await vi.waitFor(
    async () => expect((await deps.transfers.waitFor([transferId], 0))[0]).toMatchObject({ state: 'finalized' }),
    { timeout: 120_000, interval: 100 },
  );
  await onTransferSettled(deps, { transferId, kind: 'commit', state: 'finalized' });
}

describe('a follow that is reduced', () => {
  it('makes room for others by what was taken out', async () => {
    const [creator, follower] = (await world.traders(2, 60n * SOL)) as [Trader, Trader];
    const { id, slug } = await aStrategy(creator, { coins: [] });
    const { bookId } = await follow(follower, slug, 3n * SOL);
    const room = async () => loadRoom(world.database, await loadStrategyById(world.database, id));
    expect(await room()).toBe(17n * SOL);
    const isFrozen = async () => (await loadFrozenBooks(world.database, [bookId])).size > 0;
    await vi.waitFor(async () => expect(await isFrozen()).toBe(false), { timeout: 120_000, interval: 100 });
    await changeFunds(deps, follower.userId, { slug, action: 'reduce', amount: lamports(2n * SOL) }, 'out');
    // The fee of the return is nobody's.
    expect(await room()).toBe(19n * SOL - 5_000n);
    await changeFunds(deps, follower.userId, { slug, action: 'add', amount: lamports(2n * SOL) }, 'in again');
    expect(await room()).toBe(17n * SOL - 5_000n);
  });
});

describe('what is added to a follow', () => {
  it('is no gain of whoever cancels while it is on its way', async () => {
    const [creator, follower] = (await world.traders(2, 60n * SOL)) as [Trader, Trader];
    const { id, slug } = await aStrategy(creator, { coins: [] });
    const followed = await follow(follower, slug, 2n * SOL);
    const later = vi
      .spyOn(world.signer, 'sign')
      .mockImplementation(async (asked) => asked.map(() => ({ denied: { code: 'VELOCITY', reason: 'test' } })));
    await changeFunds(waitingOneSecond(), follower.userId, { slug, action: 'add', amount: lamports(3n * SOL) }, 'more');
    expect((await cancelFollow(deps, follower.userId, slug)).status).toBe('closing');
    later.mockRestore();
    await settled(requestOrderId('funds', followed.id, 'add', 'more'));
    await passUntilClosed(deps, id);
    expect(await loadFollowById(world.database, followed.id)).toMatchObject({
      amountLamports: 5n * SOL,
      // In one return: as much as was put in leaves at once.
      returnedLamports: 5n * SOL - 5_000n,
    });
  });
});
