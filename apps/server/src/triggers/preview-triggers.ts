import type { CallReply } from '@hunter/contract/calls';
import { printDecimal } from '@hunter/domain/numbers/decimal';
import { SOL_DECIMALS } from '@hunter/domain/numbers/lamports';
import { price as asPrice, printPriceSol, printPriceUsd } from '@hunter/domain/numbers/price';
import { spotPrice, type Pool, type Ratio } from '@hunter/domain/market/swap-maths';
import { trailingLevel } from '@hunter/domain/triggers/decide-trigger';
import { LEVEL_DECIMALS, sizeOf, type Level, type TriggerRule } from '@hunter/domain/triggers/trigger';
import {
  approximately,
  inUnit,
  isPast,
  ownPrice,
  poolPriceFor,
  priceInSol,
  type PriceScale,
} from '@hunter/domain/triggers/trigger-price';
import { loadCash } from '../ledger/balances.ts';
import { SOL } from '../ledger/journal.ts';
import { BUY_MINIMUM_LAMPORTS, IMPACT_WARN_PERCENT } from '../trading/order-limits.ts';
import { draftTriggers } from './place-triggers.ts';
import type { TriggersRequest } from './read-request.ts';
import type { Trigger } from './trigger.ts';
import { scaleOf, type Triggers } from './triggers.ts';

type Preview = CallReply<'previewTrigger'>['lists'][number];
type Warning = Preview['warnings'][number];

/** Further away than this nobody means it. */
const FAR_FACTOR = 100;

/** What triggers would do, as far as the market now can say; places nothing. Throws what placing throws, but for the money. */
export async function previewTriggers(
  deps: Triggers,
  request: TriggersRequest,
  userId: string,
): Promise<CallReply<'previewTrigger'>> {
  const { triggers, book, token } = await draftTriggers(deps, request, userId);
  const { database, solUsd } = deps.trading;
  const pool = (await deps.loadPools([token.mint])).get(token.mint)?.pool ?? null;
  const scale = scaleOf(deps, token.mint, token.decimals);
  const freeLamports = await loadCash(database, book.id, SOL);
  const heldUnits = await loadCash(database, book.id, token.mint);
  const usd = solUsd();
  return {
    lists: triggers.map((trigger): Preview => {
      const { rule } = trigger;
      const size = sizeOf(rule, heldUnits);
      const now = pool && ownPrice(pool, rule.side, size);
      const at = pool && priceWhenFiring(rule, pool, size, now, scale);
      const out = pool && at && outAt(rule, size, at.own);
      const printUsd = (value: bigint) => (usd === null ? null : printPriceUsd(asPrice(value), usd));
      const solNow = now && priceInSol(now, scale);
      return {
        kind: rule.kind,
        side: rule.side,
        priceNow: solNow === null ? null : printPriceSol(asPrice(solNow)),
        priceNowUsd: solNow === null ? null : printUsd(solNow),
        firesAt: at?.waits && pool ? firesAt(at.market, pool, scale, printUsd) : null,
        fillsAt: at && fillsAt(at.own, scale, printUsd),
        priceImpact: at && printImpact(rule.side, at),
        amountIn: size === 0n ? null : printDecimal(size, rule.side === 'buy' ? SOL_DECIMALS : token.decimals),
        getsAbout: out === null ? null : printDecimal(out, rule.side === 'buy' ? token.decimals : SOL_DECIMALS),
        expiresAt: rule.expiresAtMs,
        slippageBps: trigger.slippageBps,
        warnings: warningsOf(trigger, { pool, size, now, scale, freeLamports, out }),
      };
    }),
  };
}

/** What the order itself gets when it fires, and the market's price then. `waits` is false for one that waits for no price. */
type Firing = { own: Ratio; market: Ratio; waits: boolean };

