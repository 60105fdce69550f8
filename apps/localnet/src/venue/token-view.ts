import type { Address } from '@hunter/solana/address';
import type { Listing } from './listing.ts';
import type { MarketView } from './market-view.ts';
import type { Pool } from './pool.ts';
import { RENT_EXEMPT_EMPTY } from './rent.ts';
import type { WindowStats } from './trade-stats.ts';

const LAMPORTS_PER_SOL = 1e9;
const WINDOWS_MS = { '5m': 300_000, '1h': 3_600_000, '6h': 21_600_000, '24h': 86_400_000 } as const;
type StatsWindow = keyof typeof WINDOWS_MS;
const STATS_WINDOWS = Object.keys(WINDOWS_MS) as StatsWindow[];

type TokenPrice = {
  usdPrice: number;
  decimals: number;
  blockId: number;
  liquidity: number;
  priceChange24h: number;
  createdAt: string;
};

export function isStatsWindow(text: string): text is StatsWindow {
  return Object.hasOwn(WINDOWS_MS, text);
}

/** Dollars for one whole token at the pool's own price. */
function usdPriceOf(pool: Pool, solUsd: number): number {
  const { lamports, tokens } = pool.reserves();
  const { decimals } = pool.listing;
  const sol = Number(lamports) / LAMPORTS_PER_SOL / (Number(tokens) / 10 ** decimals);
  return sol * solUsd;
}

/** Both real sides of the pool in dollars. */
function liquidityUsd(pool: Pool, solUsd: number): number {
  const { lamports, tokens } = pool.reserves();
  const { virtualLamports, virtualTokens, decimals } = pool.listing;
  const sol = Number(lamports - virtualLamports) / LAMPORTS_PER_SOL;
  return sol * solUsd + (Number(tokens - virtualTokens) / 10 ** decimals) * usdPriceOf(pool, solUsd);
}

export function tokenPrice(pool: Pool, view: MarketView, solUsd: number, slot: bigint, nowMs: number): TokenPrice {
  const { mint, decimals, createdAtMs } = pool.listing;
  return {
    usdPrice: usdPriceOf(pool, solUsd),
    decimals,
    blockId: Number(slot),
    liquidity: liquidityUsd(pool, solUsd),
    priceChange24h: view.stats(mint).window(nowMs, WINDOWS_MS['24h']).priceChange ?? 0,
    createdAt: new Date(createdAtMs).toISOString(),
  };
}

export function volumeLamports(pool: Pool, view: MarketView, window: StatsWindow, nowMs: number): number {
  const stats = view.stats(pool.listing.mint).window(nowMs, WINDOWS_MS[window]);
  return stats.buyLamports + stats.sellLamports;
}

export function trendScore(pool: Pool, view: MarketView, window: StatsWindow, nowMs: number): number {
  const stats = view.stats(pool.listing.mint).window(nowMs, WINDOWS_MS[window]);
  return (stats.priceChange ?? 0) + Math.log1p(stats.numTraders) * 10;
}

/** Wallets that really differ, against trades: one bot trading with itself scores low. */
export function organicScore(pool: Pool, view: MarketView, nowMs: number): number {
  const day = view.stats(pool.listing.mint).window(nowMs, WINDOWS_MS['24h']);
  const trades = day.numBuys + day.numSells;
  if (trades === 0) return 0;
  const variety = Math.min(1, day.numTraders / Math.sqrt(trades * 12));
  return Math.round(Math.min(100, variety * 70 + Math.log10(1 + trades) * 10) * 100) / 100;
}

