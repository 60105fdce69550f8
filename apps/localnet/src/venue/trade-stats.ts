import type { Trade } from './trade.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Minutes are kept for the hour and the hour before it, to compare the two; then they are folded into hours. */
const MINUTES_KEPT_MS = 2 * HOUR_MS + 5 * MINUTE_MS;
const HOURS_KEPT_MS = 49 * HOUR_MS;
/** Who traded is counted over one day at most. */
const TRADERS_KEPT_MS = 25 * HOUR_MS;
const WINDOW_REUSED_MS = 15_000;

/** One minute or one hour. Traders are numbers that the view gives out, so that a day of them stays small. */
type Bucket = {
  startMs: number;
  lengthMs: number;
  open: number;
  close: number;
  buyLamports: number;
  sellLamports: number;
  buys: number;
  sells: number;
  buyers: Set<number>;
  sellers: Set<number>;
};

export type StoredBucket = Omit<Bucket, 'buyers' | 'sellers'> & { buyers: number[]; sellers: number[] };

export type WindowStats = {
  priceChange: number | null;
  volumeChange: number | null;
  buyLamports: number;
  sellLamports: number;
  numBuys: number;
  numSells: number;
  numTraders: number;
  numNetBuyers: number;
  numBuyers: number;
};

/** Two days of one token, oldest first: hours, then the last two hours in minutes. Display only, hence numbers. */
export class TradeStats {
  #buckets: Bucket[];
  /** Lists ask for all windows of all tokens at once, and between two trades of a token little changes. */
  readonly #windows = new Map<number, { untilMs: number; stats: WindowStats }>();

  constructor(stored: StoredBucket[] = []) {
    this.#buckets = stored.map((bucket) => ({
      ...bucket,
      buyers: new Set(bucket.buyers),
      sellers: new Set(bucket.sellers),
    }));
  }

  record(trade: Trade, trader: number): void {
    this.#windows.clear();
    const startMs = Math.floor(trade.timeMs / MINUTE_MS) * MINUTE_MS;
    const price = Number(trade.lamports) / Number(trade.tokens);
    let bucket = this.#buckets.at(-1);
    if (bucket === undefined || bucket.startMs < startMs) {
      bucket = emptyBucket(startMs, MINUTE_MS, bucket?.close ?? price);
      this.#buckets.push(bucket);
      this.#fold(trade.timeMs);
    }
    bucket.close = price;
    if (trade.side === 'buy') {
      bucket.buyLamports += Number(trade.lamports);
      bucket.buys += 1;
      bucket.buyers.add(trader);
    } else {
      bucket.sellLamports += Number(trade.lamports);
      bucket.sells += 1;
      bucket.sellers.add(trader);
    }
  }

  window(nowMs: number, lengthMs: number): WindowStats {
    const known = this.#windows.get(lengthMs);
    if (known !== undefined && nowMs < known.untilMs) return known.stats;
    const stats = this.#sumUp(nowMs, lengthMs);
    this.#windows.set(lengthMs, { untilMs: nowMs + WINDOW_REUSED_MS, stats });
    return stats;
  }

  #sumUp(nowMs: number, lengthMs: number): WindowStats {
    const from = nowMs - lengthMs;
    const inside = this.#buckets.filter(({ startMs }) => startMs > from - MINUTE_MS);
    const earlier = this.#buckets.filter(
      ({ startMs }) => startMs <= from - MINUTE_MS && startMs > from - lengthMs - MINUTE_MS,
    );
    const sum = (buckets: readonly Bucket[], pick: (bucket: Bucket) => number): number =>
      buckets.reduce((total, bucket) => total + pick(bucket), 0);
    const buyers = new Set(inside.flatMap((bucket) => [...bucket.buyers]));
    const sellers = new Set(inside.flatMap((bucket) => [...bucket.sellers]));
    const buyLamports = sum(inside, (bucket) => bucket.buyLamports);
    const sellLamports = sum(inside, (bucket) => bucket.sellLamports);
    const earlierLamports = sum(earlier, (bucket) => bucket.buyLamports + bucket.sellLamports);
    return {
      priceChange: changePercent(inside[0]?.open, inside.at(-1)?.close),
      volumeChange: changePercent(earlierLamports, buyLamports + sellLamports),
      buyLamports,
      sellLamports,
      numBuys: sum(inside, (bucket) => bucket.buys),
      numSells: sum(inside, (bucket) => bucket.sells),
      numTraders: new Set([...buyers, ...sellers]).size,
      numNetBuyers: [...buyers].filter((buyer) => !sellers.has(buyer)).length,
      numBuyers: buyers.size,
    };
  }

  toJSON(): StoredBucket[] {
    return this.#buckets.map((bucket) => ({ ...bucket, buyers: [...bucket.buyers], sellers: [...bucket.sellers] }));
  }

  /** Runs once a minute and token at most, so it may be plain: rebuilds the list with old minutes folded into hours. */
  #fold(nowMs: number): void {
    const first = this.#buckets[0]!;
    if (first.startMs > nowMs - MINUTES_KEPT_MS && first.lengthMs === MINUTE_MS) return;
    const folded: Bucket[] = [];
    for (const bucket of this.#buckets) {
      const last = folded.at(-1);
      const hourMs = Math.floor(bucket.startMs / HOUR_MS) * HOUR_MS;
      if (bucket.startMs <= nowMs - HOURS_KEPT_MS) continue;
      if (bucket.startMs > nowMs - MINUTES_KEPT_MS || bucket.lengthMs === HOUR_MS) folded.push(bucket);
      else if (last?.startMs === hourMs && last.lengthMs === HOUR_MS) merge(last, bucket);
      else folded.push(merge(emptyBucket(hourMs, HOUR_MS, bucket.open), bucket));
    }
    for (const { startMs, buyers, sellers } of folded) {
      if (startMs > nowMs - TRADERS_KEPT_MS) break;
      buyers.clear();
      sellers.clear();
    }
    this.#buckets = folded;
  }
}

function emptyBucket(startMs: number, lengthMs: number, open: number): Bucket {
  const sums = { buyLamports: 0, sellLamports: 0, buys: 0, sells: 0 };
  return { startMs, lengthMs, open, close: open, ...sums, buyers: new Set(), sellers: new Set() };
}

function merge(into: Bucket, from: Bucket): Bucket {
  into.close = from.close;
  into.buyLamports += from.buyLamports;
  into.sellLamports += from.sellLamports;
  into.buys += from.buys;
  into.sells += from.sells;
  for (const buyer of from.buyers) into.buyers.add(buyer);
  for (const seller of from.sellers) into.sellers.add(seller);
  return into;
}

function changePercent(from: number | undefined, to: number | undefined): number | null {
  if (from === undefined || to === undefined || from === 0) return null;
  return (to / from - 1) * 100;
}
