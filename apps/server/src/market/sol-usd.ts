import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/postgres.ts';
import type { Log } from '../platform/log.ts';
import { Loop } from '../platform/loop.ts';
import type { IndexedVenue, PricePoint } from '../venue/venue.ts';

const REFRESH_MS = 5_000;
const STEP_MS = 60_000;
const PAST_DAYS = 8;
/** Points per history call, below what venues answer at once. */
const HISTORY_POINTS = 4_000;

type PricingVenue = Pick<IndexedVenue, 'solUsdMicro' | 'solUsdHistory'>;

/**
 * Dollars per SOL, now and at any minute since eight days ago. One point a minute is stored, so that the dollar value
 * of a trade stays what it was.
 */
export class SolUsd {
  readonly #venue: PricingVenue;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #minutes = new Map<number, bigint>();
  /** Those of the map, ascending. */
  readonly #known: number[] = [];
  #latest: { usdMicro: bigint; atMs: number } | null = null;
  readonly #loop: Loop;
  #isStarted = false;
  readonly #listeners = new Set<() => void>();

  constructor(deps: { venue: PricingVenue; database: Database; clock: Clock; log: Log }) {
    this.#venue = deps.venue;
    this.#database = deps.database;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#loop = new Loop({
      name: 'refresh of the SOL price',
      work: () => this.#refresh(),
      everyMs: REFRESH_MS,
      firstAfterMs: REFRESH_MS,
      clock: deps.clock,
      log: deps.log,
    });
  }

  /** Null before the first answer of the venue. */
  now(): { usdMicro: bigint; atMs: number } | null {
    return this.#latest;
  }

  /** Called whenever the price is another one. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async start(): Promise<void> {
    if (this.#isStarted) return;
    const rows = await this.#database.query<{ at: Date; usd: bigint }>(
      `select at, usd from sol_price where at > now() - interval '9 days'`,
    );
    for (const row of rows) this.#remember(row.at.getTime(), row.usd);
    await this.#refresh();
    await this.#fillPast();
    this.#loop.start();
    this.#isStarted = true;
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** The price in the minute of `atMs`, or the nearest one known before it. */
  async at(atMs: number): Promise<bigint> {
    const minute = Math.floor(atMs / STEP_MS);
    const nearest = this.#known[this.#indexAfter(minute) - 1] ?? this.#known[0];
    const price = nearest === undefined ? this.#latest?.usdMicro : this.#minutes.get(nearest);
    if (price === undefined) throw new Error('the price of SOL is not known yet');
    return price;
  }

  #remember(atMs: number, usdMicro: bigint): void {
    const minute = Math.floor(atMs / STEP_MS);
    if (!this.#minutes.has(minute)) this.#known.splice(this.#indexAfter(minute), 0, minute);
    this.#minutes.set(minute, usdMicro);
  }

  /** Where the first known minute after this one is. Hours can lie between two of them, as after a stop. */
  #indexAfter(minute: number): number {
    let [from, to] = [0, this.#known.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#known[middle]! <= minute) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  async #refresh(): Promise<void> {
    const usdMicro = await this.#venue.solUsdMicro();
    const atMs = this.#clock.nowMs();
    const isNews = this.#latest?.usdMicro !== usdMicro;
    this.#latest = { usdMicro, atMs };
    if (isNews) for (const listener of this.#listeners) listener();
    const minute = Math.floor(atMs / STEP_MS);
    if (this.#minutes.has(minute)) return;
    this.#remember(atMs, usdMicro);
    await this.#save([{ atMs: minute * STEP_MS, usdMicro }]);
  }

  async #fillPast(): Promise<void> {
    const nowMinute = Math.floor(this.#clock.nowMs() / STEP_MS);
    const first = nowMinute - PAST_DAYS * 24 * 60;
    const missing = Array.from({ length: nowMinute - first }, (_, i) => first + i).filter(
      (minute) => !this.#minutes.has(minute),
    );
    if (missing.length === 0) return;
    const points: PricePoint[] = [];
    for (let from = missing[0]! * 60; from <= missing.at(-1)! * 60; from += HISTORY_POINTS * 60) {
      const to = Math.min(from + (HISTORY_POINTS - 1) * 60, missing.at(-1)! * 60);
      points.push(...(await this.#history(from, to)));
    }
    const fresh = points.filter((point) => !this.#minutes.has(Math.floor(point.atMs / STEP_MS)));
    for (const point of fresh) this.#remember(point.atMs, point.usdMicro);
    await this.#save(fresh);
  }

  /** Without a past, trades of it are valued at the oldest price known. */
  async #history(fromSeconds: number, toSeconds: number): Promise<readonly PricePoint[]> {
    try {
      return (await this.#venue.solUsdHistory?.(fromSeconds, toSeconds, 60)) ?? [];
    } catch (error) {
      this.#log.warn(
        { error: (error as Error).message },
        'past prices of SOL could not be read; going on without them',
      );
      return [];
    }
  }

  async #save(points: readonly PricePoint[]): Promise<void> {
    await this.#database.write(
      `insert into sol_price (at, usd) select * from unnest($1::timestamptz[], $2::numeric[]) on conflict do nothing`,
      [points.map((point) => new Date(point.atMs)), points.map((point) => point.usdMicro)],
    );
  }
}
