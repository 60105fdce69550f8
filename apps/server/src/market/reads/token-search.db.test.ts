import { beforeAll, expect, it } from 'vitest';
import type { Database } from '../../platform/postgres.ts';
import { aLoadedBoard, aMarketDatabase, aToken } from '../market-for-test.ts';
import { MarketStore } from '../market-store.ts';
import type { TokenBoard } from './token-board.ts';

/** Symbol, name, liquidity in dollars. The address follows from the symbol's place in the list. */
const TOKENS: readonly (readonly [string, string, number])[] = [
  ['CAT', 'Cat in a Hat', 100],
  ['CATS', 'Many Cats', 9_000],
  ['CATGIRL', 'Cat Girl', 50],
  ['POPCAT', 'Popcat', 8_000],
  ['MEW', 'cat in a dogs world', 7_000],
  ['DOG', 'Dog', 10],
  ['DOGE', 'Dogecoin', 99_000],
  ['DOGWIF', 'dog wif hat', 50_000],
  ['WIF', 'dogwifhat', 60_000],
  ['BONK', 'Bonk', 70_000],
  ['BONKE', 'Bonke the Second', 20],
  ['MOODENG', 'Moo Deng', 4_000],
  ['PNUT', 'Peanut the Squirrel', 5_000],
  ['GOAT', 'Goatseus Maximus', 6_000],
  ['FWOG', 'Fwog', 900],
  ['FROG', 'Frog', 500],
  ['PEPE', 'Pepe', 30_000],
  ['PEPE2', 'Pepe Two', 40_000],
  ['PEPECOIN', 'Pepe Coin', 80_000],
  ['TRUMP', 'Official Trump', 90_000],
  ['CHILLGUY', 'Just a chill guy', 3_000],
  ['GIGA', 'Gigachad', 2_000],
  ['MICHI', 'michi', 1_500],
  ['SLERF', 'Slerf', 1_000],
  ['BOME', 'Book of Meme', 11_000],
  ['MYRO', 'Myro', 700],
  ['PONKE', 'Ponke', 800],
  ['RETARDIO', 'Retardio Cousins', 650],
  ['SPX', 'SPX6900', 12_000],
  ['ZEREBRO', 'zerebro', 2_200],
  ['AI16Z', 'ai16z', 14_000],
  ['FARTCOIN', 'Fartcoin', 22_000],
  ['ACT', 'The AI Prophecy', 3_300],
  ['LUCE', 'Official Mascot', 1_100],
  ['SHOGGOTH', 'shoggoth', 400],
  ['NEIRO', 'Neiro', 2_100],
  ['狗狗', '金狗', 1_200],
  ['金狗', '真金狗', 90],
  ['猫咪', '招财猫', 300],
  ['龙', '中国龙', 2_500],
  ['熊猫', '大熊猫', 3_100],
  ['悟空', '孙悟空', 600],
  ['WUKONG', 'Monkey King 悟空', 610],
  ['にゃん', 'ねこコイン', 110],
  ['ÉCLAIR', 'Éclair au Chocolat', 70],
  ['МЕДВЕДЬ', 'Русский Медведь', 60],
  ['100X', 'Hundred X', 45],
  ['1000X', 'Thousand X', 46],
  ['A', 'Letter A', 5],
  ['AA', 'Double A', 6],
  ['SOL100', 'Sol to 100', 15],
  ['UNDER_SCORE', 'under_score', 33],
  ['PER%CENT', 'fifty % off', 34],
  ["O'NEIL", "O'Neil; drop", 35],
  ['BACK\\SLASH', 'back\\slash', 36],
  ['QUOTE"D', 'the "quoted" one', 37],
  ['LONG', 'The very long name of a token that goes on and on', 38],
  ['ROCKET', 'Rocket to the Moon', 1_300],
  ['MOON', 'Moon', 1_250],
  ['MOONSHOT', 'Moonshot', 13_000],
  ['TURBO', 'Turbo Toad', 1_050],
  ['TOAD', 'Toad', 1_060],
  ['WHALE', 'Whale Watch', 1_070],
  ['SHARK', 'Shark Tank', 1_080],
  ['OTTER', 'Otter Space', 1_090],
  ['PICKLE', 'Pickle Rick', 1_110],
  ['NOODLE', 'Instant Noodle', 1_120],
  ['TURNIP', 'Turnip Prices', 1_130],
  ['MANGO', 'Mango', 1_140],
  ['COMET', 'Comet Tail', 1_150],
  ['LUMEN', 'Lumen Light', 1_160],
  ['BEAN', 'Magic Bean', 1_170],
  ['PANDA', 'Panda Express', 1_180],
  ['TIGER', 'Tiger Eye', 1_190],
  ['EAGLE', 'Bald Eagle', 1_210],
  ['HAWK', 'Hawk', 1_220],
  ['RAVEN', 'Raven Nest', 1_230],
  ['CROW', 'Crow', 1_240],
  ['LLAMA', 'Llama Drama', 1_260],
  ['KOALA', 'Koala Bear', 1_270],
];

function mintOf(symbol: string): string {
  const index = TOKENS.findIndex(([known]) => known === symbol);
  return `${String.fromCharCode(65 + (index % 26))}qZ${String(index).padStart(2, '0')}kVtRmNpXyWuBdCeFgHjKaLsQrTzUvYxWnMpq`;
}

