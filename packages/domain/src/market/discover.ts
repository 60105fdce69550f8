// The figures by which the market is searched, as integers: dollars to the millionth, percent points to the ten-thousandth, SOL in
// lamports, counts and minutes whole. Null is what is not known.

export const DISCOVER_FIELDS = {
  marketCap: { unit: 'usd', decimals: 6 },
  liquidity: { unit: 'usd', decimals: 6 },
  volume: { unit: 'usd', decimals: 6 },
  change: { unit: 'percent', decimals: 4 },
  trades: { unit: 'count', decimals: 0 },
  holders: { unit: 'count', decimals: 0 },
  age: { unit: 'minutes', decimals: 0 },
  top10: { unit: 'percent', decimals: 4 },
  creatorShare: { unit: 'percent', decimals: 4 },
  creatorTokens: { unit: 'count', decimals: 0 },
  snipers: { unit: 'percent', decimals: 4 },
  bundlers: { unit: 'percent', decimals: 4 },
  insiders: { unit: 'percent', decimals: 4 },
  freshWallets: { unit: 'percent', decimals: 4 },
  provenTraders: { unit: 'count', decimals: 0 },
  fees: { unit: 'sol', decimals: 9 },
  curve: { unit: 'percent', decimals: 4 },
} as const;

export type DiscoverField = keyof typeof DISCOVER_FIELDS;
export const discoverFields = Object.keys(DISCOVER_FIELDS) as DiscoverField[];

export const DISCOVER_LISTS = [
  'trending',
  'new',
  'gainers',
  'smart-money',
  'graduating',
  'graduated',
  'watchlist',
] as const;
export type DiscoverList = (typeof DISCOVER_LISTS)[number];

export const DISCOVER_WORDS_MAX = 10;

/** Words separated by commas, also Chinese ones, of which any counts. */
export function discoverWords(text: string): string[] {
  const words = text.split(/[,，、]/).map((word) => word.trim().toLowerCase());
  return [...new Set(words.filter((word) => word !== ''))];
}

export type DiscoverFigures = Readonly<Record<DiscoverField, bigint | null>>;
export type Range = { readonly min?: bigint | undefined; readonly max?: bigint | undefined };

export type DiscoverFilter = {
  readonly ranges: Readonly<Partial<Record<DiscoverField, Range>>>;
  /** Lower case. One of the first must occur in name or symbol, none of the second may. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
};

/** A figure that is not known passes no range: nobody asks for "at most 20 %" and means "or anything". */
export function passesFilter(figures: DiscoverFigures, name: string, filter: DiscoverFilter): boolean {
  for (const field of discoverFields) {
    const range = filter.ranges[field];
    if (range !== undefined && !isWithin(figures[field], range)) return false;
  }
  const text = name.toLowerCase();
  if (filter.include.length > 0 && !filter.include.some((word) => text.includes(word))) return false;
  return !filter.exclude.some((word) => text.includes(word));
}

function isWithin(value: bigint | null, { min, max }: Range): boolean {
  if (min === undefined && max === undefined) return true;
  if (value === null) return false;
  return (min === undefined || value >= min) && (max === undefined || value <= max);
}

/** Whether a token is in a list at all, and by what it stands there: the highest first. Null where it is not. */
export function rankIn(
  list: Exclude<DiscoverList, 'watchlist'>,
  token: {
    readonly figures: DiscoverFigures;
    readonly score: number;
    readonly createdAtMs: number;
    readonly stage: 'curve' | 'graduated' | null;
    readonly graduatedAtMs: number | null;
  },
): number | null {
  const { figures } = token;
  switch (list) {
    case 'trending':
      return token.score;
    case 'new':
      return token.createdAtMs;
    case 'gainers':
      return figures.change !== null && figures.change > 0n ? Number(figures.change) : null;
    case 'smart-money':
      // Among tokens that as many of them hold, the livelier one.
      return figures.provenTraders !== null && figures.provenTraders > 0n
        ? Number(figures.provenTraders) * 1_000 + token.score
        : null;
    case 'graduating':
      return token.stage === 'curve' ? Number(figures.curve ?? 0n) : null;
    case 'graduated':
      return token.stage === 'graduated' ? (token.graduatedAtMs ?? token.createdAtMs) : null;
    default:
      return list satisfies never;
  }
}

/** Unknown ones stand last, whichever way the others are sorted. */
export function compareFigures(a: bigint | null, b: bigint | null, order: 'asc' | 'desc'): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (a === b) return 0;
  return a < b === (order === 'asc') ? -1 : 1;
}

/** How far a launch curve is, in ten-thousandths of a percent point, at most 100 %. */
export function curveProgress(raisedLamports: bigint, targetLamports: bigint): bigint {
  if (targetLamports <= 0n || raisedLamports >= targetLamports) return 1_000_000n;
  return raisedLamports <= 0n ? 0n : (raisedLamports * 1_000_000n) / targetLamports;
}
