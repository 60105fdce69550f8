// What the market page shows, kept in the address so that a view can be shared and Back returns to it.
import { DISCOVER_LISTS, discoverFields } from '@hunter/domain/market/discover';
import type { DiscoverField, DiscoverList } from '@hunter/domain/market/discover';

export const periods = ['5m', '1h', '4h', '24h'] as const;
export type Period = (typeof periods)[number];
export const views = ['table', 'columns'] as const;

/** Bounds as they are typed; empty means none. */
export type Bounds = { min: string; max: string };
export type Ranges = Partial<Record<DiscoverField, Bounds>>;
export type Filter = { ranges: Ranges; include: string; exclude: string };

/** Only what differs from the usual view stands in the address; `f` are the ranges, `field_min_max` joined by stars. */
export type DiscoverSearch = {
  list?: DiscoverList;
  period?: Period;
  view?: 'columns';
  sort?: DiscoverField;
  order?: 'asc';
  f?: string;
  with?: string;
  without?: string;
};

const BOUND = /^-?\d{1,15}(\.\d{1,6})?$/;
const WORDS_LENGTH_MAX = 200;
export const noFilter: Filter = { ranges: {}, include: '', exclude: '' };

export function readRanges(text: string): Ranges {
  const ranges: Ranges = {};
  for (const part of text.split('*')) {
    const [name, min = '', max = ''] = part.split('_');
    const field = discoverFields.find((each) => each === name);
    const bounds = { min: BOUND.test(min) ? min : '', max: BOUND.test(max) ? max : '' };
    if (field && (bounds.min !== '' || bounds.max !== '')) ranges[field] = bounds;
  }
  return ranges;
}

export function printRanges(ranges: Ranges): string {
  return discoverFields
    .flatMap((field) => {
      const { min = '', max = '' } = ranges[field] ?? {};
      return min === '' && max === '' ? [] : `${field}_${min}_${max}`;
    })
    .join('*');
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim().slice(0, WORDS_LENGTH_MAX) : '';
}

export function readDiscoverSearch(search: Record<string, unknown>): DiscoverSearch {
  const list = DISCOVER_LISTS.find((key) => key === search['list']);
  const period = periods.find((key) => key === search['period']);
  const sort = discoverFields.find((key) => key === search['sort']);
  const f = typeof search['f'] === 'string' ? printRanges(readRanges(search['f'])) : '';
  const [include, exclude] = [wordsOf(search['with']), wordsOf(search['without'])];
  return {
    ...(list && list !== 'trending' ? { list } : {}),
    ...(period && period !== '1h' ? { period } : {}),
    ...(search['view'] === 'columns' ? { view: 'columns' } : {}),
    ...(sort ? { sort } : {}),
    ...(sort && search['order'] === 'asc' ? { order: 'asc' } : {}),
    ...(f === '' ? {} : { f }),
    ...(include === '' ? {} : { with: include }),
    ...(exclude === '' ? {} : { without: exclude }),
  };
}

export function filterOf(search: DiscoverSearch): Filter {
  return { ranges: readRanges(search.f ?? ''), include: search.with ?? '', exclude: search.without ?? '' };
}

export function searchOf({ ranges, include, exclude }: Filter): DiscoverSearch {
  return readDiscoverSearch({ f: printRanges(ranges), with: include, without: exclude });
}

export const ROWS_MAX = 100;

/** The question to the server that a view asks; the boot script asks it as well, before the page's code is there. */
export function discoverRequest(search: DiscoverSearch, list: DiscoverList = search.list ?? 'trending') {
  const { ranges, include, exclude } = filterOf(search);
  const bounds: Partial<Record<`${DiscoverField}${'Min' | 'Max'}`, string>> = {};
  for (const field of discoverFields) {
    const { min = '', max = '' } = ranges[field] ?? {};
    if (min !== '') bounds[`${field}Min`] = min;
    if (max !== '') bounds[`${field}Max`] = max;
  }
  return {
    list,
    period: search.period ?? '1h',
    limit: ROWS_MAX,
    ...(search.sort ? { sortBy: search.sort, order: search.order ?? ('desc' as const) } : {}),
    ...(include === '' ? {} : { include }),
    ...(exclude === '' ? {} : { exclude }),
    ...bounds,
  } as const;
}
