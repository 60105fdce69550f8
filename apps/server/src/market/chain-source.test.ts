import { expect, it, vi } from 'vitest';
import type { Address } from '@hunter/solana/address';
import { RpcError, RpcTransportError } from '@hunter/solana/rpc-error';
import type { Clock } from '../platform/clock.ts';
import { ManualClock } from '../platform/clock-for-test.ts';
import { createLog } from '../platform/log.ts';
import { passedOver } from '../platform/read-transactions.ts';
import { ChainSource } from './chain-source.ts';
import type { MarketPool, MarketTrade } from './market-source.ts';

const NOW_MS = 1_790_000_000_000;
const clock: Clock = { nowMs: () => NOW_MS, pause: (_, signal) => untilAborted(signal) };

function untilAborted(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}

type Signed = { signature: string; slot: bigint; blockTime: number };

/** A source over a store with this cursor, and a chain with these transactions, or with none that answers. */
function aSource(
  cursor: unknown,
  transactions?: readonly Signed[],
  show: (asked: readonly Signed[]) => readonly unknown[] = (asked) => asked,
  at: Clock = clock,
) {
  const logged: { signature?: string }[] = [];
  const stored: unknown[] = [];
  const trades: MarketTrade[] = [];
  const changes: { cursor: unknown; pools: readonly MarketPool[] }[] = [];
  /** What is known of tokens: where each is traded. */
  const pools = new Map<string, readonly string[]>();
  const venue = {
    referenceAddress: () => (transactions ? Promise.resolve('reference') : Promise.reject(new Error('not there'))),
    liveliestTokens: async () => [],
    tokens: async (mints: readonly Address[]) => mints.map((mint) => ({ mint, pools: ['Curve', 'Pool'] })),
  };
  const source = new ChainSource({
    rpc: {
      getSignaturesForAddress: async (_: unknown, { until }: { until?: string }) =>
        transactions!.slice(transactions!.findIndex(({ signature }) => signature === until) + 1).toReversed(),
      getTransactions: async (asked: readonly string[]) => {
        const found = asked.map((one) => transactions!.find(({ signature }) => signature === one)!);
        return show(found.map((transaction) => ({ err: 'failed', ...transaction })));
      },
    } as never,
    subscriptions: { logs: () => () => {}, onReconnect: () => () => {} } as never,
    venue: venue as never,
    sink: {
      loadCursor: async () => stored.at(-1) ?? cursor,
      storeTokens: async (tokens: readonly { mint: Address; pools: readonly string[] }[]) => {
        for (const { mint, pools: at } of tokens) pools.set(mint, at);
      },
      storeTrades: async (found: readonly MarketTrade[], _: unknown, next: unknown, __: unknown, touched: []) => {
        stored.push(next);
        trades.push(...found);
        changes.push({ cursor: next, pools: touched });
      },
      tokens: {
        isPoolOf: (mint: Address, address: string) => pools.get(mint)?.includes(address) ?? false,
        ofPool: (pool: string) =>
          pool === 'Liquid' || pools.get('Mint')?.includes(pool) ? { mint: 'Mint' } : undefined,
      },
    } as never,
    solUsd: { start: async () => {}, now: () => null, at: async () => 150_000_000n } as never,
    clock: at,
    log: Object.assign(createLog('silent'), { warn: (facts: { signature?: string }) => void logged.push(facts) }),
  });
  return { source, stored, trades, changes, logged, venue };
}

it('does not know how old the market is before any of it was stored', async () => {
  const { source } = aSource(null);
  await source.prepare();
  source.start();
  expect(source.lagMs()).toBeNull();
  await source.stop();
});

it('knows how old the stored market is after a restart, also while the chain does not answer', async () => {
  const { source } = aSource({ signature: 'last', slot: '5', place: 0, atMs: NOW_MS - 4_000 });
  await source.prepare();
  source.start();
  expect(source.lagMs()).toBe(4_000);
  expect(source.isCaughtUp).toBe(false);
  await source.stop();
});

it('stores with its place when the last transaction was made', async () => {
  const seconds = NOW_MS / 1000;
  const { source, stored } = aSource(null, [
    { signature: 'first', slot: 5n, blockTime: seconds - 9 },
    { signature: 'second', slot: 5n, blockTime: seconds - 8 },
  ]);
  await source.prepare();
  source.start();
  await expect.poll(() => source.isCaughtUp).toBe(true);
  expect(stored).toEqual([{ signature: 'second', slot: '5', place: 1, atMs: NOW_MS - 8_000 }]);
  await source.stop();
});

/** Tokens for SOL, from `seller`. */
function aSwap(signature: string, seller: string) {
  const units = (owner: string, accountIndex: number, amount: bigint) => ({
    owner,
    accountIndex,
    mint: 'Mint',
    amount,
  });
  return {
    signature,
    slot: 5n,
    blockTime: NOW_MS / 1000,
    err: null,
    fee: 5_000n,
    accountKeys: ['Buyer', seller],
    preBalances: [10_000_000_000n, 50_000_000_000n],
    postBalances: [8_999_995_000n, 51_000_000_000n],
    preTokenBalances: [units('Buyer', 0, 0n), units(seller, 1, 900n)],
    postTokenBalances: [units('Buyer', 0, 40n), units(seller, 1, 860n)],
  };
}

it('takes no swap between two wallets for a trade of the market, although it names the venue', async () => {
  const swaps = [aSwap('on-curve', 'Curve'), aSwap('forged', 'Friend'), aSwap('in-pool', 'Pool')];
  const { source, trades } = aSource(null, swaps);
  await source.prepare();
  source.start();
  await expect.poll(() => source.isCaughtUp).toBe(true);
  expect(trades.map(({ signature }) => signature)).toEqual(['on-curve', 'in-pool']);
  await source.stop();
});

