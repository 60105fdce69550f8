import { expect, it } from 'vitest';
import { discoverRequest, filterOf, noFilter, readDiscoverSearch, searchOf } from './discover-search.ts';
import { presetNames, presets, readSaved, sameFilter, withSaved, writeSaved } from './presets.ts';

it('keeps only what differs from the usual view, and nothing it does not know', () => {
  expect(readDiscoverSearch({ list: 'trending', period: '1h', view: 'table', sort: 'luck', f: 'luck_1_2' })).toEqual(
    {},
  );
  expect(
    readDiscoverSearch({ list: 'new', period: '5m', view: 'columns', sort: 'holders', order: 'asc', with: 7 }),
  ).toEqual({ list: 'new', period: '5m', view: 'columns', sort: 'holders', order: 'asc', with: '7' });
});

it('reads ranges of the address and drops bounds that are no numbers', () => {
  expect(filterOf({ f: 'marketCap_100000_*top10__35*age_x_*change_-5_5.5' }).ranges).toEqual({
    marketCap: { min: '100000', max: '' },
    top10: { min: '', max: '35' },
    change: { min: '-5', max: '5.5' },
  });
});

it('leads from a filter to the address and back', () => {
  const filter = { ranges: { fees: { min: '0.5', max: '' } }, include: 'cat, dog', exclude: 'inu' };
  expect(filterOf(searchOf(filter))).toEqual(filter);
  for (const name of presetNames) expect(sameFilter(filterOf(searchOf(presets[name])), presets[name])).toBe(true);
});

it('asks the server for list, period, order and bounds', () => {
  const search = readDiscoverSearch({ list: 'gainers', sort: 'volume', f: 'top10__35', without: 'inu' });
  expect(discoverRequest(search)).toEqual({
    list: 'gainers',
    period: '1h',
    limit: 100,
    sortBy: 'volume',
    order: 'desc',
    exclude: 'inu',
    top10Max: '35',
  });
});

it('saves filters by name, the newest of one name, and survives what it cannot read', () => {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
  expect(readSaved(storage)).toEqual([]);
  const first = withSaved([], ' mine ', presets.calm);
  const both = withSaved(withSaved(first, 'other', { ...noFilter, include: 'cat' }), 'mine', presets.early);
  writeSaved(storage, both);
  expect(readSaved(storage).map(({ name }) => name)).toEqual(['other', 'mine']);
  expect(sameFilter(readSaved(storage)[1]!.filter, presets.early)).toBe(true);
  stored.set('discover.filters', '{"not":"a list"}');
  expect(readSaved(storage)).toEqual([]);
});
