import type { SeededRandom } from '@hunter/domain/seeded-random';
import type { Style } from './strategy-plans.ts';

export type MarketCoin = { mint: string; change1h: number; change24h: number; liquidityUsd: number };
/** `tokens` as the API prints it. */
export type HeldCoin = { mint: string; tokens: string; profitPercent: number };

type Move =
  | { kind: 'buy'; mint: string; shareOfFree: number }
  | { kind: 'sell'; mint: string; share: number }
  | { kind: 'wait' };

const COINS_MAX = 6;

/** The coins that somebody of this style would buy. */
export function favouritesOf(style: Style, market: readonly MarketCoin[]): readonly MarketCoin[] {
  const rising = market.toSorted((left, right) => right.change1h - left.change1h);
  switch (style) {
    case 'momentum':
      return rising.slice(0, 5);
    case 'dips':
      return rising.slice(-8);
    case 'takes-profit':
      return rising.slice(0, 12);
    case 'cuts-late':
      return rising.slice(0, 1);
    case 'gambler':
      return market;
    case 'holds':
      return market.slice(0, 5);
    default:
      return style satisfies never;
  }
}

type Rotation = { sell: string | null; buy: { mint: string; shareOfFree: number } | null };

/** Deep enough that an order of two SOL, a creator's with those of his followers, moves the price by about a percent. */
const DEEP_USD = 60_000;
/** Within an hour. Whoever trades what leaps has another price than others had a moment ago, and such a trip cannot count as won. */
const CALM_PERCENT = 4;

/** What somebody does who looks at the strategy a few times a day: one coin goes, another one comes. */
export function decideRotation(
  style: Style,
  market: readonly MarketCoin[],
  held: readonly HeldCoin[],
  random: SeededRandom,
): Rotation {
  const calmMints = new Set(market.filter(isCalm).map(({ mint }) => mint));
  const calmlyHeld = held.filter(({ mint }) => calmMints.has(mint));
  const sellable = calmlyHeld.length > 0 ? calmlyHeld : held;
  const byProfit = sellable.toSorted((left, right) => right.profitPercent - left.profitPercent);
  const takesWinners = style === 'takes-profit' || style === 'dips' || style === 'holds';
  const leaving = style === 'gambler' && held.length > 0 ? random.pick(sellable) : byProfit.at(takesWinners ? 0 : -1);
  const isLeaving = leaving !== undefined && held.length >= 2;
  const others = calmFavourites(style, market).filter(({ mint }) => held.every((coin) => coin.mint !== mint));
  const isComing = others.length > 0 && held.length - (isLeaving ? 1 : 0) < COINS_MAX;
  return {
    sell: isLeaving ? leaving.mint : null,
    buy: isComing ? { mint: random.pick(others).mint, shareOfFree: random.between(0.15, 0.3) } : null,
  };
}

const isCalm = ({ change1h }: MarketCoin): boolean => Math.abs(change1h) <= CALM_PERCENT;

function calmFavourites(style: Style, market: readonly MarketCoin[]): readonly MarketCoin[] {
  const calm = market.filter((coin) => coin.liquidityUsd >= DEEP_USD && isCalm(coin));
  const rising = calm.toSorted((left, right) => right.change24h - left.change24h);
  if (style === 'momentum') return rising.slice(0, 8);
  if (style === 'takes-profit') return rising.slice(0, 14);
  if (style === 'dips') return rising.filter(({ change24h }) => change24h > -15).slice(-10);
  if (style === 'cuts-late') return rising.slice(-8);
  return calm;
}

/** What a simulated creator does next. Nothing here knows the future: good and bad records come from habits and luck. */
export function decideMove(
  style: Style,
  market: readonly MarketCoin[],
  held: readonly HeldCoin[],
  random: SeededRandom,
): Move {
  const best = held.toSorted((left, right) => right.profitPercent - left.profitPercent)[0];
  const worst = held.toSorted((left, right) => left.profitPercent - right.profitPercent)[0];
  const full = held.length >= COINS_MAX;
  const buy = (low: number, high: number): Move => {
    const coins = favouritesOf(style, market);
    if (coins.length === 0 || full) return sell(worst, 1);
    return { kind: 'buy', mint: random.pick(coins).mint, shareOfFree: random.between(low, high) };
  };
  const sell = (coin: HeldCoin | undefined, share: number): Move =>
    coin === undefined ? { kind: 'wait' } : { kind: 'sell', mint: coin.mint, share };

  const dice = random.next();
  switch (style) {
    case 'momentum':
      if (worst && worst.profitPercent < -4) return sell(worst, 1);
      return dice < 0.6 ? buy(0.1, 0.3) : sell(best, 0.5);
    case 'dips':
      if (best && best.profitPercent > 5) return sell(best, dice < 0.5 ? 1 : 0.5);
      return buy(0.08, 0.2);
    case 'takes-profit':
      if (best && best.profitPercent > 0.3) return sell(best, 1);
      return held.length < 4 ? buy(0.1, 0.25) : sell(worst, dice < 0.2 ? 1 : 0.3);
    case 'cuts-late':
      if (worst && worst.profitPercent < -8) return sell(worst, 1);
      return dice < 0.7 ? buy(0.2, 0.5) : sell(worst, 1);
    case 'gambler':
      return dice < 0.5
        ? buy(0.2, 0.6)
        : sell(held.length === 0 ? undefined : random.pick(held), random.next() < 0.5 ? 1 : 0.5);
    case 'holds':
      if (dice < 0.8) return { kind: 'wait' };
      return dice < 0.92 ? buy(0.05, 0.1) : sell(best, 0.25);
    default:
      return style satisfies never;
  }
}
