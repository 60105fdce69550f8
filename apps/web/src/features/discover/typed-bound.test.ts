import type { DiscoverField } from '@hunter/domain/market/discover';
import { expect, it } from 'vitest';
import { readTypedBound } from './typed-bound.ts';

it.each<[DiscoverField, string, string]>([
  ['marketCap', '10k', '10000'],
  ['marketCap', '1.5M', '1500000'],
  ['liquidity', '$100', '100'],
  ['liquidity', '2,5 k USD', '2500'],
  ['volume', '1b', '1000000000'],
  ['volume', '３.２万', '32000'],
  ['volume', '1亿', '100000000'],
  ['volume', '10,000', '10000'],
  ['volume', '$1,234,567.5', '1234567.5'],
  ['volume', '0.0000005m', '0.5'],
  ['holders', '1.5k', '1500'],
  ['holders', '100.0', '100'],
  ['fees', '0.5 SOL', '0.5'],
  ['fees', '0,125', '0.125'],
  ['top10', '35%', '35'],
  ['change', '-12.5%', '-12.5'],
  ['change', '−5', '-5'],
  ['age', '5m', '5'],
  ['age', '1.5h', '90'],
  ['age', '2 天', '2880'],
  ['age', '30', '30'],
  ['marketCap', '5.', '5'],
  ['marketCap', '.5', '0.5'],
  ['marketCap', '0005', '5'],
  ['marketCap', '', ''],
  ['marketCap', '$', ''],
  ['change', '-', ''],
])('reads %s %j as %j', (field, typed, value) => {
  expect(readTypedBound(typed, field)).toEqual({ value, problem: null });
});

it.each<[DiscoverField, string, string]>([
  ['marketCap', '0.5 SOL', 'notAmount'],
  ['marketCap', '10kk', 'notAmount'],
  ['marketCap', 'k', 'notAmount'],
  ['marketCap', '1.2.3', 'notAmount'],
  ['marketCap', '1e5', 'notAmount'],
  ['fees', '$5', 'notAmount'],
  ['top10', 'many', 'notNumber'],
  ['age', '2 weeks', 'notTime'],
  ['marketCap', '-5', 'negative'],
  ['marketCap', '0.1234567', 'decimals'],
  ['top10', '1.23456', 'decimals'],
  ['holders', '1.5', 'whole'],
  ['holders', '1.2345k', 'whole'],
  ['marketCap', '9999999b', 'large'],
  ['marketCap', '9'.repeat(16), 'large'],
])('says what is wrong with %s %j: %s', (field, typed, problem) => {
  expect(readTypedBound(typed, field)).toEqual({ value: null, problem });
});
