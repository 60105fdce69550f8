import { expect, it } from 'vitest';
import { parseInput } from '../input.ts';
import { discoverCalls, filterOf } from './discover.ts';

const parse = (fields: Record<string, string>) => parseInput(discoverCalls.getTokenDiscover.request, fields);

it('reads ranges as integers of each figure’s own unit', () => {
  const filter = filterOf(parse({ marketCapMin: '100000.5', top10Max: '35', feesMin: '0.25', changeMin: '-5' }));
  expect(filter.ranges).toEqual({
    marketCap: { min: 100_000_500_000n },
    top10: { max: 350_000n },
    fees: { min: 250_000_000n },
    change: { min: -50_000n },
  });
});

it('reads words without spaces, empty ones and repetitions', () => {
  expect(parse({ include: ' Cat, dog,,cat ' }).include).toEqual(['cat', 'dog']);
  expect(parse({ exclude: '猫，狗、 鸟' }).exclude).toEqual(['猫', '狗', '鸟']);
});

it.each([
  ['marketCapMin', { marketCapMin: '1e6' }, 'format'],
  ['holdersMax', { holdersMax: '1.5' }, 'format'],
  ['liquidityMax', { liquidityMin: '2', liquidityMax: '1' }, 'range'],
  ['list', { list: 'best' }, 'choice'],
  ['sortBy', { sortBy: 'luck' }, 'choice'],
  ['luckMin', { luckMin: '1' }, 'unknown'],
  ['include', { include: 'a,b,c,d,e,f,g,h,i,j,k' }, 'length'],
] as [string, Record<string, string>, string][])('refuses %s by name', (field, fields, reason) => {
  expect(() => parse(fields)).toThrow(expect.objectContaining({ context: { field, reason } }) as Error);
});
