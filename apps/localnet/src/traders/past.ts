import type { Address } from '@hunter/solana/address';
import { encodeBase58 } from '@hunter/solana/base58';
import type { Keypair } from '@hunter/solana/keypair';
import type { LedgerTransaction, TokenBalance } from '../ledger/chain.ts';
import { curveOutput } from '../venue/pool-curve.ts';
import { poolKeypair } from '../venue/pool-book.ts';
import { rentExemptLamports } from '../venue/rent.ts';
import { curveInput, type SwapAmounts, swapAmounts } from '../venue/swap-amounts.ts';
import { compileSwap, computeUnitLimit, signedWire, SWAP_FEE_LAMPORTS } from '../venue/swap-transaction.ts';
import { mintDataLength, tokenAccountLength } from '../venue/token-account-data.ts';
import { type Decision, decideTrade, PAST_PACE, type TokenSight } from './decide-trade.ts';
import { firstLogOf, PAST_SECONDS, planOf } from './market-tokens.ts';
import { type PastAccounts, type PastToken, poolBalance } from './past-accounts.ts';
import { pastBlockhash, swapTrace } from './past-transaction.ts';
import type { SimulatedWallet } from './population.ts';
import { activityAt, type PricePlan } from './price-plan.ts';
import { Random } from './random.ts';

const SECONDS_PER_SLOT = 0.4;
const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;

export type PastInput = {
  seed: string;
  reference: Address;
  accounts: PastAccounts;
  circles: ReadonlyMap<PastToken, readonly SimulatedWallet[]>;
  genesisUnixSeconds: number;
  genesisSlot: number;
  /** Balances of accounts that no trade changes, programs above all. */
  lamportsOf(address: Address): bigint;
  /** Trades for each token, between these. */
  tradesMin: number;
  tradesMax: number;
};

/**
 * The week before the first start, oldest trade first: decided by the same traders as the live market, priced by the
 * same curve, signed by the keys it names. Nothing runs through the virtual machine; `accounts` holds the state after
 * the last transaction taken.
 */
export function* generatePast(input: PastInput): Generator<LedgerTransaction> {
  const { seed, accounts } = input;
  const random = new Random(`${seed}:past`);
  const sights = accounts.tokens.map((past) => sightOf(input, past));
  const pools = accounts.tokens.map(({ token }) => poolKeypair(seed, token.listing.index));
  const times = tradeTimes(input, sights);
  let lastSlot = -1;
  let index = 0;
  let nonce = 0;
  for (const { seconds, tokenIndex } of times) {
    const past = accounts.tokens[tokenIndex]!;
    const decision = decideTrade(random, sights[tokenIndex]!, seconds, PAST_PACE);
    const amounts = decision === null ? null : amountsOf(accounts, past, decision);
    if (decision === null || amounts === null) continue;
    const slot = input.genesisSlot - Math.ceil(-seconds / SECONDS_PER_SLOT);
    index = slot === lastSlot ? index + 1 : 0;
    lastSlot = slot;
    nonce += 1;
    yield settle(input, past, { decision, amounts, seconds, slot, index, nonce, pool: pools[tokenIndex]! });
  }
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

type Settlement = {
  decision: Decision;
  amounts: SwapAmounts;
  seconds: number;
  slot: number;
  index: number;
  nonce: number;
  pool: Keypair;
};

function settle(input: PastInput, past: PastToken, settlement: Settlement): LedgerTransaction {
  const { accounts, seed, reference } = input;
  const { decision, amounts, slot, nonce, pool } = settlement;
  const { listing } = past.token;
  const taker = decision.wallet.keypair;
  const { message, messageBytes } = compileSwap({
    listing,
    pool: pool.address,
    reference,
    taker: taker.address,
    side: amounts.side,
    lamports: amounts.lamports,
    tokens: amounts.tokens,
    blockhash: pastBlockhash(seed, slot - 2),
    nonce,
  });
  const accountKeys = message.staticAccounts;
  const takerSignature = taker.sign(messageBytes);
  const balances = (): bigint[] =>
    accountKeys.map((key, index) => {
      if (index === 0) return accounts.lamportsOf(taker.address);
      if (index === 1) return poolBalance(past);
      if (index <= 3) return rentExemptLamports(tokenAccountLength(listing.tokenProgram, listing.extensions));
      if (key === listing.mint) return rentExemptLamports(mintDataLength(listing.tokenProgram, listing.extensions));
      return input.lamportsOf(key);
    });
  const preBalances = balances();
  const preTokenBalances = tokenBalances(past, accounts, taker.address);
  accounts.swap(past, taker.address, amounts);
  return {
    signature: encodeBase58(takerSignature),
    slot: BigInt(slot),
    index: settlement.index,
    blockTime: Math.floor(input.genesisUnixSeconds + settlement.seconds),
    wire: signedWire(messageBytes, takerSignature, pool.sign(messageBytes)),
    err: null,
    fee: SWAP_FEE_LAMPORTS,
    accountKeys,
    preBalances,
    postBalances: balances(),
    preTokenBalances,
    postTokenBalances: tokenBalances(past, accounts, taker.address),
    innerInstructions: [],
    ...swapTrace(listing, amounts.side, taker.address, computeUnitLimit(nonce)),
  };
}

/** A swap's message names the taker's token account third and the vault fourth, whichever way it goes. */
function tokenBalances(past: PastToken, accounts: PastAccounts, taker: Address): TokenBalance[] {
  const { mint, tokenProgram: programId, decimals } = past.token.listing;
  const balance = (accountIndex: number, owner: Address, amount: bigint): TokenBalance => ({
    accountIndex,
    mint,
    owner,
    programId,
    amount,
    decimals,
  });
  return [balance(2, taker, accounts.tokensOf(past, taker)), balance(3, past.pool, past.vault.amount)];
}
