import type { SwapAmounts } from '../venue/swap-amounts.ts';
import { curveInput, swapAmounts } from '../venue/swap-amounts.ts';
import { curveOutput } from '../venue/pool-curve.ts';
import { type Decision, decideTrade, PAST_PACE, type TokenSight } from './decide-trade.ts';
import { firstLogOf, PAST_SECONDS, planOf } from './market-tokens.ts';
import { type PastAccounts, type PastToken, poolBalance } from './past-accounts.ts';
import type { SimulatedWallet } from './population.ts';
import { attentionShares, interestAt } from './attention.ts';
import { activityAt, type Character, type PricePlan } from './price-plan.ts';
import { SeededRandom } from '@hunter/domain/seeded-random';

const SECONDS_PER_SLOT = 0.4;
const HOUR_SECONDS = 3_600;
const WEEK_SECONDS = 7 * 24 * HOUR_SECONDS;

type PastInput = {
  seed: string;
  accounts: PastAccounts;
  circles: ReadonlyMap<PastToken, readonly SimulatedWallet[]>;
  genesisUnixSeconds: number;
  genesisSlot: number;
  /** Trades of a lively token, between these; others have fewer. */
  tradesMin: number;
  tradesMax: number;
};

/** When trades may happen, in seconds of market life. Others act between two stretches, and the ledger has one order for all. */
export type Stretch = { from: number; until: number };

/** The four balances that a swap changes. */
export type SwapBalances = { takerLamports: bigint; poolLamports: bigint; takerTokens: bigint; vaultTokens: bigint };

export type PastTrade = {
  past: PastToken;
  wallet: SimulatedWallet;
  amounts: SwapAmounts;
  /** Seconds of market life; below zero. */
  seconds: number;
  slot: number;
  index: number;
  nonce: number;
  before: SwapBalances;
  after: SwapBalances;
};

/**
 * The week before the first start, oldest trade first: decided by the same traders as the live market and priced by
 * the same curve. `accounts` moves along and holds the state after the last trade taken.
 */
export function* pastTrades(input: PastInput): Generator<PastTrade> {
  for (const trade of pacedTrades(input, () => ({ from: -Infinity, until: 0 }))) if (trade !== null) yield trade;
}

/** The same in stretches: null where the next trade lies beyond the present one. What is due before its beginning happens then. */
export function* pacedTrades(input: PastInput, stretch: () => Stretch): Generator<PastTrade | null> {
  const { seed, accounts } = input;
  const random = new SeededRandom(`${seed}:past`);
  const sights = accounts.tokens.map((past) => sightOf(input, past));
  let lastSlot = -1;
  let index = 0;
  let nonce = 0;
  for (const { seconds: planned, tokenIndex } of tradeTimes(input, sights)) {
    while (planned >= stretch().until) yield null;
    const seconds = Math.max(planned, stretch().from);
    const past = accounts.tokens[tokenIndex]!;
    const decision = decideTrade(random, sights[tokenIndex]!, seconds, PAST_PACE);
    const amounts = decision === null ? null : amountsOf(accounts, past, decision);
    if (decision === null || amounts === null) continue;
    const { wallet } = decision;
    const slot = input.genesisSlot - Math.ceil(-seconds / SECONDS_PER_SLOT);
    index = slot === lastSlot ? index + 1 : 0;
    lastSlot = slot;
    nonce += 1;
    const before = balancesOf(accounts, past, wallet);
    accounts.swap(past, wallet.keypair.address, amounts);
    const after = balancesOf(accounts, past, wallet);
    yield { past, wallet, amounts, seconds, slot, index, nonce, before, after };
  }
}

function balancesOf(accounts: PastAccounts, past: PastToken, { keypair }: SimulatedWallet): SwapBalances {
  return {
    takerLamports: accounts.lamportsOf(keypair.address),
    poolLamports: poolBalance(past),
    takerTokens: accounts.tokensOf(past, keypair.address),
    vaultTokens: past.vault.amount,
  };
}

function sightOf({ seed, accounts, circles, genesisUnixSeconds }: PastInput, past: PastToken): TokenSight {
  const { listing } = past.token;
  return {
    plan: planOf(seed, listing, genesisUnixSeconds),
    firstLog: firstLogOf(listing),
    circle: circles.get(past) ?? [],
    reserves: () => accounts.reserves(past),
    tokensOf: (wallet) => accounts.tokensOf(past, wallet.keypair.address),
    lamportsOf: (wallet) => accounts.lamportsOf(wallet.keypair.address),
    mayTrade: () => true,
  };
}

