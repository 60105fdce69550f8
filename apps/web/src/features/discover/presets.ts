// Filters under a name: those of the product, and those that a user saved in this browser.
import { noFilter, printRanges, readRanges } from './discover-search.ts';
import type { Filter, Ranges } from './discover-search.ts';

const from = (min: string) => ({ min, max: '' });
const upTo = (max: string) => ({ min: '', max });
const preset = (ranges: Ranges): Filter => ({ ...noFilter, ranges });

export const presets = {
  calm: preset({ marketCap: from('100000'), liquidity: from('20000'), top10: upTo('35'), age: from('60') }),
  early: preset({ age: upTo('60'), bundlers: upTo('10'), insiders: upTo('10') }),
  clean: preset({
    top10: upTo('35'),
    creatorShare: upTo('5'),
    snipers: upTo('5'),
    bundlers: upTo('5'),
    insiders: upTo('5'),
  }),
  smart: preset({ provenTraders: from('2'), liquidity: from('10000') }),
} as const satisfies Record<string, Filter>;
export type PresetName = keyof typeof presets;
export const presetNames = Object.keys(presets) as PresetName[];

export type SavedFilter = { name: string; filter: Filter };

const STORAGE_KEY = 'discover.filters';
const SAVED_MAX = 12;
const NAME_LENGTH_MAX = 24;

export function sameFilter(a: Filter, b: Filter): boolean {
  return printRanges(a.ranges) === printRanges(b.ranges) && a.include === b.include && a.exclude === b.exclude;
}

export function readSaved(storage: Pick<Storage, 'getItem'>): SavedFilter[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.flatMap(savedOf).slice(0, SAVED_MAX) : [];
  } catch {
    return [];
  }
}

function savedOf(entry: unknown): SavedFilter[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const { name, f, include, exclude } = entry as Record<string, unknown>;
  if (typeof name !== 'string' || typeof f !== 'string') return [];
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return [
    {
      name: name.slice(0, NAME_LENGTH_MAX),
      filter: { ranges: readRanges(f), include: text(include), exclude: text(exclude) },
    },
  ];
}

/** One filter as the account keeps it under its name. */
export function filterText({ ranges, include, exclude }: Filter): string {
  return JSON.stringify({ f: printRanges(ranges), include, exclude });
}

/** None where the text is no filter. */
export function readFilterText(name: string, text: string): SavedFilter[] {
  try {
    return savedOf({ ...(JSON.parse(text) as object), name });
  } catch {
    return [];
  }
}

/** A name that is there already gets the new filter; the oldest make room. */
export function withSaved(saved: readonly SavedFilter[], name: string, filter: Filter): SavedFilter[] {
  const short = name.trim().slice(0, NAME_LENGTH_MAX);
  return [...saved.filter((each) => each.name !== short), { name: short, filter }].slice(-SAVED_MAX);
}

export function writeSaved(storage: Pick<Storage, 'setItem'>, saved: readonly SavedFilter[]): void {
  const rows = saved.map(({ name, filter: { ranges, include, exclude } }) => ({
    name,
    f: printRanges(ranges),
    include,
    exclude,
  }));
  storage.setItem(STORAGE_KEY, JSON.stringify(rows));
}
