// Two evaluators of the same triggers over the same history of one token. The product's: an index, asked after every change, that is
// lost in kills and sees some changes twice. The obvious one: after every change it asks every trigger, in arithmetic of its own.

import { baseUnits } from '../numbers/base-units.ts';
import { lamports } from '../numbers/lamports.ts';
import { SeededRandom } from '../seeded-random.ts';
import type { Pool } from '../market/swap-maths.ts';
import { decideTrigger, nextPurchase } from './decide-trigger.ts';
import { ownPrice } from './trigger-price.ts';
import { TokenWatch, type TokenMoment, type WatchedTrigger } from './token-watch.ts';
import { isStop, type Bound, type Level, type TriggerKind, type TriggerRule } from './trigger.ts';

type Row = WatchedTrigger & {
  group: number | null;
  state: 'open' | 'fired' | 'other-fired' | 'expired';
  firings: number;
};

const DECIMALS = 6;
const KINDS: readonly TriggerKind[] = [
  'limit',
  'limit',
  'stop-loss',
  'take-profit',
  'trailing-stop',
  'dca',
  'creator-sells',
  'graduates',
  'after-time',
];

/** What happened at which event, as text: two evaluators agree where these are equal. */
export type History = string[];

/** Runs one history of `events` changes; answers what each evaluator says happened. */
export function runTriggerModel(seed: string, events: number): { machine: History; obvious: History; fired: number } {
  const random = new SeededRandom(seed);
  const market = new ModelMarket(random);
  const rows = Array.from({ length: 4 + random.whole(30) }, (_, index) => aRow(random, market, index));
  const machine = new Machine(rows.map((row) => ({ ...row })));
  const obvious = new Obvious(rows.map((row) => ({ ...row })));
  for (let event = 0; event < events; event += 1) {
    const moment = market.next();
    obvious.see(event, moment);
    // A process may die before it has seen the change, in the middle of acting on it, or after it.
    if (random.chance(0.05)) machine.restart();
    if (random.chance(0.05)) {
      machine.see(event, moment, random.whole(3));
      machine.restart();
    }
    machine.see(event, moment);
    if (random.chance(0.1)) machine.see(event, moment);
  }
  return { machine: machine.history, obvious: obvious.history, fired: obvious.history.length };
}

class ModelMarket {
  readonly #random: SeededRandom;
  #nowMs = 1_800_000_000_000;
  #sol: bigint;
  #tokens: bigint;
  #virtualSol: bigint;
  #virtualTokens: bigint;
  #solUsdMicro: bigint | null = 150_000_000n;
  #supply: bigint | null = 10n ** 15n;
  #creatorSold = false;
  #hasGraduated = false;