/** Parts of a token's trades by how far back they reach. */
const PARTS = [
  { share: 0.3, span: PAST_SECONDS, even: 0 },
  // What a chart opens with: a day and a half of quarter hours, none of them empty for a token that lives.
  { share: 0.55, span: 36 * HOUR_SECONDS, even: 0.8 },
  { share: 0.15, span: 3 * HOUR_SECONDS, even: 0.6 },
];

/** About how much of the week's trades lies before a moment, in seconds of market life. */
export function shareBefore(seconds: number): number {
  return PARTS.reduce((sum, { share, span }) => sum + share * Math.max(0, 1 + seconds / span), 0);
}

const LIVELINESS: Record<Character, number> = {
  climber: 1,
  golden: 1,
  pump: 1,
  launch: 1,
  sideways: 0.8,
  rug: 0.65,
  dead: 0.16,
};

/** Those that are looked at first have so many times the trades, most of them lately, so that their charts move as live ones do. */
const HOT_TOKENS = 8;
const HOT_TIMES = 1.8;
const OTHER_TIMES = 0.95;
const HOT_LATELY = 0.42;
/** Trades come in clusters: one draws others within the minute. */
const CLUSTER_TRADES_MAX = 5;
const CLUSTER_SECONDS = 18;

/** More and more trades towards the present, which people look at first, and fewer in tokens that nobody wants. */
function tradeTimes(input: PastInput, sights: readonly TokenSight[]): { seconds: number; tokenIndex: number }[] {
  const times: { seconds: number; tokenIndex: number }[] = [];
  const shares = attentionShares(sights.map(({ plan }) => interestAt(plan, 0)));
  const least = shares.toSorted((one, other) => other - one)[HOT_TOKENS - 1] ?? 1;
  for (const [tokenIndex, { plan }] of sights.entries()) {
    const random = new SeededRandom(`${input.seed}:times:${tokenIndex}`);
    const isHot = shares[tokenIndex]! >= least;
    const usual = random.between(input.tradesMin, input.tradesMax) * LIVELINESS[plan.character];
    const count = usual * (isHot ? HOT_TIMES : OTHER_TIMES);
    // Everybody can look back a whole week.
    times.push({ seconds: -random.between(WEEK_SECONDS, PAST_SECONDS), tokenIndex });
    for (const [part, { share, span, even }] of PARTS.entries()) {
      const isLast = part === PARTS.length - 1;
      const trades = Math.round(count * (isLast && isHot ? HOT_LATELY : share));
      const evenly = Math.round(trades * even);
      for (let trade = 0; trade < evenly; trade += 1) {
        times.push({ seconds: -2 - ((trade + random.next()) * (span - 2)) / evenly, tokenIndex });
      }
      for (let trade = evenly; trade < trades;) {
        const begun = timeWithin(random, plan, span);
        const cluster = Math.min(trades - trade, 1 + random.whole(CLUSTER_TRADES_MAX));
        for (let each = 0; each < cluster; each += 1) {
          times.push({ seconds: Math.min(-2, begun + each * random.exponential(CLUSTER_SECONDS)), tokenIndex });
        }
        trade += cluster;
      }
    }
  }
  return times.sort((left, right) => left.seconds - right.seconds || left.tokenIndex - right.tokenIndex);
}

/** Drawn where the token is active, by rejection; after a few misses anywhere will do. */
function timeWithin(random: SeededRandom, plan: PricePlan, span: number): number {
  let seconds = 0;
  for (let attempt = 0; attempt < 6; attempt += 1) {
    seconds = -random.between(2, span);
    if (random.next() * 5 < activityAt(plan, seconds)) break;
  }
  return seconds;
}

function amountsOf(accounts: PastAccounts, past: PastToken, { side, amount }: Decision): SwapAmounts | null {
  const { extensions } = past.token.listing;
  const output = curveOutput(side, accounts.reserves(past), curveInput(extensions, side, amount));
  const payable = side === 'buy' ? past.vault.amount : past.poolLamports;
  const amounts = swapAmounts(extensions, side, amount, output);
  return output > payable || amounts.outAmount <= 0n ? null : amounts;
}
