import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Address } from '@hunter/solana/address';
import { mintNamed } from '@hunter/domain/address-for-test';
import { TokenSearch } from './token-search.ts';

type Token = { id: number; symbol: string; name: string; mint: Address; liquidity: number };

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'c', ' '), minLength: 1, maxLength: 5 });
const tokens = fc.array(fc.record({ symbol: word, name: word, liquidity: fc.integer({ min: 0, max: 3 }) }), {
  maxLength: 30,
});

function searchOver(list: readonly Token[]): TokenSearch {
  const search = new TokenSearch();
  for (const token of list) {
    search.add(token);
    search.setLiquidity(token.id, token.liquidity);
  }
  return search;
}

/** The rules written down once more, over every token. */
function slowly(list: readonly Token[], keyword: string): number[] {
  const kindOf = (token: Token) => {
    const [symbol, name, mint] = [token.symbol.toLowerCase(), token.name.toLowerCase(), token.mint.toLowerCase()];
    if (symbol === keyword) return 0;
    if (name === keyword || mint === keyword) return 1;
    if (symbol.startsWith(keyword)) return 2;
    if (name.startsWith(keyword)) return 3;
    return `${symbol} ${name} ${mint}`.includes(keyword) ? 4 : 5;
  };
  return list
    .filter((token) => kindOf(token) < 5)
    .toSorted((a, b) => kindOf(a) - kindOf(b) || b.liquidity - a.liquidity || a.id - b.id)
    .map(({ id }) => id);
}

it('finds what a look at every token finds, in the same order, on any page', () => {
  fc.assert(
    fc.property(tokens, word, fc.nat(5), fc.integer({ min: 1, max: 8 }), (made, text, offset, size) => {
      const list = made.map((token, index) => ({ ...token, id: index + 1, mint: mintNamed(`Mint${index}aB`) }));
      const keyword = text.toLowerCase();
      const expected = slowly(list, keyword);
      fc.pre(expected.length > 0);
      expect(searchOver(list).find(text, offset, size)).toEqual({
        found: expected.slice(offset, offset + size),
        total: expected.length,
      });
    }),
  );
});

it('finds very common keywords too, the most liquid first, and counts to a limit', () => {
  const list = Array.from({ length: 4_200 }, (_, index) => ({
    id: index + 1,
    symbol: `S${index}`,
    name: `Name ${index} zz`,
    mint: mintNamed(`M${index}`),
    liquidity: (index * 7919) % 4_200,
  }));
  const search = searchOver(list);
  for (const keyword of ['zz', 'name', 's', ' ']) {
    expect(search.find(keyword, 3, 5)).toEqual({ found: slowly(list, keyword).slice(3, 8), total: 300 });
  }
});

it('knows a renamed token by its new name alone', () => {
  const search = searchOver([{ id: 1, symbol: 'OLD', name: 'Old name', mint: mintNamed('M1'), liquidity: 1 }]);
  search.add({ id: 1, symbol: 'NEWTOKEN', name: 'New name', mint: mintNamed('M1') });
  expect(search.find('old', 0, 5)).toEqual({ found: [], total: 0 });
  expect(search.find('newt', 0, 5)).toEqual({ found: [1], total: 1 });
  expect(search.find('newtoekn', 0, 5).found).toEqual([1]);
  expect(search.find('m1', 0, 5).found).toEqual([1]);
});

it('finds a name that is written in letters of another form, by them and by the usual ones', () => {
  const named = (id: number, name: string): Token => ({
    id,
    symbol: `S${id}`,
    name,
    mint: mintNamed(`Mint${id}`),
    liquidity: 0,
  });
  const search = searchOver([named(1, 'ＢＯＮＫ'), named(2, 'bonk two')]);
  expect(search.find('ＢＯＮＫ', 0, 10).found).toEqual([1, 2]);
  expect(search.find('bonk', 0, 10).found).toEqual([1, 2]);
});