  constructor(random: SeededRandom) {
    this.#random = random;
    this.#sol = BigInt(Math.floor(10 ** random.between(8, 13)));
    this.#tokens = BigInt(Math.floor(10 ** random.between(9, 16)));
    const isCurve = random.chance(0.4);
    this.#virtualSol = isCurve ? this.#sol / 3n : 0n;
    this.#virtualTokens = isCurve ? this.#tokens / 5n : 0n;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  get pool(): Pool {
    return {
      solReserve: lamports(this.#sol),
      tokenReserve: baseUnits(this.#tokens),
      virtualSol: lamports(this.#virtualSol),
      virtualTokens: baseUnits(this.#virtualTokens),
      feeBps: 50n,
    };
  }

  next(): TokenMoment {
    const random = this.#random;
    this.#nowMs += random.whole(120_000);
    const what = random.next();
    if (what < 0.7) this.#trade(10 ** random.between(-6, 0.3), random.chance(0.5));
    else if (what < 0.8) this.#liquidity(random.between(0.02, 3));
    else if (what < 0.9) this.#price();
    else if (what < 0.93) this.#supply = random.chance(0.2) ? null : BigInt(Math.floor(10 ** random.between(13, 16)));
    else if (what < 0.95) this.#creatorSold = true;
    else if (what < 0.97) this.#graduate();
    this.#sol = bounded(this.#sol);
    this.#tokens = bounded(this.#tokens);
    const { pool } = this;
    return {
      nowMs: this.#nowMs,
      pool,
      scale: { decimals: DECIMALS, supply: this.#supply, solUsdMicro: this.#solUsdMicro },
      creatorSold: this.#creatorSold,
      hasGraduated: this.#hasGraduated,
    };
  }

  #trade(part: number, isBuy: boolean): void {
    const sol = this.#sol + this.#virtualSol;
    const tokens = this.#tokens + this.#virtualTokens;
    const product = sol * tokens;
    const moved = BigInt(Math.floor(Number(sol) * part)) + 1n;
    const solAfter = isBuy ? sol + moved : sol - (moved < this.#sol / 2n ? moved : this.#sol / 2n);
    this.#sol = solAfter - this.#virtualSol;
    this.#tokens = product / solAfter - this.#virtualTokens;
  }

  #liquidity(factor: number): void {
    const scaled = (amount: bigint) => BigInt(Math.max(1_000, Math.floor(Number(amount) * factor)));
    this.#sol = scaled(this.#sol);
    this.#tokens = scaled(this.#tokens);
  }

  #price(): void {
    const random = this.#random;
    this.#solUsdMicro = random.chance(0.15) ? null : BigInt(Math.floor(150_000_000 * random.between(0.5, 1.6)));
  }

  #graduate(): void {
    this.#hasGraduated = true;
    this.#sol += this.#virtualSol;
    this.#tokens += this.#virtualTokens;
    this.#virtualSol = 0n;
    this.#virtualTokens = 0n;
  }
}

/** What a chain can count. */
function bounded(amount: bigint): bigint {
  if (amount < 1_000n) return 1_000n;
  return amount > 10n ** 18n ? 10n ** 18n : amount;
}

function aRow(random: SeededRandom, market: ModelMarket, index: number): Row {
  const kind = random.pick(KINDS);
  const side = kind === 'limit' || kind === 'dca' ? random.pick(['buy', 'sell'] as const) : 'sell';
  const { pool } = market;
  const size =
    side === 'buy'
      ? BigInt(Math.floor(Number(pool.solReserve) * 10 ** random.between(-7, 0.5)))
      : BigInt(Math.floor(Number(pool.tokenReserve) * 10 ** random.between(-7, 0.5)));
  const spotSol = ((pool.solReserve + pool.virtualSol) * 10n ** 15n) / (pool.tokenReserve + pool.virtualTokens);
  const near = (): Bound => {
    const unit = random.pick(['sol', 'usd', 'market-cap'] as const);
    const sol = BigInt(Math.floor(Number(spotSol) * random.between(0.3, 2)));
    const value = unit === 'sol' ? sol : unit === 'usd' ? sol * 150n : sol * 150n * 10n ** 9n;
    return { unit, value };
  };
  const when =
    kind === 'stop-loss' ? 'below' : kind === 'take-profit' ? 'above' : random.pick(['below', 'above'] as const);
  const level: Level | null =
    kind === 'limit' || kind === 'stop-loss' || kind === 'take-profit' ? { ...near(), when } : null;
  const intervalMs = 60_000 + random.whole(3_600_000);
  const rule: TriggerRule = {
    kind,
    side,
    level,
    amount: null,
    trailing:
      kind === 'trailing-stop'
        ? {
            bps: BigInt(1 + random.whole(6_000)),
            activation: random.chance(0.5) ? near() : null,
            isActive: false,
            high: null,
          }
        : null,
    schedule:
      kind === 'dca'
        ? {
            intervalMs,
            count: 1_000,
            done: 0,
            nextAtMs: market.nowMs + intervalMs,
            lowest: random.chance(0.5) ? near() : null,
            highest: random.chance(0.5) ? near() : null,
          }
        : null,
    firesAtMs: kind === 'after-time' ? market.nowMs + random.whole(10_000_000) : null,
    expiresAtMs: random.chance(0.3) ? market.nowMs + random.whole(10_000_000) : null,
  };
  const group = random.chance(0.4) ? Math.floor(index / 3) : null;
  return { id: String(index).padStart(3, '0'), rule, size: size + 1n, group, state: 'open', firings: 0 };
}

/** Stops before targets, then by age: both evaluators need one order where two of a group are due at once. */
function inOrder(rows: readonly Row[]): Row[] {
  const rank = (row: Row) => `${isStop(row.rule.kind) ? 0 : 1} ${row.id}`;
  return [...rows].sort((left, right) => (rank(left) < rank(right) ? -1 : 1));
}

/** What the product does: rows in a store, an index that can be lost. */
class Machine {
  readonly history: History = [];
  readonly #rows: Map<string, Row>;
  #watch = new TokenWatch();

  constructor(rows: readonly Row[]) {
    this.#rows = new Map(rows.map((row) => [row.id, row]));
    this.restart();
  }

  restart(): void {
    this.#watch = new TokenWatch();
    for (const row of this.#rows.values()) if (row.state === 'open') this.#watch.set(row);
  }

  /** With `most`, it dies after that many of its effects were stored. */
  see(event: number, moment: TokenMoment, most = Infinity): void {
    const found = new Map(this.#watch.look(moment).map((each) => [each.trigger.id, each.decision]));
    for (const row of this.#rows.values()) {
      if (row.state === 'open' && isDue(row.rule, moment.nowMs)) {
        const price = ownPrice(moment.pool, row.rule.side, row.size);
        found.set(row.id, decideTrigger(row.rule, { ...moment, price }));
      }
    }
    let stored = 0;
    for (const { id } of inOrder([...found.keys()].map((each) => this.#rows.get(each)!))) {
      const row = this.#rows.get(id)!;
      if (row.state !== 'open') continue;
      if (stored >= most) return;
      stored += 1;
      const decision = found.get(row.id)!;
      if (decision.kind === 'expire') this.#end(event, row, 'expired');
      else if (decision.kind === 'fire') this.#fire(event, row, moment.nowMs);
      else if (decision.kind === 'postpone' && row.rule.schedule)
        this.#change(row, { ...row.rule, schedule: { ...row.rule.schedule, nextAtMs: decision.nextAtMs } });
      else if (decision.kind === 'wait' && decision.trailing)
        this.#change(row, { ...row.rule, trailing: decision.trailing });
    }
  }

  #fire(event: number, row: Row, nowMs: number): void {
    const { schedule } = row.rule;
    if (schedule) {
      this.history.push(`${event} ${row.id} bought ${schedule.done + 1}`);
      const nextAtMs = nextPurchase(schedule, nowMs);
      this.#change(row, { ...row.rule, schedule: { ...schedule, done: schedule.done + 1, nextAtMs } });
      return;
    }
    this.#end(event, row, 'fired');
    for (const other of this.#rows.values()) {
      if (row.group !== null && other.group === row.group && other.state === 'open')
        this.#end(event, other, 'other-fired');
    }
  }

  #change(row: Row, rule: TriggerRule): void {
    const changed = { ...row, rule };
    this.#rows.set(row.id, changed);
    this.#watch.set(changed);
  }

  #end(event: number, row: Row, state: Exclude<Row['state'], 'open'>): void {
    this.#rows.set(row.id, { ...row, state });
    this.#watch.delete(row.id);
    this.history.push(`${event} ${row.id} ${state}`);
  }
}

function isDue({ schedule, firesAtMs, expiresAtMs }: TriggerRule, nowMs: number): boolean {
  return [schedule?.nextAtMs, firesAtMs, expiresAtMs].some((at) => typeof at === 'number' && at <= nowMs);
}

/** Asks everybody about everything, every time. */
class Obvious {
  readonly history: History = [];
  readonly #rows: Row[];
  readonly #highs = new Map<string, bigint>();
  readonly #active = new Set<string>();
  readonly #bought = new Map<string, number>();
  readonly #nextAt = new Map<string, number>();

  constructor(rows: Row[]) {
    this.#rows = rows;
  }

  see(event: number, moment: TokenMoment): void {
    for (const row of inOrder(this.#rows)) {
      if (row.state !== 'open') continue;
      const { expiresAtMs } = row.rule;
      if (expiresAtMs !== null && moment.nowMs >= expiresAtMs) {
        row.state = 'expired';
        this.history.push(`${event} ${row.id} expired`);
      } else if (row.rule.kind === 'dca') this.#purchase(event, row, moment);
      else if (this.#isMet(row, moment)) this.#fire(event, row);
    }
  }

  #fire(event: number, row: Row): void {
    row.state = 'fired';
    this.history.push(`${event} ${row.id} fired`);
    for (const other of this.#rows) {
      if (row.group === null || other.group !== row.group || other.state !== 'open') continue;
      other.state = 'other-fired';
      this.history.push(`${event} ${other.id} other-fired`);
    }
  }

  #isMet(row: Row, moment: TokenMoment): boolean {
    const { kind, level, firesAtMs } = row.rule;
    if (kind === 'creator-sells') return moment.creatorSold;
    if (kind === 'graduates') return moment.hasGraduated;
    if (kind === 'after-time') return moment.nowMs >= firesAtMs!;
    if (kind === 'trailing-stop') return this.#hasFallen(row, moment);
    return compare(row, level!, moment, level!.when);
  }

  #hasFallen(row: Row, moment: TokenMoment): boolean {
    const paid = amounts(row, moment.pool);
    if (paid === null) return false;
    const { bps, activation } = row.rule.trailing!;
    if (activation === null || compare(row, activation, moment, 'above')) this.#active.add(row.id);
    if (!this.#active.has(row.id)) return false;
    const now = (paid.sol * 10n ** BigInt(DECIMALS + 9)) / paid.tokens;
    const high = this.#highs.get(row.id);
    if (high === undefined || now > high) this.#highs.set(row.id, now);
    return now <= (this.#highs.get(row.id)! * (10_000n - bps)) / 10_000n;
  }

  #purchase(event: number, row: Row, moment: TokenMoment): void {
    const { intervalMs, nextAtMs, lowest, highest } = row.rule.schedule!;
    let at = this.#nextAt.get(row.id) ?? nextAtMs;
    if (moment.nowMs < at) return;
    const needsPrice = lowest !== null || highest !== null;
    if (needsPrice && amounts(row, moment.pool) === null) return;
    const isInside =
      (lowest === null || compare(row, lowest, moment, 'above')) &&
      (highest === null || compare(row, highest, moment, 'below'));
    while (at <= moment.nowMs) at += intervalMs;
    this.#nextAt.set(row.id, at);
    if (!isInside) return;
    this.#bought.set(row.id, (this.#bought.get(row.id) ?? 0) + 1);
    this.history.push(`${event} ${row.id} bought ${this.#bought.get(row.id)!}`);
  }
}

/** Lamports and base units that the order would move. */
function amounts({ rule, size }: Row, pool: Pool): { sol: bigint; tokens: bigint } | null {
  const sol = pool.solReserve + pool.virtualSol;
  const tokens = pool.tokenReserve + pool.virtualTokens;
  const net = size * (10_000n - pool.feeBps);
  if (rule.side === 'buy') {
    const out = (net * tokens) / (sol * 10_000n + net);
    return out === 0n || out > pool.tokenReserve ? null : { sol: size, tokens: out };
  }
  const out = (net * sol) / (tokens * 10_000n + net);
  return { sol: out > pool.solReserve ? pool.solReserve : out, tokens: size };
}

function compare(row: Row, bound: Bound, { pool, scale }: TokenMoment, when: 'below' | 'above'): boolean {
  const moved = amounts(row, pool);
  if (moved === null) return false;
  let numerator = moved.sol * 10n ** 9n * 10n ** BigInt(DECIMALS);
  let denominator = moved.tokens;
  if (bound.unit !== 'sol') {
    if (scale.solUsdMicro === null) return false;
    numerator *= scale.solUsdMicro;
    denominator *= 10n ** 6n;
  }
  if (bound.unit === 'market-cap') {
    if (scale.supply === null) return false;
    numerator *= scale.supply;
    denominator *= 10n ** BigInt(DECIMALS);
  }
  const wanted = bound.value * denominator;
  return when === 'below' ? numerator <= wanted : numerator >= wanted;
}
