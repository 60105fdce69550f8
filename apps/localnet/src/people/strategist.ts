import { parseDecimal, printDecimal } from '@hunter/domain/numbers/decimal';
import { divFloor } from '@hunter/domain/numbers/rounding';
import { SeededRandom } from '@hunter/domain/seeded-random';
import { decideMove, decideRotation, favouritesOf, type HeldCoin, type MarketCoin } from './decide-move.ts';
import type { Person } from './person.ts';
import type { StrategyPlan } from './strategy-plans.ts';

const SLIPPAGE_BPS = 500;
const SOL_DECIMALS = 9;
/** More than any token has: amounts of the API are read and printed with it. */
const TOKEN_DECIMALS = 18;
const BUY_MIN_LAMPORTS = 20_000_000n;
/** Left free by every buy: network fees, the rent of a token account and selling later. */
const KEPT_LAMPORTS = 10_000_000n;
/** A pool of about 50 SOL, which a few SOL do not move. */
const LIQUIDITY_MIN_USD = 15_000;
const COINS_MAX = 40;

/** The most traded coins that are safe enough to buy. */
export async function loadMarket(person: Person): Promise<MarketCoin[]> {
  const { lists } = await person.call('getTokenHotList', { sortBy: 'volume', limit: COINS_MAX });
  return lists
    .filter(({ liquidity, risk }) => Number(liquidity) >= LIQUIDITY_MIN_USD && (risk === 'ok' || risk === 'warn'))
    .map(({ tokenContractAddress, change1h, change, liquidity }) => ({
      mint: tokenContractAddress,
      change1h: Number(change1h ?? 0),
      change24h: Number(change ?? 0),
      liquidityUsd: Number(liquidity),
    }));
}

export async function availableLamports(person: Person): Promise<bigint> {
  return parseDecimal((await person.call('myWallet', {})).walletInfo.available, SOL_DECIMALS);
}

/** Somebody with a strategy and a way of trading. */
export class Strategist {
  readonly person: Person;
  readonly plan: StrategyPlan;
  readonly #random: SeededRandom;

  constructor(person: Person, plan: StrategyPlan) {
    this.person = person;
    this.plan = plan;
    this.#random = new SeededRandom(`strategist ${plan.name}`);
  }

  /** When the strategy was published, whatever became of it since; null before. */
  async publishedAtMs(): Promise<number | null> {
    const { lists } = await this.person.call('getStrategyList', { scope: 'created', sortBy: 'newest' });
    return lists[0]?.publishTime ?? null;
  }

  async publish(): Promise<string> {
    const { plan } = this;
    const market = (await loadMarket(this.person)).slice(0, 25);
    const chosen = new Map<string, number>();
    // Where the style has fewer favourites than the strategy has coins, the rest is taken from the whole market.
    for (const coins of [favouritesOf(plan.style, market), market]) {
      while (chosen.size < Math.min(plan.coins, coins.length)) {
        chosen.set(this.#random.pick(coins).mint, this.#random.between(0.6, 1.4));
      }
    }
    const sum = [...chosen.values()].reduce((total, share) => total + share, 0);
    const { slug } = await this.person.insist('createStrategy', {
      name: plan.name,
      description: plan.description,
      capital: String(plan.capitalSol),
      coins: [...chosen].map(([tokenContractAddress, share]) => ({
        tokenContractAddress,
        weight: ((plan.invested * share) / sum).toFixed(1),
      })),
      ...(plan.days === null ? {} : { duration: { days: plan.days, hours: 0, minutes: 0 } }),
      autoClear: plan.autoClear,
    });
    return slug;
  }

  /** Null while there is none to trade in. */
  async runningSlug(): Promise<string | null> {
    const { lists } = await this.person.call('getStrategyList', { scope: 'created', status: 'running' });
    return lists.find(({ status }) => status === 'running')?.slug ?? null;
  }

  async #look(slug: string) {
    const { bookId, freeSol, positions, status, tier } = await this.person.call('getStrategyDetail', { slug });
    // Of a token whose decimals are unknown nobody can say how much to sell.
    const held: HeldCoin[] = positions.flatMap(({ tokenContractAddress, amount, profitPercent }) =>
      amount === null
        ? []
        : [{ mint: tokenContractAddress, tokens: amount, profitPercent: Number(profitPercent ?? 0) }],
    );
    return { bookId, freeSol, held, isRunning: status === 'running', isRanked: tier === 'ranked' };
  }

  /**
   * Sells some coins whole and buys as many others; only one where the strategy is ranked, whose creator has nothing left to prove.
   * False where it does not run any more.
   */
  async rotate(slug: string, timesBeforeRanked = 1): Promise<boolean> {
    const { bookId, freeSol, held, isRunning, isRanked } = await this.#look(slug);
    if (!isRunning) return false;
    if (bookId === null) return true;
    let [kept, market] = [held, await loadMarket(this.person)];
    const rotations = Array.from({ length: isRanked ? 1 : timesBeforeRanked }, () => {
      const { sell, buy } = decideRotation(this.plan.style, market, kept, this.#random);
      // Nobody sells at once what he has just bought.
      kept = kept.filter(({ mint }) => mint !== sell);
      market = market.filter(({ mint }) => mint !== sell && mint !== buy?.mint);
      return { sell, buy };
    });
    const order = { bookId, slippageBps: SLIPPAGE_BPS };
    for (const { sell } of rotations) {
      const leaving = held.find(({ mint }) => mint === sell);
      if (leaving === undefined) continue;
      const { mint, tokens: amount } = leaving;
      await this.person.insist('tokenTransfer', { ...order, tokenContractAddress: mint, side: 'sell', amount });
    }
    for (const { buy } of rotations) {
      const amount = buy === null ? null : spend(freeSol, buy.shareOfFree);
      if (buy === null || amount === null) continue;
      await this.person.insist('tokenTransfer', { ...order, tokenContractAddress: buy.mint, side: 'buy', amount });
    }
    return true;
  }

  async trade(slug: string): Promise<void> {
    const { bookId, freeSol, held } = await this.#look(slug);
    if (bookId === null) return;
    const move = decideMove(this.plan.style, await loadMarket(this.person), held, this.#random);
    if (move.kind === 'wait') return;
    const amount =
      move.kind === 'sell'
        ? part(held.find(({ mint }) => mint === move.mint)!.tokens, move.share)
        : spend(freeSol, move.shareOfFree);
    if (amount === null) return;
    const order = { tokenContractAddress: move.mint, side: move.kind, amount, bookId, slippageBps: SLIPPAGE_BPS };
    await this.person.insist('tokenTransfer', order);
  }

  async end(slug: string): Promise<void> {
    await this.person.insist('closeStrategy', { slug });
  }
}

function part(tokens: string, share: number): string | null {
  if (share >= 1) return tokens;
  const units = divFloor(parseDecimal(tokens, TOKEN_DECIMALS) * BigInt(Math.floor(share * 1000)), 1000n);
  // Cut to the precision that the amount itself shows: the token has no smaller unit.
  const decimals = tokens.split('.')[1]?.length ?? 0;
  const shown = divFloor(units, 10n ** BigInt(TOKEN_DECIMALS - decimals));
  return shown > 0n ? printDecimal(shown, decimals) : null;
}

function spend(freeSol: string, share: number): string | null {
  const spendable = parseDecimal(freeSol, SOL_DECIMALS) - KEPT_LAMPORTS;
  const lamports = divFloor(spendable * BigInt(Math.floor(share * 1000)), 1000n);
  return lamports >= BUY_MIN_LAMPORTS ? printDecimal(lamports, SOL_DECIMALS) : null;
}
