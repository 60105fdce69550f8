import { decodeBase58, encodeBase58 } from '@hunter/solana/base58';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Address } from '@hunter/solana/address';
import { mintNamed } from '@hunter/domain/address-for-test';
import { systemClock } from '../platform/clock.ts';
import { ManualClock } from '../platform/clock-for-test.ts';
import { createLog } from '../platform/log.ts';
import type { Database } from '../platform/postgres.ts';
import { rollHolders } from './holder-mix.ts';
import { HolderSnapshots } from './holder-snapshot.ts';
import { aMarketDatabase, aToken, aTrade } from './market-for-test.ts';
import type { MarketTrade } from './market-source.ts';
import { MarketStore } from './market-store.ts';
import { displayNames, nameFlagsOf } from './name-flags.ts';
import { TokenSafetyIndex } from './safety/token-safety-index.ts';
import { SolUsd } from './sol-usd.ts';
import { TraderBoard } from './wallets/trader-board.ts';
import { loadWalletProfile } from './wallets/wallet-profile.ts';

const log = createLog('silent');
const wallet = (byte: number) => encodeBase58(Buffer.alloc(32, byte));
const NOW_MS = 1_790_000_000_000;
const clock = { ...systemClock, nowMs: () => NOW_MS };
const market = aMarketDatabase();
let database: Database;
let store: MarketStore;

beforeAll(() => {
  database = market.database;
});
beforeEach(async () => {
  store = await market.emptyStore();
  await store.storeTokens([aToken({ pool: wallet(9) })]);
});

function tokenAccount(owner: string, amount: bigint) {
  const data = Buffer.alloc(40);
  data.set(decodeBase58(owner), 0);
  data.writeBigUInt64LE(amount, 32);
  return { account: { data } };
}

async function readHolders(slot: bigint, accounts: ReturnType<typeof tokenAccount>[]): Promise<unknown[]> {
  const rpc = { getProgramAccounts: async () => ({ value: accounts, contextSlot: slot }) } as never;
  await new HolderSnapshots({ rpc, database, store, clock, log, onRead: () => {} }).read(
    store.tokens.get(mintNamed('MintA'))!,
  );
  return database.query(
    `select r.address, h.amount from holder h join trader r on r.id = h.trader_id where amount > 0 order by h.amount`,
  );
}

it('counts holders that never traded, sums accounts of one owner and leaves the pool out', async () => {
  const rows = await readHolders(100n, [
    tokenAccount(wallet(1), 5n),
    tokenAccount(wallet(1), 6n),
    tokenAccount(wallet(2), 7n),
    tokenAccount(wallet(9), 1_000n),
  ]);
  expect(rows).toEqual([
    { address: wallet(2), amount: 7n },
    { address: wallet(1), amount: 11n },
  ]);
  expect(await database.query(`select holders from token_stats`)).toEqual([{ holders: 2 }]);
});

it('lets the newer of a trade and a reading win, whichever is stored first', async () => {
  const trade = (slot: bigint, units: bigint) =>
    store.storeTrades([aTrade({ seq: slot * 65_536n, wallet: wallet(1), walletUnitsAfter: units })], 'test', {});
  await trade(200n, 50n);
  expect(await readHolders(100n, [tokenAccount(wallet(1), 5n)])).toEqual([{ address: wallet(1), amount: 50n }]);
  expect(await readHolders(300n, [tokenAccount(wallet(1), 8n)])).toEqual([{ address: wallet(1), amount: 8n }]);
  await trade(250n, 60n);
  expect(await readHolders(299n, [])).toEqual([{ address: wallet(1), amount: 8n }]);
  expect(await readHolders(400n, [])).toEqual([]);
  expect(await database.query(`select holders from token_stats`)).toEqual([{ holders: 0 }]);
});

it('uses up numbers for new wallets and tokens only, however often it reads those that it has', async () => {
  const accounts = [1, 2, 3].map((byte) => tokenAccount(wallet(byte), 5n));
  for (const slot of [100n, 101n, 102n]) await readHolders(slot, accounts);
  const restarted = new MarketStore(database, nameFlagsOf, displayNames);
  await restarted.storeTokens([aToken({ pool: wallet(9) }), aToken({ mint: 'MintB' })]);
  const trades = [1, 2, 4].map((byte) => aTrade({ seq: BigInt(byte), wallet: wallet(byte) }));
  await restarted.storeTrades(trades, 'test', {});
  const ids = async (table: string) => {
    const rows = await database.query<{ id: number }>(`select id from ${table} order by id`);
    return rows.map(({ id }) => id);
  };
  expect(await ids('trader')).toEqual([1, 2, 3, 4]);
  expect(await ids('token')).toEqual([1, 2]);
});

