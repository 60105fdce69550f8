import { smaller } from '@hunter/domain/numbers/rounding';
import type { Reserves, Side } from '../venue/pool-curve.ts';
import { type PricePlan, targetLog } from './price-plan.ts';
import type { SimulatedWallet } from './population.ts';
import type { SeededRandom } from '@hunter/domain/seeded-random';

/** What a trader sees of one token. The same for the simulated past and for the chain now. */
export type TokenSight = {
  plan: PricePlan;
  /** The logarithm of the first price in lamports per base unit, which the plan counts from. */
  firstLog: number;
  circle: readonly SimulatedWallet[];
  reserves(): Reserves;
  tokensOf(wallet: SimulatedWallet): bigint;
  lamportsOf(wallet: SimulatedWallet): bigint;
  /** False where the token's issuer froze the wallet's account or would freeze a new one. */
  mayTrade(wallet: SimulatedWallet): boolean;
};

type Pace = {
  /** How far ahead the skilled look. */
  outlookSeconds: number;
  /** The largest part of the reserve in one trade. */
  shareMax: number;
  /** The middle of what trades without a plan move. */
  idleShare: number;
  /** The part of trades that bots make. */
  botShare: number;
};

/** One trade per half minute and token at most: small steps, a near horizon. */
export const LIVE_PACE: Pace = { outlookSeconds: 20 * 60, shareMax: 0.035, idleShare: 0.0012, botShare: 0.22 };
/** A few trades an hour have to tell the same story in larger steps. */
export const PAST_PACE: Pace = { outlookSeconds: 4 * 3600, shareMax: 0.16, idleShare: 0.006, botShare: 0.08 };

export type Decision = { wallet: SimulatedWallet; side: Side; amount: bigint };

/** Left in every wallet for fees and rent. */
const KEEP_LAMPORTS = 50_000_000n;
const SPEND_MIN_LAMPORTS = 2_000_000n;
const TRIES = 6;

const BOT_LAMPORTS = [50_000_000n, 100_000_000n, 100_000_000n, 250_000_000n] as const;

/**
 * Who trades next in this token, which way and how much; null where nobody of those asked can. In a burst people do what the one
 * before them did.
 */
export function decideTrade(
  random: SeededRandom,
  sight: TokenSight,
  seconds: number,
  pace: Pace,
  burst: Side | null = null,
): Decision | null {
  if (random.chance(pace.botShare)) {
    const decision = botTrade(random, sight);
    if (decision !== null) return decision;
  }
  const { plan } = sight;
  const { lamports, tokens } = sight.reserves();
  const reserve = Number(lamports);
  const nowLog = Math.log(reserve / Number(tokens)) - sight.firstLog;
  const gap = targetLog(plan, seconds) - nowLog;
  const outlook = targetLog(plan, seconds + pace.outlookSeconds) - targetLog(plan, seconds);
  const corrects = random.chance(0.45 + Math.min(0.5, Math.abs(gap) * 4));
  const either: Side = burst !== null && random.chance(0.7) ? burst : random.chance(0.5) ? 'buy' : 'sell';
  const side: Side = corrects ? (gap > 0 ? 'buy' : 'sell') : either;
  // On this curve the price moves with the square of the reserve.
  const toTarget = Math.expm1(Math.abs(gap) / 2) * random.between(0.15, 0.75);
  const idle = pace.idleShare * Math.exp(random.normal() * 0.9);
  const share = Math.min(pace.shareMax, corrects ? Math.max(toTarget, idle * 0.3) : idle);
  const spend = BigInt(Math.round(reserve * share));
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const wallet = chooseWallet(random, sight, side, outlook);
    if (wallet === null || !sight.mayTrade(wallet)) continue;
    const amount = side === 'buy' ? affordable(sight, wallet, spend) : sellable(random, sight, wallet, spend);
    if (amount !== null) return { wallet, side, amount };
  }
  return null;
}

/** A bot that holds the token sells all of it; one that does not buys its usual sum, where that moves next to nothing. */
function botTrade(random: SeededRandom, sight: TokenSight): Decision | null {
  const bots = sight.circle.filter(({ skill }) => skill === 'bot');
  if (bots.length === 0) return null;
  const wallet = random.pick(bots);
  if (!sight.mayTrade(wallet)) return null;
  const held = sight.tokensOf(wallet);
  const { lamports, tokens } = sight.reserves();
  if (held > 0n) {
    return (held * lamports) / tokens < SPEND_MIN_LAMPORTS ? null : { wallet, side: 'sell', amount: held };
  }
  const amount = BOT_LAMPORTS[wallet.index % BOT_LAMPORTS.length]!;
  const isSmall = amount * 200n < lamports;
  return isSmall && sight.lamportsOf(wallet) - KEEP_LAMPORTS > amount ? { wallet, side: 'buy', amount } : null;
}

/**
 * The skilled buy only ahead of a rise and sell only ahead of a fall, and then they come first; everyone else takes
 * whatever side is left. That alone makes them profitable.
 */
function chooseWallet(random: SeededRandom, sight: TokenSight, side: Side, outlook: number): SimulatedWallet | null {
  const eager = side === 'buy' ? outlook > 0.18 : outlook < -0.06;
  const skilled = eager && random.chance(0.6);
  const whale = random.chance(0.06);
  const candidates = sight.circle.filter(({ skill }) =>
    skilled ? skill === 'smart' : skill === (whale ? 'whale' : 'crowd'),
  );
  const able = side === 'buy' ? candidates : candidates.filter((wallet) => sight.tokensOf(wallet) > 0n);
  return able.length === 0 ? null : random.pick(able);
}

function affordable(sight: TokenSight, wallet: SimulatedWallet, spend: bigint): bigint | null {
  const free = sight.lamportsOf(wallet) - KEEP_LAMPORTS;
  const amount = smaller(spend, free / 4n);
  return amount < SPEND_MIN_LAMPORTS ? null : roundedLamports(amount);
}

function sellable(
  random: SeededRandom,
  sight: TokenSight,
  wallet: SimulatedWallet,
  wantedLamports: bigint,
): bigint | null {
  const { lamports, tokens } = sight.reserves();
  const held = sight.tokensOf(wallet);
  const wanted = (wantedLamports * tokens) / lamports;
  // People like to sell everything when little would be left.
  const amount = wanted * 10n > held * 8n || random.chance(0.1) ? smaller(held, wanted * 2n) : wanted;
  const worth = (amount * lamports) / tokens;
  if (amount <= 0n || worth < SPEND_MIN_LAMPORTS / 4n) return null;
  return smaller(amount, held);
}

/** People type round sums: three digits are enough. */
function roundedLamports(amount: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, amount.toString().length - 3));
  return (amount / unit) * unit;
}