export function tokenView(
  pool: Pool,
  view: MarketView,
  context: { solUsd: number; slot: bigint; nowMs: number; devMints: number; curve: Address },
): Record<string, unknown> {
  const { listing } = pool;
  const { solUsd, slot, nowMs } = context;
  const usdPrice = usdPriceOf(pool, solUsd);
  const supply = Number(listing.supply) / 10 ** listing.decimals;
  const holders = [...view.holders(listing.mint)].filter(([owner]) => owner !== pool.keypair.address);
  const top = holders
    .map(([, amount]) => amount)
    .sort((left, right) => (left < right ? 1 : left > right ? -1 : 0))
    .slice(0, 10)
    .reduce((sum, amount) => sum + amount, 0n);
  const devBalance = view.holders(listing.mint).get(listing.dev) ?? 0n;
  const score = organicScore(pool, view, nowMs);
  const createdAt = new Date(listing.createdAtMs).toISOString();
  const stats = Object.fromEntries(
    STATS_WINDOWS.map((window) => [
      `stats${window}`,
      statsView(view.stats(listing.mint).window(nowMs, WINDOWS_MS[window]), solUsd),
    ]),
  );
  return {
    id: listing.mint,
    name: listing.name,
    symbol: listing.symbol,
    decimals: listing.decimals,
    tokenProgram: listing.tokenProgram,
    createdAt,
    dev: listing.dev,
    ...(listing.mintAuthority === null ? {} : { mintAuthority: listing.mintAuthority }),
    ...(listing.freezeAuthority === null ? {} : { freezeAuthority: listing.freezeAuthority }),
    ...(listing.tags.includes('launch') ? { launchpad: 'local' } : {}),
    circSupply: supply,
    totalSupply: supply,
    holderCount: holders.length,
    fdv: usdPrice * supply,
    mcap: usdPrice * supply,
    usdPrice,
    priceBlockId: Number(slot),
    liquidity: liquidityUsd(pool, solUsd),
    firstPool: { id: pool.keypair.address, createdAt },
    organicScore: score,
    organicScoreLabel: score >= 70 ? 'high' : score >= 35 ? 'medium' : 'low',
    isVerified: listing.isVerified,
    tags: listing.isVerified ? [...listing.tags, 'verified'] : listing.tags,
    updatedAt: new Date(nowMs).toISOString(),
    ...stats,
    audit: {
      mintAuthorityDisabled: listing.mintAuthority === null,
      freezeAuthorityDisabled: listing.freezeAuthority === null,
      topHoldersPercentage: percentOf(top, listing.supply),
      devBalancePercentage: percentOf(devBalance, listing.supply),
      devMints: context.devMints,
    },
    pool: poolView(pool),
    ...curveView(listing, context.curve),
  };
}

function curveView({ curve }: Listing, address: Address): Record<string, unknown> {
  if (curve === undefined) return {};
  return {
    curve: { graduatesAt: curve.targetLamports.toString(), address },
    ...(curve.graduatedAtMs === null ? {} : { graduatedAt: new Date(curve.graduatedAtMs).toISOString() }),
  };
}

/** Our own addition: what a caller needs to price a position along the curve itself. */
function poolView(pool: Pool): Record<string, string> {
  const { lamports, tokens } = pool.reserves();
  const { virtualLamports, virtualTokens } = pool.listing;
  return {
    address: pool.keypair.address,
    vault: pool.vault,
    solReserve: (lamports - virtualLamports).toString(),
    tokenReserve: (tokens - virtualTokens).toString(),
    virtualSol: virtualLamports.toString(),
    virtualTokens: virtualTokens.toString(),
    rentReserve: RENT_EXEMPT_EMPTY.toString(),
  };
}

function statsView(stats: WindowStats, solUsd: number): Record<string, number> {
  const usd = (lamports: number): number => (lamports / LAMPORTS_PER_SOL) * solUsd;
  return {
    ...(stats.priceChange === null ? {} : { priceChange: stats.priceChange }),
    ...(stats.volumeChange === null ? {} : { volumeChange: stats.volumeChange }),
    buyVolume: usd(stats.buyLamports),
    sellVolume: usd(stats.sellLamports),
    buyOrganicVolume: usd(stats.buyLamports),
    sellOrganicVolume: usd(stats.sellLamports),
    numBuys: stats.numBuys,
    numSells: stats.numSells,
    numTraders: stats.numTraders,
    numOrganicBuyers: stats.numBuyers,
    numNetBuyers: stats.numNetBuyers,
  };
}

function percentOf(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 1_000_000n) / whole) / 10_000;
}