it('stores what somebody put into a pool together with the place where it stands then', async () => {
  const added = { ...aSwap('added', 'Liquid'), postBalances: [0n, 7n], preTokenBalances: [] };
  const { source, changes } = aSource(null, [added]);
  await source.prepare();
  source.start();
  await expect.poll(() => source.isCaughtUp).toBe(true);
  expect(changes).toMatchObject([
    { cursor: { signature: 'added' }, pools: [{ mint: 'Mint', pool: 'Liquid', lamports: 7n, units: 860n }] },
  ]);
  await source.stop();
});

it('moves on past a token that left its pool only with the pool that it went to', async () => {
  const graduation = {
    ...aSwap('graduation', 'Liquid'),
    accountKeys: ['Launchpad', 'Liquid', 'Next'],
    preBalances: [9n, 50n, 0n],
    postBalances: [4n, 1n, 49n],
    preTokenBalances: [],
    postTokenBalances: [{ owner: 'Next', accountIndex: 2, mint: 'Mint', amount: 900n }],
  };
  const time = new ManualClock(NOW_MS);
  const { source, stored, changes, venue } = aSource(null, [graduation], (asked) => asked, time);
  venue.tokens = () => Promise.reject(new Error('the venue is away'));
  await source.prepare();
  source.start();
  await expect.poll(() => time.waiting).toBe(1);
  expect(stored).toEqual([]);
  venue.tokens = async (mints) => mints.map((mint) => ({ mint, pools: ['Next'] }));
  await vi.waitFor(async () => {
    await time.advance(1_000);
    expect(source.isCaughtUp).toBe(true);
  });
  expect(changes.at(-1)).toMatchObject({
    cursor: { signature: 'graduation' },
    pools: [{ pool: 'Liquid' }, { pool: 'Next', lamports: 49n, units: 900n }],
  });
  await source.stop();
});

it('passes over a transaction that a stranger wrote so that nobody can read it, and says so once', async () => {
  const swaps = [aSwap('before', 'Curve'), aSwap('unreadable', 'Curve'), aSwap('after', 'Curve')];
  const { source, trades, stored, logged } = aSource(null, swaps, (asked) => {
    if (asked.some(({ signature }) => signature === 'unreadable')) {
      throw new RpcError('getTransaction', -32015, 'Transaction version (7) is not supported', null);
    }
    return asked;
  });
  const counted: unknown[] = [];
  const count = (message: unknown): void => void counted.push(message);
  passedOver.subscribe(count);
  await source.prepare();
  source.start();
  await expect.poll(() => source.isCaughtUp).toBe(true);
  passedOver.unsubscribe(count);
  expect(trades.map(({ signature, seq }) => [signature, seq % 65_536n])).toEqual([
    ['before', 0n],
    ['after', 2n],
  ]);
  expect(stored).toHaveLength(1);
  expect(logged).toEqual([{ signature: 'unreadable', err: expect.any(RpcError) }]);
  expect(counted).toEqual([{ reader: 'market' }]);
  await source.stop();
});

it('stores what is before a transaction that the node does not show yet, and goes on once it does', async () => {
  const swaps = [aSwap('before', 'Curve'), aSwap('late', 'Curve'), aSwap('after', 'Curve')];
  let isShown = false;
  const time = new ManualClock(NOW_MS);
  const show = (asked: readonly Signed[]) => asked.map((one) => (one.signature === 'late' && !isShown ? null : one));
  const { source, trades } = aSource(null, swaps, show, time);
  const stored = () => trades.map(({ signature }) => signature);
  await source.prepare();
  source.start();
  await expect.poll(stored).toEqual(['before']);
  await time.advance(1_000);
  expect([stored(), source.isCaughtUp]).toEqual([['before'], false]);
  isShown = true;
  await vi.waitFor(async () => {
    await time.advance(1_000);
    expect(source.isCaughtUp).toBe(true);
  });
  expect(stored()).toEqual(['before', 'late', 'after']);
  await source.stop();
});

it('asks for what the node lists and never shows ever less often, at least once a minute, and does not pass it', async () => {
  const time = new ManualClock(NOW_MS);
  let tries = 0;
  const show = (asked: readonly Signed[]) => {
    tries += 1;
    return asked.map(() => null);
  };
  const { source, stored } = aSource(null, [aSwap('never', 'Curve')], show, time);
  await source.prepare();
  source.start();
  await time.advance(3 * 60_000);
  for (let minute = 0; minute < 10; minute += 1) {
    tries = 0;
    await time.advance(60_000);
    expect(tries).toBe(1);
  }
  expect(stored).toEqual([]);
  await source.stop();
});

it('asks for fewer at once where the answer does not come, such as for transactions that a stranger made large', async () => {
  const swaps = Array.from({ length: 300 }, (_, index) => aSwap(`swap-${index}`, 'Curve'));
  const time = new ManualClock(NOW_MS);
  const show = (asked: readonly Signed[]) => {
    if (asked.length > 40) throw new RpcTransportError('timeout', 'no answer within 10000 ms');
    return asked;
  };
  const { source, trades } = aSource(null, swaps, show, time);
  await source.prepare();
  source.start();
  await vi.waitFor(async () => {
    await time.advance(5_000);
    expect(source.isCaughtUp).toBe(true);
  });
  expect(trades).toHaveLength(300);
  await source.stop();
});