it('reads the holders of other tokens where those of one cannot be read', async () => {
  const mints = ['MintB', 'MintC', 'MintD', 'MintE', 'MintF'];
  await store.storeTokens(mints.map((mint) => aToken({ mint })));
  await database.write(`update token_stats set score = 10 where token_id <= 4`);
  const unreadable = new Set(['MintA', ...mints.slice(0, 3)]);
  const asked: string[] = [];
  const rpc = {
    getProgramAccounts: async (
      _program: string,
      { filters: [filter] }: { filters: { memcmp: { bytes: string } }[] },
    ) => {
      const { bytes: mint } = filter!.memcmp;
      asked.push(mint);
      if (unreadable.has(mint)) throw new Error('too many accounts');
      return { value: [], contextSlot: 100n };
    },
  } as never;
  const time = new ManualClock(NOW_MS);
  const snapshots = new HolderSnapshots({ rpc, database, store, clock: time, log, onRead: () => {} });
  snapshots.start();
  await vi.waitFor(async () => {
    await time.advance(2_000);
    expect(asked).toEqual(expect.arrayContaining(['MintE', 'MintF']));
  });
  await snapshots.stop();
  expect(asked.filter((mint) => mint === 'MintA')).toHaveLength(1);
});

describe('a wallet that sends its losses away', () => {
  const MINTS = ['Won1', 'Won2', 'Won3', 'Won4', 'Won5', 'Lost1', 'Lost2', 'Lost3', 'Lost4', 'Lost5'].map(mintNamed);
  const TRADER = wallet(1);
  const buy = (mint: Address, slot: bigint) =>
    aTrade({ mint, wallet: TRADER, seq: slot * 65_536n, baseUnits: 100n, walletUnitsAfter: 100n });
  const sell = (mint: Address, slot: bigint, lamports: bigint) => ({
    ...buy(mint, slot),
    isBuy: false,
    lamports,
    walletUnitsAfter: 0n,
  });
  const storing = (...trades: MarketTrade[]) => store.storeTrades(trades, 'test', { seq: String(trades.at(-1)!.seq) });
  /** Any later trade of the market, so that all up to the reading are known to be stored. */
  const laterTrade = (slot: bigint) => storing(aTrade({ wallet: wallet(5), seq: slot * 65_536n }));
  const profile = () => loadWalletProfile(database, store.tokens, TRADER, NOW_MS);

  let held: ReturnType<typeof tokenAccount>[];
  let snapshots: HolderSnapshots;

  beforeEach(async () => {
    await store.storeTokens(MINTS.map((mint) => aToken({ mint, pool: wallet(9) })));
    await storing(...MINTS.map((mint, index) => buy(mint, BigInt(100 + index))));
    await storing(...MINTS.slice(0, 5).map((mint, index) => sell(mint, BigInt(200 + index), 1_200_000_000n)));
    const rpc = { getProgramAccounts: async () => ({ value: held, contextSlot: 300n }) } as never;
    snapshots = new HolderSnapshots({ rpc, database, store, clock, log, onRead: () => {} });
  });

  const readAll = async () => {
    for (const mint of MINTS) await snapshots.read(store.tokens.get(mint)!);
  };

  it('has lost what it paid for them, and is no smart money', async () => {
    expect((await profile()).labels.smartMoney).toBe(true);
    held = [];
    await readAll();
    await laterTrade(301n);
    await snapshots.writeOffTransfers();
    const { labels, periods } = await profile();
    expect(periods.all).toMatchObject({ closedTrades: 10, wonTrades: 5, realizedProfit: '-4', trades: 15 });
    expect(labels.smartMoney).toBe(false);
    const board = await new TraderBoard(database, clock).list('all', 'profit', 10);
    expect(board.rows).toEqual([]);
    await snapshots.read(store.tokens.get(mintNamed('Lost1'))!);
    await laterTrade(302n);
    await snapshots.writeOffTransfers();
    expect((await profile()).periods.all).toEqual(periods.all);
  });

  it('loses in proportion to what it sent, and the trade counts as lost whatever it keeps', async () => {
    held = [tokenAccount(TRADER, 75n)];
    await snapshots.read(store.tokens.get(mintNamed('Lost1'))!);
    await laterTrade(301n);
    await snapshots.writeOffTransfers();
    expect((await profile()).periods.all).toMatchObject({ closedTrades: 6, wonTrades: 5, realizedProfit: '0.75' });
  });

  it('is not charged for a sale that was read from the accounts before it was stored as a trade', async () => {
    held = [];
    await snapshots.read(store.tokens.get(mintNamed('Lost1'))!);
    await snapshots.writeOffTransfers();
    await storing(sell(mintNamed('Lost1'), 299n, 900_000_000n));
    await snapshots.writeOffTransfers();
    await laterTrade(301n);
    await snapshots.writeOffTransfers();
    expect((await profile()).periods.all).toMatchObject({ closedTrades: 6, wonTrades: 5, realizedProfit: '0.9' });
  });

  it('has lost them also where it bought again before anybody read its accounts', async () => {
    await storing(buy(mintNamed('Lost1'), 250n), sell(mintNamed('Lost1'), 251n, 1_100_000_000n));
    expect((await profile()).periods.all).toMatchObject({ closedTrades: 7, wonTrades: 6, realizedProfit: '0.1' });
  });

  it('gives the one who receives them neither a cost nor a win', async () => {
    const receiver = { ...sell(mintNamed('Lost1'), 260n, 5_000_000_000n), wallet: wallet(2) };
    await storing(receiver);
    const { periods } = await loadWalletProfile(database, store.tokens, wallet(2), NOW_MS);
    expect(periods.all).toMatchObject({ closedTrades: 0, wonTrades: 0, realizedProfit: '0', trades: 1 });
  });
});

