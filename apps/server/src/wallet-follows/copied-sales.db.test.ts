import { AppError } from '@hunter/contract/app-error';
import { lamports } from '@hunter/domain/numbers/lamports';
import { SYSTEM_PROGRAM } from '@hunter/solana/program-ids';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { differencesToChain } from '../strategies/strategies-for-test.ts';
import type { HeldOrder, NewOrder, Order } from '../trading/order.ts';
import { useTradingWorld } from '../trading/use-trading-world-for-test.ts';
import type { TradingWorld } from '../trading/world-for-test.ts';
import { WalletFollowLoop } from './copy-trades.ts';
import { exitTransferred } from './exit-transferred.ts';
import type { WalletFollows } from './wallet-follow.ts';
import { SOL, walletFollowsOn, walletFollowSteps } from './wallet-follow-steps-for-test.ts';

let world: TradingWorld;
let deps: WalletFollows;

useTradingWorld(async (started) => {
  world = started;
  deps = await walletFollowsOn(world);
});

const { walletTrades, aFollow, pass, receiptsOf, tokensIn } = walletFollowSteps(() => ({
  world,
  deps,
}));

/** Orders of this side are written and left lying, as on a slow chain; `carryOut` trades them. */
function slowOrders(side: 'buy' | 'sell') {
  const held: HeldOrder[] = [];
  const place: WalletFollows['place'] = async (order, kind) => {
    if (order.side !== side) return deps.place(order, kind);
    const [placed] = await world.database.transaction((sql) =>
      world.engine.placeIn(sql, [order as NewOrder & { id: string }]),
    );
    if (placed!.kind !== 'held') throw new Error('the copy was not placed');
    held.push(placed!.held);
    return placed!.held.order;
  };
  const carryOut = async (): Promise<void> => {
    world.engine.carryOut(held);
    await world.engine.waitFor(
      held.map(({ order }) => order.id),
      20_000,
    );
  };
  return { place, carryOut };
}

