import { spotPrice } from '@hunter/domain/market/swap-maths';
import { lamports } from '@hunter/domain/numbers/lamports';
import { describe, expect, it } from 'vitest';
import { loadCopyReceipts } from '../portfolio/copy-receipts.ts';
import { placeInStrategy } from '../strategies/copying/place-strategy-round.ts';
import { createStrategy } from '../strategies/create-strategy.ts';
import { followedSteps } from '../strategies/followed-steps-for-test.ts';
import { strategiesOn } from '../strategies/strategies-for-test.ts';
import { useTradingWorld } from '../trading/use-trading-world-for-test.ts';
import type { Trader, TradingWorld } from '../trading/world-for-test.ts';
import { followWallet } from './manage-wallet-follows.ts';
import { loadCopiedWallets, type WalletFollows } from './wallet-follow.ts';
import { SOL, walletFollowsOn, walletFollowSteps } from './wallet-follow-steps-for-test.ts';

let world: TradingWorld;
let deps: WalletFollows;
let follower: Trader;

useTradingWorld(async (started) => {
  world = started;
  deps = await walletFollowsOn(world);
  follower = (await world.traders(1, 60n * SOL))[0]!;
});

const { walletTrades, pass, receiptsOf } = walletFollowSteps(() => ({ world, deps }));
const { aFollowed } = followedSteps(() => ({ world, follower }));

describe('a strategy that copies a wallet', () => {
  it('measures what its followers buy without the trades by which the owner of that wallet has lifted the price', async () => {
    const lifter = (await world.traders(1, 20n * SOL))[0]!;
    const strategies = strategiesOn(world, {
      copiedWallets: loadCopiedWallets,
      // As if half of the price came from his trades.
      referenceToBuy: async (mint, linked) => {
        const { numerator, denominator } = spotPrice((await world.pools.load([mint])).get(mint)!);
        return { numerator, denominator: denominator * (linked.has(lifter.address) ? 2n : 1n) };
      },
    });
    deps = { ...deps, place: (order) => placeInStrategy(strategies, order) };
    const { strategy, leader } = await aFollowed(strategies);
    const copied = { address: lifter.address, name: 'Lifter', slug: strategy.slug };
    const settings = { size: { kind: 'fixed', amount: 2n * SOL } } as never;
    await followWallet(deps, leader.userId, { ...copied, settings }, 'lifter');
    await walletTrades(lifter, 'buy', 2n * SOL);
    await pass();
    const { lists } = await loadCopyReceipts(strategies, follower.userId, { slug: strategy.slug, cursor: undefined });
    expect(lists).toMatchObject([{ kind: 'fill', limitedBy: 'run-up' }]);
  });

  it('buys for all that its book has beside its float where it wants more', async () => {
    const [wallet, leader] = (await world.traders(2, 20n * SOL)) as [Trader, Trader];
    const strategies = strategiesOn(world);
    deps = { ...deps, place: (order) => placeInStrategy(strategies, order) };
    const plan = { name: 'All of it', description: '', capital: lamports(SOL), coins: [], autoClear: true };
    const { strategy } = await createStrategy(strategies, leader.userId, plan, 'all of it');
    const settings = { size: { kind: 'fixed', amount: 2n * SOL }, coinCap: '100' } as never;
    const copied = { address: wallet.address, name: 'Whale', slug: strategy.slug, settings };
    const follow = await followWallet(deps, leader.userId, copied, 'all of it');
    await walletTrades(wallet, 'buy', SOL);
    await pass();
    expect(await receiptsOf(leader, follow.id)).toMatchObject([{ state: 'done', reason: 'insufficient-balance' }]);
  });
});
