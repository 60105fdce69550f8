import { discoverCalls } from '@hunter/contract/calls/discover';
import { parseInput } from '@hunter/contract/input';
import { beforeAll, expect, it } from 'vitest';
import type { Address } from '@hunter/solana/address';
import { mintNamed } from '@hunter/domain/address-for-test';
import { systemClock } from '../../platform/clock.ts';
import { rollHolders } from '../holder-mix.ts';
import { aLoadedBoard, aMarketDatabase, aToken, aTrade } from '../market-for-test.ts';
import type { MarketStore } from '../market-store.ts';
import { refreshWindows } from '../refresh-windows.ts';
import { DiscoverLists } from './discover-lists.ts';

const NOW_MS = Date.now();
const MINUTE = 60_000;
const SOL = 1_000_000_000n;
const market = aMarketDatabase();
let lists: DiscoverLists;
let store: MarketStore;

beforeAll(async () => {
  const { database } = market;
  store = await market.emptyStore();
  await store.storeTokens([
    aToken({
      mint: 'Old',
      symbol: 'OLD',
      name: 'Old Frog',
      creator: 'Dev',
      createdAtMs: NOW_MS - 90 * 24 * 60 * MINUTE,
    }),
    aToken({ mint: 'Young', symbol: 'YOUNG', name: 'Young Toad', creator: 'Dev', createdAtMs: NOW_MS - 10 * MINUTE }),
    aToken({ mint: 'Curve', symbol: 'CURVE', pool: 'C', curveLamports: 100n * SOL, createdAtMs: NOW_MS - 20 * MINUTE }),
    aToken({
      mint: 'Done',
      symbol: 'DONE',
      pool: 'D',
      curveLamports: 100n * SOL,
      graduatedAtMs: NOW_MS - MINUTE,
      links: [
        { kind: 'website', url: 'https://frog.example' },
        { kind: 'x', url: 'javascript:alert(1)' },
      ],
    }),
    aToken({ mint: 'Silent', symbol: 'SILENT' }),
  ]);
  let seq = 0n;
  const at = (mint: Address, minutes: number, lamports: bigint, poolSol = 50n) =>
    aTrade({
      mint,
      seq: (seq += 65_536n),
      atMs: NOW_MS - minutes * MINUTE,
      lamports,
      walletUnitsAfter: 7n,
      poolLamportsAfter: poolSol * SOL,
    });
  await store.storeTrades(
    [
      at(mintNamed('Old'), 300, SOL),
      at(mintNamed('Done'), 90, SOL),
      at(mintNamed('Old'), 70, SOL),
      at(mintNamed('Curve'), 19, SOL, 25n),
      at(mintNamed('Young'), 9, SOL),
      at(mintNamed('Young'), 8, 3n * SOL),
      at(mintNamed('Old'), 5, 2n * SOL),
    ],
    'test',
    {},
  );
  await refreshWindows(database);
  await database.write(`update token set holders_read_at = now()`);
  const ids = await database.query<{ id: number }>(`select id from token`);
  await rollHolders(
    database,
    ids.map(({ id }) => id),
    NOW_MS,
  );
  const board = await aLoadedBoard(database, store);
  lists = new DiscoverLists({ board, tokens: store.tokens, riskOf: () => 'ok', clock: systemClock });
});

function ask(fields: Record<string, string>, watched: string[] | null = null) {
  const { request, reply } = discoverCalls.getTokenDiscover;
  return reply.strict().parse(lists.list(parseInput(request, fields), watched).parse());
}
const mintsOf = (fields: Record<string, string>, watched?: string[]) =>
  ask(fields, watched).lists.map((row) => row.tokenContractAddress);

it('gives each list what belongs to it, in its order', () => {
  expect(mintsOf({ list: 'new' })).toEqual(['Young', 'Curve', 'Old', 'Done'].toSorted(byCreation));
  expect(mintsOf({ list: 'gainers' })).toEqual(['Young', 'Old']);
  expect(mintsOf({ list: 'graduating' })).toEqual(['Curve']);
  expect(mintsOf({ list: 'graduated' })).toEqual(['Done']);
  expect(mintsOf({ list: 'smart-money' })).toEqual([]);
  expect(new Set(mintsOf({ list: 'trending' }))).toEqual(new Set(['Old', 'Young', 'Curve', 'Done']));
});

/** The token of the builder is from 2023. */
const created: Record<string, number> = { Young: 4, Curve: 3, Old: 2, Done: 1 };
const byCreation = (a: string, b: string) => created[b]! - created[a]!;

it('shows a watchlist with what never traded', () => {
  expect(new Set(mintsOf({ list: 'watchlist' }, ['Silent', 'Old', 'Nobody']))).toEqual(new Set(['Silent', 'Old']));
  expect(mintsOf({ list: 'watchlist' }, [])).toEqual([]);
});

it('filters by range and word, counts what passes and shows the limit', () => {
  expect(mintsOf({ list: 'new', ageMax: '60' })).toEqual(['Young', 'Curve']);
  expect(mintsOf({ list: 'new', curveMin: '20', curveMax: '30' })).toEqual(['Curve']);
  expect(mintsOf({ include: 'toad' })).toEqual(['Young']);
  expect(mintsOf({ include: 'frog,toad', exclude: 'old,curve,done' })).toEqual(['Young']);
  const { lists: shown, total } = ask({ limit: '1' });
  expect([shown.length, total]).toEqual([1, 4]);
});

it('sorts by any figure, unknown ones last', () => {
  expect(mintsOf({ sortBy: 'curve', order: 'asc' }).slice(0, 2)).toEqual(['Curve', 'Done']);
  expect(mintsOf({ sortBy: 'volume', order: 'desc', period: '1h' })[0]).toBe('Young');
});

it('says what is not known, and the change since launch where the launch was seen', () => {
  const byMint = new Map(ask({ list: 'new' }).lists.map((row) => [row.tokenContractAddress, row]));
  expect(byMint.get('Old')).toMatchObject({
    snipers: null,
    bundlers: null,
    changeSinceLaunch: null,
    creatorTokens: 1,
    curve: null,
  });
  expect(byMint.get('Young')).toMatchObject({
    changeSinceLaunch: '200',
    periodChange: null,
    snipers: { wallets: 0, share: '0' },
    insiders: null,
    freshWallets: null,
    buys: 2,
    sells: 0,
    stage: null,
    creatorTokens: 1,
  });
  expect(byMint.get('Curve')).toMatchObject({ stage: 'curve', curve: '25', creatorTokens: null, creatorShare: null });
  expect(byMint.get('Done')).toMatchObject({ stage: 'graduated', curve: '100' });
});

it('keeps only plain https links', () => {
  const [done] = ask({ list: 'graduated' }).lists;
  expect(done?.links).toEqual([{ kind: 'website', url: 'https://frog.example' }]);
});

it('counts what a creator launched since, also beside a token that nobody trades any more', async () => {
  const othersOf = (limit: string) =>
    ask({ list: 'new', limit }).lists.find((row) => row.tokenContractAddress === 'Young')?.creatorTokens;
  expect(othersOf('90')).toBe(1);
  await store.storeTokens([aToken({ mint: 'Third', symbol: 'THIRD', creator: 'Dev' })]);
  expect(othersOf('91')).toBe(2);
});
