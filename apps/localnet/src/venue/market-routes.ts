import { WRAPPED_SOL_MINT } from '@hunter/solana/program-ids';
import type { Pool } from './pool.ts';
import { isInPool, poolKeypair } from './pool-registry.ts';
import { Refusal } from './refusal.ts';
import { requireText, requireWhole } from './request-fields.ts';
import { isStatsWindow, organicScore, tokenPrice, tokenView, trendScore, volumeLamports } from './token-view.ts';
import type { Venue } from './venue.ts';

const PRICE_IDS_MAX = 50;
const SEARCH_MINTS_MAX = 100;
const SEARCH_TEXT_RESULTS = 20;
const LIST_MAX = 100;
const RECENT_MAX = 30;
const HISTORY_POINTS_MAX = 5_000;
/** Sol's own age and depth have no pool here; the date is when the simulated price starts to be defined. */
const SOL_CREATED_AT = '2020-03-16T00:00:00.000Z';

/** `GET /price/v3?ids=`; what has no price is left out. */
export function answerPrices(venue: Venue, query: URLSearchParams): unknown {
  const ids = requireText(query.get('ids'), 'ids', 5_000).split(',');
  if (ids.length > PRICE_IDS_MAX) throw new Refusal('INVALID_REQUEST', `Invalid ids: at most ${PRICE_IDS_MAX}`);
  const seconds = venue.chain.unixTimestamp();
  const solUsd = venue.solUsd(seconds);
  const slot = venue.chain.slot('processed');
  const prices: Record<string, unknown> = {};
  for (const id of ids) {
    const pool = venue.pools.get(id);
    if (pool !== undefined) prices[id] = tokenPrice(pool, venue.view, solUsd, slot, seconds * 1000);
    else if (id === WRAPPED_SOL_MINT) {
      const dayAgo = venue.solUsd(seconds - 86_400);
      prices[id] = {
        usdPrice: solUsd,
        decimals: 9,
        blockId: Number(slot),
        liquidity: 0,
        priceChange24h: (solUsd / dayAgo - 1) * 100,
        createdAt: SOL_CREATED_AT,
      };
    }
  }
  return prices;
}

/** `GET /price/v3/history?ids=<SOL>&from=&to=&interval=`, all in whole seconds: the dollar price of SOL in the past. */
export function answerPriceHistory(venue: Venue, query: URLSearchParams): unknown {
  if (query.get('ids') !== WRAPPED_SOL_MINT) {
    throw new Refusal(
      'INVALID_REQUEST',
      'Invalid ids: only the history of SOL is kept here, other prices are on chain',
    );
  }
  const from = requireWhole(query.get('from'), 'from', 0, 1e11);
  const to = requireWhole(query.get('to'), 'to', from, 1e11);
  const interval = requireWhole(query.get('interval') ?? '60', 'interval', 1, 86_400 * 31);
  if ((to - from) / interval > HISTORY_POINTS_MAX) {
    throw new Refusal('INVALID_REQUEST', `Invalid interval: more than ${HISTORY_POINTS_MAX} points`);
  }
  const points: { time: number; usdPrice: number }[] = [];
  const end = Math.min(to, venue.chain.unixTimestamp());
  for (let time = from; time <= end; time += interval) points.push({ time, usdPrice: venue.solUsd(time) });
  return { [WRAPPED_SOL_MINT]: points };
}

/** `GET /tokens/v2/...`: bare arrays. */
export function answerTokens(venue: Venue, segments: readonly string[], query: URLSearchParams): unknown {
  const nowMs = venue.chain.unixTimestamp() * 1000;
  const pools = venue.pools.all();
  const [list, window] = segments;
  const show = (chosen: readonly Pool[]): unknown => {
    const context = { solUsd: venue.solUsd(), slot: venue.chain.slot('processed'), nowMs };
    return chosen.map((pool) => {
      const devMints = pools.filter(({ listing }) => listing.dev === pool.listing.dev).length;
      // Deriving a key takes longer than all the rest of a view.
      const curve = (isInPool(pool.listing) ? poolKeypair(venue.seed, pool.listing.index) : pool.keypair).address;
      return tokenView(pool, venue.view, { ...context, devMints, curve });
    });
  };
  if (list === 'search' && window === undefined) return show(searched(venue, pools, query));
  if (list === 'tag' && window === undefined) {
    const tag = requireText(query.get('query'), 'query');
    return show(pools.filter(({ listing }) => (tag === 'verified' ? listing.isVerified : listing.tags.includes(tag))));
  }
  if (list === 'recent' && window === undefined) {
    const newest = pools.toSorted((left, right) => right.listing.createdAtMs - left.listing.createdAtMs);
    return show(newest.slice(0, RECENT_MAX));
  }
  const score = list === undefined ? undefined : rankings.get(list);
  if (score === undefined || window === undefined || !isStatsWindow(window))
    throw new Refusal('NOT_FOUND', 'Not found', 404);
  const limit = requireWhole(query.get('limit') ?? '50', 'limit', 1, LIST_MAX);
  const scored = pools.map((pool) => ({ pool, score: score(pool, venue, window, nowMs) }));
  scored.sort((left, right) => right.score - left.score);
  return show(scored.slice(0, limit).map(({ pool }) => pool));
}

type Ranking = (pool: Pool, venue: Venue, window: '5m' | '1h' | '6h' | '24h', nowMs: number) => number;

const rankings = new Map<string, Ranking>([
  ['toptraded', (pool, venue, window, nowMs) => volumeLamports(pool, venue.view, window, nowMs)],
  ['toptrending', (pool, venue, window, nowMs) => trendScore(pool, venue.view, window, nowMs)],
  ['toporganicscore', (pool, venue, _window, nowMs) => organicScore(pool, venue.view, nowMs)],
]);

function searched(venue: Venue, pools: readonly Pool[], query: URLSearchParams): Pool[] {
  const text = requireText(query.get('query'), 'query', 6_000).trim();
  const mints = text.split(',').map((part) => part.trim());
  const byMint = mints.slice(0, SEARCH_MINTS_MAX).flatMap((mint) => venue.pools.get(mint) ?? []);
  if (byMint.length > 0) return byMint;
  const needle = text.toLowerCase();
  return pools
    .filter(({ listing }) => `${listing.symbol} ${listing.name}`.toLowerCase().includes(needle))
    .slice(0, SEARCH_TEXT_RESULTS);
}
