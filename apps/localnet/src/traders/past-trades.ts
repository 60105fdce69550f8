import type { SwapAmounts } from '../venue/swap-amounts.ts';
import { curveInput, swapAmounts } from '../venue/swap-amounts.ts';
import { curveOutput } from '../venue/pool-curve.ts';
import { type Decision, decideTrade, PAST_PACE, type TokenSight } from './decide-trade.ts';
import { firstLogOf, PAST_SECONDS, planOf } from './market-tokens.ts';
import { type PastAccounts, type PastToken, poolBalance } from './past-accounts.ts';
import type { SimulatedWallet } from './population.ts';
import { activityAt, type PricePlan } from './price-plan.ts';
import { Random } from './random.ts';

const SECONDS_PER_SLOT = 0.4;
const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;

export type PastInput = {
  seed: string;
  accounts: PastAccounts;
  circles: ReadonlyMap<PastToken, readonly SimulatedWallet[]>;
  genesisUnixSeconds: number;
  genesisSlot: number;
  /** Trades for each token, between these. */
  tradesMin: number;
  tradesMax: number;
};

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
  const { seed, accounts } = input;
  const random = new Random(`${seed}:past`);
  const sights = accounts.tokens.map((past) => sightOf(input, past));
  let lastSlot = -1;
  let index = 0;
  let nonce = 0;
  for (const { seconds, tokenIndex } of tradeTimes(input, sights)) {
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

/** More and more trades towards the present: the last day and the last hour are what people look at first. */
function tradeTimes(input: PastInput, sights: readonly TokenSight[]): { seconds: number; tokenIndex: number }[] {
  const times: { seconds: number; tokenIndex: number }[] = [];
  for (const [tokenIndex, { plan }] of sights.entries()) {
    const random = new Random(`${input.seed}:times:${tokenIndex}`);
    const quiet = plan.character === 'dead' ? 0.6 : 1;
    const count = Math.round(random.between(input.tradesMin, input.tradesMax) * quiet);
    for (let trade = 0; trade < count; trade += 1) {
      const draw = random.next();
      const span = draw < 0.52 ? PAST_SECONDS : draw < 0.86 ? DAY_SECONDS : HOUR_SECONDS;
      times.push({ seconds: timeWithin(random, plan, span), tokenIndex });
    }
  }
  return times.sort((left, right) => left.seconds - right.seconds || left.tokenIndex - right.tokenIndex);
}

/** Drawn where the token is active, by rejection; after a few misses anywhere will do. */
function timeWithin(random: Random, plan: PricePlan, span: number): number {
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
