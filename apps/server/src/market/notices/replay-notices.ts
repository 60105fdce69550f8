import { lamports } from '@hunter/domain/numbers/lamports';
import {
  decideBreakout,
  decideProvenWallets,
  decideVolumeSurge,
  isProvenWallet,
  type ProvenBuy,
  isRepeatedNotice,
  type NoticeTrigger,
} from '@hunter/domain/market/notice';
import { price } from '@hunter/domain/numbers/price';
import { applyTrade, countedTrips, emptyHolder, type HolderRow } from '../holder-batch.ts';

export type PastTrade = {
  tokenId: number;
  traderId: number;
  seq: bigint;
  atMs: number;
  isBuy: boolean;
  lamports: bigint;
  baseUnits: bigint;
  priceUsd: bigint;
};

export type PastNotice = { tokenId: number; trigger: NoticeTrigger; atMs: number; priceUsd: bigint; detail: string };

const MINUTE_MS = 60_000;
const BUYS_MS = 10 * MINUTE_MS;
const SURGE_MS = 5 * MINUTE_MS;
const SURGE_HISTORY_MS = 65 * MINUTE_MS;
const HIGHS_MS = 240 * MINUTE_MS;
const HOLDERS_BEFORE_MS = 60 * MINUTE_MS;

type WalletSums = { trips: number; wins: number; realized: bigint };
type TokenPast = {
  /** Trades of the last 65 minutes, oldest first. */
  trades: PastTrade[];
  /** Highest price per minute, oldest first. */
  highs: { minute: number; high: bigint }[];
  holders: number;
  /** The number of holders after each minute in which it changed. */
  holdersAt: { minute: number; holders: number }[];
  lastNotices: Map<NoticeTrigger, number>;
};

/**
 * What the watch would have said, had it been there: the same rules, fed with the trades one after the other, so that each
 * decision sees only what had happened by then. A wallet is proven by the round trips it had closed before, and holders
 * are those that the trades so far have shown.
 */
export class NoticeReplay {
  readonly #tokens = new Map<number, TokenPast>();
  readonly #holders = new Map<string, HolderRow>();
  readonly #wallets = new Map<number, WalletSums>();

  /** Trades must come oldest first. */
  next(trade: PastTrade): PastNotice[] {
    const token = this.#token(trade.tokenId);
    this.#apply(token, trade);
    if (!trade.isBuy) return [];
    const found: PastNotice[] = [];
    const raise = (trigger: NoticeTrigger, detail: string) => {
      if (isRepeatedNotice(token.lastNotices.get(trigger) ?? null, trade.atMs)) return;
      token.lastNotices.set(trigger, trade.atMs);
      found.push({ tokenId: trade.tokenId, trigger, atMs: trade.atMs, priceUsd: trade.priceUsd, detail });
    };
    const proven = decideProvenWallets(this.#recentBuys(token, trade.atMs), trade.atMs);
    if (proven) raise('proven-wallets', String(proven.wallets.length));
    const surge = decideVolumeSurge(volumesOf(token, trade.atMs));
    if (surge) raise('volume-surge', String(surge.factorBps / 10_000n));
    const breakout = decideBreakout(breakoutOf(token, trade));
    if (breakout) raise('breakout', String(breakout.newHolders));
    return found;
  }

  #token(tokenId: number): TokenPast {
    let token = this.#tokens.get(tokenId);
    if (!token) {
      token = { trades: [], highs: [], holders: 0, holdersAt: [], lastNotices: new Map() };
      this.#tokens.set(tokenId, token);
    }
    return token;
  }

  #apply(token: TokenPast, trade: PastTrade): void {
    const key = `${trade.tokenId}:${trade.traderId}`;
    let holder = this.#holders.get(key);
    if (!holder) {
      holder = emptyHolder(trade.tokenId, trade.traderId);
      this.#holders.set(key, holder);
    }
    const before = { ...holder };
    applyTrade(holder, { ...trade, arrivedUnits: trade.baseUnits, unitsAfter: null });
    this.#addToWallet(before, holder);
    const minute = Math.floor(trade.atMs / MINUTE_MS);
    if (before.amount > 0n !== holder.amount > 0n) {
      token.holders += holder.amount > 0n ? 1 : -1;
      const last = token.holdersAt.at(-1);
      if (last?.minute === minute) last.holders = token.holders;
      else token.holdersAt.push({ minute, holders: token.holders });
    }
    const high = token.highs.at(-1);
    if (high?.minute !== minute) token.highs.push({ minute, high: trade.priceUsd });
    else if (trade.priceUsd > high.high) high.high = trade.priceUsd;
    while (token.highs.length > 0 && token.highs[0]!.minute * MINUTE_MS <= trade.atMs - HIGHS_MS) token.highs.shift();
    token.trades.push(trade);
    while (token.trades[0]!.atMs <= trade.atMs - SURGE_HISTORY_MS) token.trades.shift();
  }

  #addToWallet(before: HolderRow, after: HolderRow): void {
    const trips = countedTrips(after) - countedTrips(before);
    const realized = after.realizedLamports - before.realizedLamports;
    if (trips === 0 && realized === 0n) return;
    const wallet = this.#wallets.get(after.traderId) ?? { trips: 0, wins: 0, realized: 0n };
    wallet.trips += trips;
    wallet.wins += after.wins - before.wins;
    wallet.realized += realized;
    this.#wallets.set(after.traderId, wallet);
  }

  #recentBuys(token: TokenPast, nowMs: number) {
    const buys: ProvenBuy[] = [];
    for (let index = token.trades.length - 1; index >= 0; index -= 1) {
      const trade = token.trades[index]!;
      if (trade.atMs <= nowMs - BUYS_MS) break;
      if (!trade.isBuy) continue;
      const sums = this.#wallets.get(trade.traderId);
      buys.push({
        wallet: String(trade.traderId),
        atMs: trade.atMs,
        lamports: trade.lamports,
        proven:
          sums !== undefined &&
          isProvenWallet({ closedTrips: sums.trips, wonTrips: sums.wins, realizedLamports: sums.realized }),
      });
    }
    return buys;
  }
}

function volumesOf(token: TokenPast, nowMs: number) {
  let fiveMinuteLamports = 0n;
  let hourBeforeLamports = 0n;
  const buyers = new Set<number>();
  for (const trade of token.trades) {
    if (trade.atMs <= nowMs - SURGE_MS) hourBeforeLamports += trade.lamports;
    else {
      fiveMinuteLamports += trade.lamports;
      if (trade.isBuy) buyers.add(trade.traderId);
    }
  }
  return {
    fiveMinuteLamports: lamports(fiveMinuteLamports),
    hourBeforeLamports: lamports(hourBeforeLamports),
    distinctBuyers: buyers.size,
  };
}

function breakoutOf(token: TokenPast, trade: PastTrade) {
  const highs = token.highs.filter(({ minute }) => minute * MINUTE_MS <= trade.atMs - SURGE_MS);
  const holdersBefore = token.holdersAt.findLast(
    ({ minute }) => (minute + 1) * MINUTE_MS <= trade.atMs - HOLDERS_BEFORE_MS,
  );
  return {
    price: price(trade.priceUsd),
    highestBefore: price(highs.reduce((highest, { high }) => (high > highest ? high : highest), 0n)),
    holdersNow: token.holders,
    holdersHourAgo: holdersBefore?.holders ?? 0,
  };
}
