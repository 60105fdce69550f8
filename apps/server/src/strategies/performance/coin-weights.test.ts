import { baseUnits } from '@hunter/domain/numbers/base-units';
import { lamports } from '@hunter/domain/numbers/lamports';
import { expect, it } from 'vitest';
import { mintNamed } from '@hunter/domain/address-for-test';
import { knownEquity, type Holdings, type Pools } from '../book-holdings.ts';
import { weightsOf } from './coin-weights.ts';

const SOL = 1_000_000_000n;
const pool = {
  solReserve: lamports(500n * SOL),
  tokenReserve: baseUnits(500n * SOL),
  virtualSol: lamports(0n),
  virtualTokens: baseUnits(0n),
  feeBps: 25n,
};
const MINTS = ['A', 'B', 'C'].map(mintNamed);
const pools: Pools = new Map(MINTS.map((mint) => [mint, pool]));
const bookOf = (sol: bigint, ...tokens: bigint[]): Holdings => ({
  freeLamports: lamports(sol),
  lamports: lamports(sol),
  rentLamports: lamports(0n),
  tokens: new Map(tokens.map((amount, index) => [MINTS[index]!, baseUnits(amount)])),
});
const valueOf = (book: Holdings) => knownEquity(book, pools);
const weights = (sol: bigint, ...tokens: bigint[]) => {
  const book = bookOf(sol, ...tokens);
  return weightsOf(book, pools, valueOf(book)).map(({ weight }) => weight);
};

it('adds up to 100 where all is in coins', () => {
  expect(weights(0n, SOL, SOL, SOL)).toEqual(['33.34', '33.33', '33.33']);
});

it('rounds to the nearest hundredth where that adds up with the SOL', () => {
  const value = valueOf(bookOf(0n, SOL));
  expect(weights(value / 2n, SOL)).toEqual(['66.67']);
  expect(weights(value * 2n, SOL)).toEqual(['33.33']);
});

it('never passes 100 where the equity is an older one, of less than the coins are worth', () => {
  const book = bookOf(0n, SOL, 3n * SOL);
  expect(weightsOf(book, pools, valueOf(book) / 2n).map(({ weight }) => weight)).toEqual(['74.93', '25.07']);
});

it('leaves out what cannot be read, which is not worth nothing', () => {
  const book = bookOf(0n, SOL, 3n * SOL);
  const known: Pools = new Map([[MINTS[0]!, pool]]);
  expect(weightsOf(book, known, valueOf(book))).toEqual([{ mint: MINTS[0]!, weight: '25.07' }]);
});

it('knows no weights of nothing', () => {
  expect(weights(0n)).toEqual([]);
});