it('keeps the price of SOL per minute, fills the past and survives a restart', async () => {
  const minute = Math.floor(NOW_MS / 60_000) * 60_000;
  const venue = {
    solUsdMicro: async () => 150_000_000n,
    solUsdHistory: async (from: number) => [{ atMs: from * 1000, usdMicro: 100_000_000n }],
  } as never;
  await database.write(`insert into sol_price (at, usd) values ($1, 140000000)`, [new Date(Date.now() - 120_000)]);
  const solUsd = new SolUsd({ venue, database, clock, log });
  expect(solUsd.now()).toBeNull();
  await solUsd.start();
  await solUsd.stop();
  expect(solUsd.now()).toEqual({ usdMicro: 150_000_000n, atMs: NOW_MS });
  expect(await solUsd.at(NOW_MS)).toBe(150_000_000n);
  expect(await solUsd.at(NOW_MS - 7 * 86_400_000)).toBe(100_000_000n);
  const stored = await database.query(`select usd from sol_price where at = $1`, [new Date(minute)]);
  expect(stored).toEqual([{ usd: 150_000_000n }]);
});

it('says unknown for what it cannot read, and reads it when it can', async () => {
  let reply: unknown = null;
  const rpc = {
    getParsedAccountInfo: async () => reply,
    getTokenAccountsByOwner: () => Promise.reject(new Error('down')),
  } as never;
  const token = store.tokens.get(mintNamed('MintA'))!;
  const levels = async () => {
    const index = new TokenSafetyIndex({ rpc, database, tokens: store.tokens, clock, log, onRead: () => {} });
    const { badges } = await index.badgesOf(token);
    return new Map(badges.map(({ key, level }) => [key as string, level]));
  };
  expect((await levels()).get('mintAuthority') ?? [...(await levels()).values()][0]).toBe('unknown');
  const risky = new TokenSafetyIndex({ rpc, database, tokens: store.tokens, clock, log, onRead: () => {} });
  expect(await risky.copyFactsOf(mintNamed('MintA'))).toMatchObject({
    mintAuthority: 'unknown',
    badges: expect.arrayContaining(['unknown']),
  });
  reply = { value: { parsed: { type: 'mint', info: { mintAuthority: null, freezeAuthority: null, extensions: [] } } } };
  const readable = new TokenSafetyIndex({ rpc, database, tokens: store.tokens, clock, log, onRead: () => {} });
  expect((await readable.copyFactsOf(mintNamed('MintA'))).mintAuthority).toBe('given-up');
  expect(await readable.copyFactsOf(mintNamed('MintX'))).toEqual({
    badges: ['unknown'],
    mintAuthority: 'unknown',
    ageMs: 0,
  });
});

it('tells the part of the ten largest once all holders are read, and then as it is now', async () => {
  const info = { mintAuthority: null, freezeAuthority: null, extensions: [], supply: '1000000000' };
  const rpc = { getParsedAccountInfo: async () => ({ value: { parsed: { type: 'mint', info } } }) } as never;
  await store.storeTokens([aToken({ pool: wallet(9), supply: 1_000_000_000n })]);
  const token = () => store.tokens.get(mintNamed('MintA'))!;
  const index = new TokenSafetyIndex({ rpc, database, tokens: store.tokens, clock, log, onRead: () => {} });
  const topTen = async () => {
    const { badges } = await index.badgesOf(token());
    const { level, value } = badges.find(({ key }) => key === 'top-10-share')!;
    return [level, value];
  };
  const rolled = async () => {
    await rollHolders(database, [token().id], NOW_MS);
    await index.load([token().id]);
  };
  await store.storeTrades([aTrade({ wallet: wallet(1), walletUnitsAfter: 50_000_000n })], 'test', {});
  await rolled();
  expect(await topTen()).toEqual(['unknown', null]);
  expect(index.levelOf(mintNamed('MintA'), [])).toBe('unknown');
  expect((await index.copyFactsOf(mintNamed('MintA'))).badges[2]).toBe('unknown');

  await readHolders(100n, [tokenAccount(wallet(1), 50_000_000n), tokenAccount(wallet(2), 250_000_000n)]);
  await rolled();
  expect(await topTen()).toEqual(['warn', '30']);

  const later = { seq: 200n * 65_536n, wallet: wallet(3), walletUnitsAfter: 300_000_000n };
  await store.storeTrades([aTrade(later)], 'test', {});
  await rolled();
  expect(await topTen()).toEqual(['danger', '60']);
  expect(index.levelOf(mintNamed('MintA'), [])).toBe('danger');
  expect((await index.copyFactsOf(mintNamed('MintA'))).badges[2]).toBe('danger');
});
