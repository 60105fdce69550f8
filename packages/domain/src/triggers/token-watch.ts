import type { Pool, Ratio, Side } from '../market/swap-maths.ts';
import { decideTrigger, type TriggerDecision } from './decide-trigger.ts';
import { PriceIndex, type Placed } from './price-index.ts';
import { ownPrice, perLamport, poolPriceFor, type PriceScale } from './trigger-price.ts';
import type { Bound, LevelUnit, TriggerRule } from './trigger.ts';

export type WatchedTrigger = {
  readonly id: string;
  readonly rule: TriggerRule;
  /** What its order would put in, as far as is known: lamports of a buy, base units of a sell. */
  readonly size: bigint;
};

/** A token as it is after a change. */
export type TokenMoment = {
  readonly nowMs: number;
  readonly pool: Pool;
  readonly scale: PriceScale;
  readonly creatorSold: boolean;
  readonly hasGraduated: boolean;
};

/**
 * How far the index looks beyond a level. Levels are kept as prices of the pool for the size of each order, worked out for one depth
 * of the pool and one price of SOL; while those stay within the drift, the pool's price at the level differs by less than this.
 */
const MARGIN = 0.03;
const DRIFT = 0.01;
/** Below this many units an order's price is made of roundings, and no curve says where it is. */
const SMOOTH_UNITS = 1_000;

const UNITS = ['sol', 'usd', 'market-cap'] as const satisfies readonly LevelUnit[];

/**
 * The open triggers of one token, by the price at which each is worth asking. A change of the token asks those near or past their
 * level, and those that follow the price themselves; all others are not looked at.
 */
export class TokenWatch {
  readonly #triggers = new Map<string, WatchedTrigger>();
  readonly #index = new PriceIndex();
  /** Trailing stops, and those that wait for an event. */
  readonly #followers = new Set<string>();
  /** What the index was made for. */
  #basis: Basis | null = null;
  #pool: Pool | null = null;

  get size(): number {
    return this.#triggers.size;
  }

  get(id: string): WatchedTrigger | undefined {
    return this.#triggers.get(id);
  }

  all(): IterableIterator<WatchedTrigger> {
    return this.#triggers.values();
  }

  /** Whether the price of SOL in dollars moves anything here. */
  hasDollars(): boolean {
    const isDollars = (bound: Bound | null | undefined): boolean => !!bound && bound.unit !== 'sol';
    for (const { rule } of this.#triggers.values())
      if (isDollars(rule.level) || isDollars(rule.trailing?.activation)) return true;
    return false;
  }

  /** Replaces one of the same id. */
  set(trigger: WatchedTrigger): void {
    this.delete(trigger.id);
    this.#triggers.set(trigger.id, trigger);
    if (trigger.rule.level) {
      if (this.#pool && this.#basis) this.#index.set(trigger.id, placeOf(trigger, this.#pool, this.#basis));
    } else if (trigger.rule.kind !== 'dca' && trigger.rule.kind !== 'after-time') this.#followers.add(trigger.id);
  }

  delete(id: string): void {
    if (!this.#triggers.delete(id)) return;
    this.#index.delete(id);
    this.#followers.delete(id);
  }

  /** Everything but `wait`, and those waiting whose trailing state has changed. */
  look(moment: TokenMoment): { trigger: WatchedTrigger; decision: TriggerDecision; price: Ratio | null }[] {
    const { pool } = moment;
    const found = [];
    for (const id of this.asked(moment)) {
      const trigger = this.#triggers.get(id)!;
      const price = ownPrice(pool, trigger.rule.side, trigger.size);
      const decision = decideTrigger(trigger.rule, { ...moment, price });
      if (decision.kind !== 'wait' || decision.trailing) found.push({ trigger, decision, price });
    }
    return found;
  }

  /** Those worth asking now; all others wait. */
  asked({ pool, scale }: Pick<TokenMoment, 'pool' | 'scale'>): Set<string> {
    const { units } = this.#follow(pool, scale);
    const tokens = Number(pool.tokenReserve + pool.virtualTokens);
    const spot = tokens > 0 ? Number(pool.solReserve + pool.virtualSol) / tokens : null;
    const asked = new Set(this.#followers);
    for (const unit of UNITS) {
      const per = units[unit];
      if (spot === null || per === null) continue;
      for (const id of this.#index.reached(unit, spot * per, MARGIN)) asked.add(id);
    }
    return asked;
  }

  /**
   * What stands now. Where the pool is deeper or shallower than the index was made for, or SOL has another price, every level
   * moves.
   */
  #follow(pool: Pool, scale: PriceScale): Basis {
    this.#pool = pool;
    const basis = basisOf(pool, scale);
    if (this.#basis && isNear(this.#basis, basis)) return basis;
    this.#basis = basis;
    const placed: Placed[] = [];
    for (const trigger of this.#triggers.values()) if (trigger.rule.level) placed.push(placeOf(trigger, pool, basis));
    this.#index.replaceAll(placed);
    return basis;
  }
}

function placeOf({ id, rule, size }: WatchedTrigger, pool: Pool, basis: Basis): Placed {
  const { unit, when, value } = rule.level!;
  const per = basis.units[unit];
  const reachedAt = per === null ? null : smoothPoolPrice(pool, rule.side, size, Number(value) / per);
  // Where nobody can say, it is asked at every change.
  const always = when === 'below' ? Infinity : 0;
  return { id, unit, when, at: reachedAt === null ? always : reachedAt * per! };
}

/** Lamports per base unit in each unit of levels, beside the depth and the fee of the pool. */
type Basis = { product: number; feeBps: bigint; units: Record<LevelUnit, number | null> };

function basisOf(pool: Pool, scale: PriceScale): Basis {
  return {
    product: Number(pool.solReserve + pool.virtualSol) * Number(pool.tokenReserve + pool.virtualTokens),
    feeBps: pool.feeBps,
    units: {
      sol: perLamport('sol', scale),
      usd: perLamport('usd', scale),
      'market-cap': perLamport('market-cap', scale),
    },
  };
}

function isNear(before: Basis, now: Basis): boolean {
  const drifted = (one: number | null, other: number | null): boolean =>
    one === null || other === null ? one !== other : !(Math.abs(other / one - 1) <= DRIFT);
  if (before.feeBps !== now.feeBps || drifted(before.product, now.product)) return false;
  return UNITS.every((unit) => !drifted(before.units[unit], now.units[unit]));
}

/** Null where roundings, or a pool that cannot pay for the whole sale, decide what the order gets. */
function smoothPoolPrice(pool: Pool, side: Side, size: bigint, price: number): number | null {
  if (size <= 0n || price <= 0) return null;
  const out = side === 'sell' ? Number(size) * price : Number(size) / price;
  if (out < SMOOTH_UNITS) return null;
  const reachedAt = poolPriceFor(pool, side, size, price);
  if (side === 'buy') return reachedAt;
  const product = Number(pool.solReserve + pool.virtualSol) * Number(pool.tokenReserve + pool.virtualTokens);
  const payable = Math.sqrt(product * reachedAt) - Number(pool.virtualSol);
  return out > payable * 0.9 ? null : reachedAt;
}
