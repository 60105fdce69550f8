import { lamports } from '@hunter/domain/numbers/lamports';
import { beforeAll, describe, expect, it } from 'vitest';
import { mintNamed } from '@hunter/domain/address-for-test';
import { systemClock } from '../../platform/clock.ts';
import { JsonText } from '../../platform/json-text.ts';
import { aLoadedBoard, aMarketDatabase, aToken, aTrade } from '../../market/market-for-test.ts';
import type { MarketStore } from '../../market/market-store.ts';
import type { Caller } from '../handlers.ts';
import { marketHandlers } from './market.ts';

const startedMs = systemClock.nowMs();
const market = aMarketDatabase();
let store: MarketStore;
let solPrice: { usdMicro: bigint; atMs: number } | null;
let handlers: ReturnType<typeof marketHandlers>;

const stranger: Caller = {
  session: null,
  address: '127.0.0.1',
  device: '',
  language: 'en',
  apiKey: null,
  requestId: 'r',
  idempotencyKey: null,
};
const me: Caller = { ...stranger, session: { sessionId: 's', userId: 'user-1', email: 'a@b.example' } };

/** A handler may answer with data or with data that is encoded already. */
const plain = <T extends object>(reply: T | JsonText<T>): T => (reply instanceof JsonText ? reply.parse() : reply);

type Deps = Parameters<typeof marketHandlers>[0];

beforeAll(async () => {
  store = await market.emptyStore();
  await store.storeTokens([aToken(), aToken({ mint: 'MintB', symbol: 'TOAD', pool: 'PoolB' })]);
  await store.storeTrades(
    [
      aTrade({ seq: 1n, signature: 'S1', wallet: 'Me', walletUnitsAfter: 5n }),
      aTrade({ seq: 2n, signature: 'S2', wallet: 'Other', walletUnitsAfter: 9n }),
      aTrade({ seq: 3n, signature: 'S3', wallet: 'Strategy', walletUnitsAfter: 7n }),
    ],
    'test',
    {},
  );
  const board = await aLoadedBoard(market.database, store);
  handlers = marketHandlers({
    database: market.database,
    store,
    reads: { board, lagMs: () => 0 } as unknown as Deps['reads'],
    solUsd: { now: () => solPrice } as Deps['solUsd'],
    // It stands still, so that nobody gets a call back meanwhile.
    clock: { ...systemClock, nowMs: () => startedMs },
    safety: {
      levelOf: () => 'ok',
      badgesOf: () => Promise.resolve({ checkedAt: 0, badges: [], transferTax: null }),
    } as unknown as Deps['safety'],
    notices: {} as Deps['notices'],
    venue: { profile: { feeBps: 50, feeReserveLamports: lamports(0n) } },
    walletOf: async (userId) => (userId === 'user-1' ? 'Me' : 'Other'),
    strategyWalletsAmong: async () => new Set<string>(['Strategy']),
    ownTrades: async (userId, { mint }) => ({ lists: [], nextCursor: `${userId} ${mint}` }),
    watchlistOf: async (userId) => (userId === 'user-1' ? ['MintB'] : []),
  });
});

const unknown = { tokenContractAddress: mintNamed('MintX') };
const known = { tokenContractAddress: mintNamed('MintA') };

describe('the calls of the market', () => {
  it('shows own trades to whoever is signed in, and to nobody else', async () => {
    const request = { ...known, type: 'mine', limit: 10, cursor: undefined } as const;
    const mine = await handlers.getTokenTransactionData(request, me);
    expect(plain(mine).nextCursor).toBe('user-1 MintA');
    await expect(handlers.getTokenTransactionData(request, stranger)).rejects.toMatchObject({
      errorName: 'UNAUTHENTICATED',
    });
  });

  it('marks wallets of strategies among the holders, and the own wallet for whoever is signed in', async () => {
    const labels = async (caller: Caller) =>
      plain(await handlers.getTokenHolders({ ...known, limit: 10, sortBy: 'amount' }, caller))
        .lists.filter(({ label }) => label !== 'pool')
        .map(({ address, label }) => [address, label]);
    expect(await labels(me)).toEqual([
      ['Other', undefined],
      ['Strategy', 'strategy'],
      ['Me', 'you'],
    ]);
    expect(await labels(stranger)).toEqual([
      ['Other', undefined],
      ['Strategy', 'strategy'],
      ['Me', undefined],
    ]);
  });

  it('refuses a token it does not know by name, in every call that takes one', async () => {
    const asked = [
      () => handlers.getTokenBaseInfo(unknown, stranger),
      () => handlers.getTokenHolders({ ...unknown, limit: 10, sortBy: 'amount' }, stranger),
      () => handlers.getTokenTransactionData({ ...unknown, type: 'all', limit: 10, cursor: undefined }, stranger),
      () => handlers.kline({ ...unknown, interval: '1m', limit: 10, before: undefined }, stranger),
    ];
    for (const ask of asked) await expect(ask()).rejects.toMatchObject({ errorName: 'TOKEN_UNKNOWN' });
  });

  it('reads candles from the store for one caller only so often, and for others all the same', async () => {
    const ask = (limit: number, caller: Caller) =>
      handlers.kline({ ...known, interval: '1m', limit, before: 1_000 }, caller);
    const long = () => handlers.kline({ ...known, interval: '1m', limit: 1_000, before: undefined }, stranger);
    const asked = Array.from({ length: 300 }, (_, index) => (index % 2 === 0 ? ask(1, stranger) : long()));
    const refused = (await Promise.allSettled(asked)).map((answer) => answer.status === 'rejected');
    // Both ways to the store count together.
    expect(refused).toEqual(refused.map((_, index) => index >= 200));
    await expect(asked[299]).rejects.toMatchObject({ errorName: 'RATE_LIMITED' });
    expect(plain(await ask(1, me)).lists).toEqual([]);
    expect(plain(await ask(1, { ...stranger, address: '198.51.100.7' })).lists).toEqual([]);
  });

  it('gives no prices without a SOL price', async () => {
    solPrice = null;
    const request = { tokenContractAddress: ['MintA', 'MintB'].map(mintNamed) };
    await expect(handlers.tokenPrice(request, stranger)).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
    solPrice = { usdMicro: 150_500_000n, atMs: 7 };
    const { lists, solUsd } = plain(await handlers.tokenPrice(request, stranger));
    expect(lists.map(({ tokenContractAddress }) => tokenContractAddress)).toEqual(['MintA']);
    expect(solUsd).toEqual({ price: '150.5', time: 7 });
  });
});