describe('a followed wallet that sells', () => {
  it('sells when the wallet has sent its tokens away', async () => {
    const { follow, wallet, owner } = await aFollow();
    await walletTrades(wallet, 'buy', SOL);
    await pass();
    expect(await tokensIn(follow.bookId)).toBeGreaterThan(0n);
    // Its usual account is empty on chain, and no sale was seen; first it has them in another one, then in none.
    const rpc: WalletFollows['rpc'] = {
      getSignatureStatuses: (...asked) => deps.rpc.getSignatureStatuses(...asked),
      getMultipleAccounts: async (accounts) => ({ contextSlot: 1n, value: accounts.map(() => null) }),
      getTokenAccountsByOwner: (...asked) => deps.rpc.getTokenAccountsByOwner(...asked),
    };
    await new WalletFollowLoop({ ...deps, rpc }).pass();
    expect(await tokensIn(follow.bookId)).toBeGreaterThan(0n);
    rpc.getTokenAccountsByOwner = async () => ({ contextSlot: 1n, value: [] });
    await new WalletFollowLoop({ ...deps, rpc }).pass();
    expect(await tokensIn(follow.bookId)).toBe(0n);
    expect((await receiptsOf(owner, follow.id))[0]).toMatchObject({ side: 'sell', state: 'done', txHash: '' });
  });

  it('sells also where a stranger has put SOL in the place of the wallet’s token account', async () => {
    const scenes = [await aFollow(), await aFollow()];
    for (const { wallet } of scenes) await walletTrades(wallet, 'buy', SOL);
    await pass();
    const stranger = { lamports: 1n, data: new Uint8Array(), owner: SYSTEM_PROGRAM, executable: false };
    let calls = 0;
    const rpc: WalletFollows['rpc'] = {
      ...deps.rpc,
      getMultipleAccounts: async (accounts) => {
        calls += 1;
        return { contextSlot: 1n, value: accounts.map(() => stranger as never) };
      },
      getTokenAccountsByOwner: async () => ({ contextSlot: 1n, value: [] }),
    };
    const follows = scenes.map(({ follow }) => follow);
    const exits = await exitTransferred({ ...deps, rpc }, follows);
    const exit = { side: 'sell', mint: world.mint, state: 'planned' };
    expect(new Set(exits.map(({ followId }) => followId))).toEqual(new Set(follows.map(({ id }) => id)));
    expect(exits).toMatchObject([exit, exit]);
    expect(calls).toBe(1);
  });

  it('sells once the venue can be reached again, and gives up after ten minutes', async () => {
    const { follow, wallet, owner } = await aFollow();
    const bought = await walletTrades(wallet, 'buy', SOL);
    await pass();
    const held = await tokensIn(follow.bookId);
    let laterMs = 0;
    const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + laterMs };
    const unreachable = { ...deps, clock, place: () => Promise.reject(new AppError('UNAVAILABLE')) };
    const newest = async () => (await receiptsOf(owner, follow.id))[0];

    await walletTrades(wallet, 'sell', bought.filledOut! / 2n);
    for (let tries = 0; tries < 2; tries += 1) await new WalletFollowLoop(unreachable).pass();
    expect(await newest()).toMatchObject({ side: 'sell', state: 'planned' });
    await pass();
    expect(await newest()).toMatchObject({ side: 'sell', state: 'done' });
    expect(await tokensIn(follow.bookId)).toBeLessThan(held);

    await walletTrades(wallet, 'sell', bought.filledOut! / 4n);
    await new WalletFollowLoop(unreachable).pass();
    laterMs = 10 * 60_000;
    await new WalletFollowLoop(unreachable).pass();
    expect(await newest()).toMatchObject({ side: 'sell', state: 'skipped', reason: 'venue-refused' });
  });

  it('sells what it was still buying when the wallet sold', async () => {
    const { follow, wallet, owner } = await aFollow();
    const bought = await walletTrades(wallet, 'buy', SOL);
    await walletTrades(wallet, 'sell', bought.filledOut!);
    const { place, carryOut } = slowOrders('buy');
    await new WalletFollowLoop({ ...deps, place }).pass();
    await pass();
    await carryOut();
    await pass();
    const states = (await receiptsOf(owner, follow.id)).map(({ side, state }) => `${side} ${state}`);
    expect(states).toEqual(['sell done', 'buy done']);
    expect(await tokensIn(follow.bookId)).toBe(0n);
    expect(await differencesToChain(world)).toEqual({});
  });

  it('sells the rest once the sale before it has ended', async () => {
    const { follow, wallet, owner } = await aFollow();
    const bought = await walletTrades(wallet, 'buy', SOL);
    await pass();
    const half = bought.filledOut! / 2n;
    for (const part of [half, bought.filledOut! - half]) await walletTrades(wallet, 'sell', part);
    const { place, carryOut } = slowOrders('sell');
    await new WalletFollowLoop({ ...deps, place }).pass();
    await carryOut();
    await pass();
    const states = (await receiptsOf(owner, follow.id)).map(({ side, state }) => `${side} ${state}`);
    expect(states).toEqual(['sell done', 'sell done', 'buy done']);
    expect(await tokensIn(follow.bookId)).toBe(0n);
  });

  it('pays for no sale of dust, and sells all of it with a later one', async () => {
    const { follow, wallet, owner } = await aFollow();
    const bought = await walletTrades(wallet, 'buy', SOL);
    await pass();
    const held = await tokensIn(follow.bookId);
    let left: bigint = bought.filledOut!;
    let exact = held;
    const sell = async (amount: bigint): Promise<string> => {
      await walletTrades(wallet, 'sell', amount);
      exact -= (exact * amount) / left;
      left -= amount;
      await pass();
      const [newest] = await receiptsOf(owner, follow.id);
      return `${newest!.state} ${newest!.reason}`;
    };
    const dust = bought.filledOut! / 1_000n;
    const later = 'skipped sold-later';
    expect([await sell(dust), await sell(dust)]).toEqual([later, later]);
    expect(await tokensIn(follow.bookId)).toBe(held);
    expect([await sell(dust), await sell(dust)]).toEqual(['done null', later]);
    expect(await sell(left / 4n)).toBe('done null');
    expect(await tokensIn(follow.bookId)).toBe(exact);
    expect([await sell(dust), await sell(left)]).toEqual([later, 'done null']);
    expect(await tokensIn(follow.bookId)).toBe(0n);
    expect(await differencesToChain(world)).toEqual({});
  });

  it('owes nothing any more of tokens that were sold in another way', async () => {
    const { follow, wallet, owner } = await aFollow();
    const bought = await walletTrades(wallet, 'buy', SOL);
    await pass();
    await walletTrades(wallet, 'sell', bought.filledOut! / 1_000n);
    await pass();
    await deps.place(
      {
        userId: follow.userId,
        bookId: follow.bookId,
        side: 'sell',
        mint: world.mint,
        amountIn: lamports(await tokensIn(follow.bookId)),
        slippageBps: 1_000,
        kind: 'trade',
      },
      'wallet-follow',
    );
    const again = await walletTrades(wallet, 'buy', SOL);
    await pass();
    const held = await tokensIn(follow.bookId);
    const before = bought.filledOut! - bought.filledOut! / 1_000n + again.filledOut!;
    await walletTrades(wallet, 'sell', before / 4n);
    await pass();
    expect((await receiptsOf(owner, follow.id))[0]).toMatchObject({ side: 'sell', state: 'done' });
    expect(await tokensIn(follow.bookId)).toBe(held - (held * (before / 4n)) / before);
  });

  it('sells when the wallet has sent its tokens away after a sale of dust', async () => {
    const { follow, wallet } = await aFollow();
    const bought = await walletTrades(wallet, 'buy', SOL);
    await pass();
    await walletTrades(wallet, 'sell', bought.filledOut! / 1_000n);
    await pass();
    const rpc: WalletFollows['rpc'] = {
      getSignatureStatuses: (...asked) => deps.rpc.getSignatureStatuses(...asked),
      getMultipleAccounts: async (accounts) => ({ contextSlot: 1n, value: accounts.map(() => null) }),
      getTokenAccountsByOwner: async () => ({ contextSlot: 1n, value: [] }),
    };
    await new WalletFollowLoop({ ...deps, rpc }).pass();
    expect(await tokensIn(follow.bookId)).toBe(0n);
  });

  it('counts what it is still buying for the caps of a token', async () => {
    const { follow, wallet, owner } = await aFollow({ capPerToken: lamports(SOL / 2n) });
    const { place, carryOut } = slowOrders('buy');
    for (let buys = 0; buys < 2; buys += 1) await walletTrades(wallet, 'buy', SOL);
    await new WalletFollowLoop({ ...deps, place }).pass();
    await carryOut();
    await pass();
    const states = (await receiptsOf(owner, follow.id)).map(({ state, reason }) => `${state} ${reason}`);
    expect(states).toEqual(['skipped token-cap', 'done null']);
  });

  it('buys no more what it could not order before the wallet had sold all of it', async () => {
    const { follow, wallet, owner } = await aFollow();
    const bought = await walletTrades(wallet, 'buy', SOL);
    await walletTrades(wallet, 'sell', bought.filledOut!);
    const busy = { ...deps, place: () => Promise.reject(new AppError('TRADE_UNDER_WAY')) };
    await new WalletFollowLoop(busy).pass();
    await pass();
    const states = (await receiptsOf(owner, follow.id)).map(({ side, state, reason }) => `${side} ${state} ${reason}`);
    expect(states).toEqual(['sell skipped nothing-to-sell', 'buy skipped wallet-exited']);
    expect(await tokensIn(follow.bookId)).toBe(0n);
  });

  it('sells under another id where an order died before anything was traded', async () => {
    const { follow, wallet, owner } = await aFollow();
    const bought = await walletTrades(wallet, 'buy', SOL);
    await pass();
    const held = await tokensIn(follow.bookId);
    await walletTrades(wallet, 'sell', bought.filledOut!);
    const died: string[] = [];
    const dying: WalletFollows['place'] = async (order) => {
      died.push(order.id!);
      return { ...order, state: 'dead', error: 'UNAVAILABLE' } as Order;
    };
    for (let tries = 0; tries < 2; tries += 1) await new WalletFollowLoop({ ...deps, place: dying }).pass();
    expect(new Set(died).size).toBe(2);
    expect(await tokensIn(follow.bookId)).toBe(held);
    await pass();
    expect((await receiptsOf(owner, follow.id))[0]).toMatchObject({ side: 'sell', state: 'done' });
    expect(await tokensIn(follow.bookId)).toBe(0n);
    expect(await differencesToChain(world)).toEqual({});
  });
});