/** What is typed, and the symbol of the token that must come first; null for nothing at all. */
const QUERIES: readonly (readonly [string, string | null])[] = [
  ['cat', 'CAT'],
  ['CAT', 'CAT'],
  ['Cat', 'CAT'],
  ['cats', 'CATS'],
  ['catg', 'CATGIRL'],
  ['pop', 'POPCAT'],
  ['dog', 'DOG'],
  ['doge', 'DOGE'],
  ['dogec', 'DOGE'],
  ['wif', 'WIF'],
  ['dogwifhat', 'WIF'],
  ['wif hat', 'DOGWIF'],
  ['BoNk', 'BONK'],
  ['bonke', 'BONKE'],
  ['moodeng', 'MOODENG'],
  ['moo deng', 'MOODENG'],
  ['squirrel', 'PNUT'],
  ['maximus', 'GOAT'],
  ['pepe', 'PEPE'],
  ['pepe2', 'PEPE2'],
  ['pepe c', 'PEPECOIN'],
  ['chill guy', 'CHILLGUY'],
  ['gigachad', 'GIGA'],
  ['book of', 'BOME'],
  ['6900', 'SPX'],
  ['ai16', 'AI16Z'],
  ['moon', 'MOON'],
  ['moons', 'MOONSHOT'],
  ['a', 'A'],
  ['aa', 'AA'],
  ['100x', '100X'],
  // Typos.
  ['moodneg', 'MOODENG'],
  ['fartcon', 'FARTCOIN'],
  ['pepecion', 'PEPECOIN'],
  ['trmup', 'TRUMP'],
  ['chilguy', 'CHILLGUY'],
  ['gigachda', 'GIGA'],
  ['nooodle', 'NOODLE'],
  ['pickel', 'PICKLE'],
  ['moonhsot', 'MOONSHOT'],
  ['roket', 'ROCKET'],
  ['turnpi', 'TURNIP'],
  ['zerebor', 'ZEREBRO'],
  // Other scripts.
  ['金狗', '金狗'],
  ['狗狗', '狗狗'],
  ['招财', '猫咪'],
  ['熊猫', '熊猫'],
  ['悟空', '悟空'],
  ['孙悟空', '悟空'],
  ['ねこ', 'にゃん'],
  ['éclair', 'ÉCLAIR'],
  ['медведь', 'МЕДВЕДЬ'],
  // Written wide, as some keyboards do.
  ['ＣＡＴ', 'CAT'],
  // Parts of an address.
  [mintOf('HAWK'), 'HAWK'],
  [mintOf('HAWK').toLowerCase(), 'HAWK'],
  [mintOf('KOALA').slice(0, 8), 'KOALA'],
  [mintOf('SHARK').slice(0, 10), 'SHARK'],
  // Hostile input is text like any other.
  ['under_score', 'UNDER_SCORE'],
  ['per%cent', 'PER%CENT'],
  ["o'neil", "O'NEIL"],
  ['back\\slash', 'BACK\\SLASH'],
  ['_', 'UNDER_SCORE'],
  ['%', 'PER%CENT'],
  ["'; drop table token; --", null],
  ["' or '1'='1", null],
  ['<script>alert(1)</script>', null],
  ['%%%%', null],
  ['\u0000zzqq', null],
  ['x'.repeat(100), null],
];

const market = aMarketDatabase();
let database: Database;
let store: MarketStore;
let board: TokenBoard;

beforeAll(async () => {
  database = market.database;
  store = new MarketStore(
    database,
    () => [],
    (token) => ({ name: token.name, symbol: token.symbol }),
  );
  await store.storeTokens(TOKENS.map(([symbol, name]) => aToken({ mint: mintOf(symbol), symbol, name })));
  await database.write(
    `update token_stats s set liquidity_usd = l.usd from unnest($1::text[], $2::numeric[]) as l (mint, usd)
     join token t on t.mint = l.mint where s.token_id = t.id`,
    [TOKENS.map(([symbol]) => mintOf(symbol)), TOKENS.map(([, , usd]) => usd)],
  );
  board = await aLoadedBoard(database, store);
});

it.each(QUERIES)('finds for %j first %j', (keyword, symbol) => {
  const { lists } = board.tokenList({ keyword, pageNo: 1, pageSize: 15, chainId: undefined }).parse();
  expect(lists[0]?.tokenSymbol ?? null).toBe(symbol);
});

it('asks at least sixty questions', () => {
  expect(QUERIES.length).toBeGreaterThanOrEqual(60);
});

it('pages what it found and says how much there is', () => {
  const page = (pageNo: number) => board.tokenList({ keyword: 'cat', pageNo, pageSize: 2, chainId: undefined }).parse();
  const [first, second] = [page(1), page(2)];
  expect(first.total).toBe(5);
  expect([...first.lists, ...second.lists].map((row) => row.tokenSymbol)).toEqual(['CAT', 'CATS', 'CATGIRL', 'MEW']);
});

it('lists everything, page by page, where nothing is asked for', () => {
  const page = (pageNo: number) => board.tokenList({ keyword: '', pageNo, pageSize: 50, chainId: undefined }).parse();
  expect(page(1).total).toBe(TOKENS.length);
  expect(new Set([...page(1).lists, ...page(2).lists].map((row) => row.tokenSymbol)).size).toBe(TOKENS.length);
});
