import type { CopySkipReason } from './copy-skip.ts';
import type { Lamports } from '../numbers/lamports.ts';
import type { Ratio } from '../market/swap-maths.ts';
import type { SafetyLevel } from '../market/token-safety.ts';

const SOL = 1_000_000_000n;
const POOL_MIN_LAMPORTS = 50n * SOL;
const POOL_AGE_MIN_MS = 3_600_000;
/** A coarser token cannot be shared out fairly: rounding alone would move real money between followers. */
const UNIT_MAX_LAMPORTS = 1_000n;

export type CopyableCoin = {
  readonly badges: readonly SafetyLevel[];
  readonly mintAuthority: 'given-up' | 'kept' | 'unknown';
  readonly ageMs: number;
  readonly poolLamports: Lamports | null;
  readonly spot: Ratio | null;
  readonly reference: Ratio | null;
};

export type CoinRefusal = Extract<
  CopySkipReason,
  'token-risk' | 'mintable' | 'pool-too-small' | 'pool-too-young' | 'coarse-token' | 'no-reference-price'
>;

/** Why followers do not buy this coin along with their creator; null where they may. Selling is never refused. */
export function refuseCoin(coin: CopyableCoin): CoinRefusal | null {
  if (coin.badges.some((level) => level === 'danger' || level === 'unknown')) return 'token-risk';
  if (coin.mintAuthority !== 'given-up') return 'mintable';
  if (coin.poolLamports === null || coin.poolLamports < POOL_MIN_LAMPORTS) return 'pool-too-small';
  if (coin.ageMs < POOL_AGE_MIN_MS) return 'pool-too-young';
  if (coin.reference === null || coin.spot === null) return 'no-reference-price';
  if (coin.spot.numerator > UNIT_MAX_LAMPORTS * coin.spot.denominator) return 'coarse-token';
  return null;
}