function priceWhenFiring(
  rule: TriggerRule,
  pool: Pool,
  size: bigint,
  now: Ratio | null,
  scale: PriceScale,
): Firing | null {
  const level = levelOf(rule, now, scale);
  if (level === null) return now && { own: now, market: spotPrice(pool), waits: false };
  if (now && isPast(now, level, scale)) return { own: now, market: spotPrice(pool), waits: true };
  const one = inUnit({ numerator: 1n, denominator: 1n }, level.unit, scale);
  if (one === null || size === 0n) return null;
  const own = { numerator: level.value, denominator: one.numerator };
  const market = fractionOf(poolPriceFor(pool, rule.side, size, approximately(own)));
  return market && { own, market, waits: true };
}

function levelOf({ level, trailing }: TriggerRule, now: Ratio | null, scale: PriceScale): Level | null {
  if (level !== null || trailing === null || now === null) return level;
  return { unit: 'sol', when: 'below', value: trailingLevel({ ...trailing, high: priceInSol(now, scale) })! };
}

/** An estimate for a screen, to twelve digits. */
function fractionOf(value: number): Ratio | null {
  if (!Number.isFinite(value) || value <= 0) return null;
  const shift = Math.max(0, 12 - Math.ceil(Math.log10(value)));
  return {
    numerator: BigInt(Math.round(value * 10 ** Math.min(shift, 300))),
    denominator: 10n ** BigInt(Math.min(shift, 300)),
  };
}

type PrintUsd = (value: bigint) => string | null;

function firesAt(market: Ratio, pool: Pool, scale: PriceScale, printUsd: PrintUsd): NonNullable<Preview['firesAt']> {
  const sol = priceInSol(market, scale);
  const cap = inUnit(market, 'market-cap', scale);
  return {
    priceSol: printPriceSol(asPrice(sol)),
    priceUsd: printUsd(sol),
    marketCap: cap && printDecimal(cap.numerator / cap.denominator / 10n ** 12n, LEVEL_DECIMALS - 12),
    fromNow: printPercent(approximately(market) / approximately(spotPrice(pool)) - 1),
  };
}

function fillsAt(own: Ratio, scale: PriceScale, printUsd: PrintUsd): NonNullable<Preview['fillsAt']> {
  const sol = priceInSol(own, scale);
  return { priceSol: printPriceSol(asPrice(sol)), priceUsd: printUsd(sol) };
}

/** Of two prices a sale gets the lower, and a buy pays the higher. */
function printImpact(side: TriggerRule['side'], { own, market }: Firing): string {
  const [worse, better] = side === 'sell' ? [own, market] : [market, own];
  return printPercent(Math.max(0, 1 - approximately(worse) / approximately(better)));
}

function printPercent(share: number): string {
  return (share * 100).toFixed(4);
}

function outAt({ side }: TriggerRule, size: bigint, { numerator, denominator }: Ratio): bigint | null {
  if (size === 0n || numerator === 0n) return null;
  return side === 'sell' ? (size * numerator) / denominator : (size * denominator) / numerator;
}

type Known = {
  pool: Pool | null;
  size: bigint;
  now: Ratio | null;
  scale: PriceScale;
  freeLamports: bigint;
  out: bigint | null;
};

function warningsOf({ rule }: Trigger, { pool, size, now, scale, freeLamports, out }: Known): Warning[] {
  const warnings: Warning[] = [];
  const { level, side } = rule;
  if (side === 'sell' && size === 0n) warnings.push('nothing-held');
  if (side === 'buy' && size > freeLamports) warnings.push('insufficient-balance');
  if (now === null) return [...warnings, 'no-price'];
  if (level && isPast(now, level, scale)) warnings.push('already-past-level');
  const inLevelUnit = level && inUnit(now, level.unit, scale);
  if (level && !inLevelUnit) warnings.push('no-price');
  if (level && inLevelUnit) {
    const factor = Number(level.value) / approximately(inLevelUnit);
    if (factor > FAR_FACTOR || factor < 1 / FAR_FACTOR) warnings.push('far-from-price');
  }
  if (side === 'sell' && out !== null && out < BUY_MINIMUM_LAMPORTS) warnings.push('below-minimum');
  if (pool && Math.abs(approximately(now) / approximately(spotPrice(pool)) - 1) * 100 >= IMPACT_WARN_PERCENT) {
    warnings.push('high-impact');
  }
  return warnings;
}
