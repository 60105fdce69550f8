import type { Trade } from './trade.ts';

const MINUTE_MS = 60_000;
const MINUTES_KEPT = 2 * 24 * 60;
/** Distinct traders are counted per hour at most this far, so that memory stays flat on a busy day. */
const TRADERS_PER_MINUTE_MAX = 64;

export type MinuteBucket = {
  minute: number;
  openLamportsPerToken: number;
  closeLamportsPerToken: number;
  buyLamports: number;
  sellLamports: number;
  buys: number;
  sells: number;
  buyers: string[];
  sellers: string[];
};

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

/** Two days of one token in minutes, newest last. Display only, hence numbers. */
export class TradeStats {
  readonly #buckets: MinuteBucket[];

  constructor(buckets: MinuteBucket[] = []) {
    this.#buckets = buckets;
  }

  record(trade: Trade): void {
    const minute = Math.floor(trade.timeMs / MINUTE_MS);
    const price = Number(trade.lamports) / Number(trade.tokens);
    let bucket = this.#buckets.at(-1);
    if (bucket === undefined || bucket.minute < minute) {
      bucket = emptyBucket(minute, bucket?.closeLamportsPerToken ?? price);
      this.#buckets.push(bucket);
      if (this.#buckets.length > MINUTES_KEPT) this.#buckets.shift();
    }
    bucket.closeLamportsPerToken = price;
    if (trade.side === 'buy') {
      bucket.buyLamports += Number(trade.lamports);
      bucket.buys += 1;
      remember(bucket.buyers, trade.taker);
    } else {
      bucket.sellLamports += Number(trade.lamports);
      bucket.sells += 1;
      remember(bucket.sellers, trade.taker);
    }
  }

  window(nowMs: number, lengthMs: number): WindowStats {
    const from = Math.floor((nowMs - lengthMs) / MINUTE_MS);
    const before = Math.floor((nowMs - 2 * lengthMs) / MINUTE_MS);
    let earlierLamports = 0;
    const inside: MinuteBucket[] = [];
    for (let index = this.#buckets.length - 1; index >= 0; index -= 1) {
      const bucket = this.#buckets[index]!;
      if (bucket.minute <= before) break;
      if (bucket.minute > from) inside.push(bucket);
      else earlierLamports += bucket.buyLamports + bucket.sellLamports;
    }
    const sum = (pick: (bucket: MinuteBucket) => number): number => inside.reduce((total, b) => total + pick(b), 0);
    const buyers = new Set(inside.flatMap((bucket) => bucket.buyers));
    const sellers = new Set(inside.flatMap((bucket) => bucket.sellers));
    const buyLamports = sum((bucket) => bucket.buyLamports);
    const sellLamports = sum((bucket) => bucket.sellLamports);
    return {
      priceChange: changePercent(inside.at(-1)?.openLamportsPerToken, inside[0]?.closeLamportsPerToken),
      volumeChange: changePercent(earlierLamports, buyLamports + sellLamports),
      buyLamports,
      sellLamports,
      numBuys: sum((bucket) => bucket.buys),
      numSells: sum((bucket) => bucket.sells),
      numTraders: new Set([...buyers, ...sellers]).size,
      numNetBuyers: [...buyers].filter((buyer) => !sellers.has(buyer)).length,
      numBuyers: buyers.size,
    };
  }

  lastTradeMs(): number | null {
    const last = this.#buckets.at(-1);
    return last === undefined ? null : last.minute * MINUTE_MS;
  }

  toJSON(): MinuteBucket[] {
    return this.#buckets;
  }
}

function emptyBucket(minute: number, open: number): MinuteBucket {
  return {
    minute,
    openLamportsPerToken: open,
    closeLamportsPerToken: open,
    buyLamports: 0,
    sellLamports: 0,
    buys: 0,
    sells: 0,
    buyers: [],
    sellers: [],
  };
}

function remember(traders: string[], trader: string): void {
  if (traders.length < TRADERS_PER_MINUTE_MAX && !traders.includes(trader)) traders.push(trader);
}

function changePercent(from: number | undefined, to: number | undefined): number | null {
  if (from === undefined || to === undefined || from === 0) return null;
  return (to / from - 1) * 100;
}
