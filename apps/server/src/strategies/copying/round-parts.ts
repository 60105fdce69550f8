// Who takes part in a round of a strategy's wallet and with how much: its creator, and everybody who follows. The same for the round
// itself and for what is shown of it before.

import type { Address } from '@hunter/domain/address';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { lamports } from '@hunter/domain/numbers/lamports';
import { smaller } from '@hunter/domain/numbers/rounding';
import { unitsIn, type AmountIn, type Pool, type Side } from '@hunter/domain/market/swap-maths';
import { loadMintsOf } from '../../ledger/balances.ts';
import { loadWalletTokens } from '../../ledger/wallet-balance.ts';
import type { Sql } from '../../platform/postgres.ts';
import type { NewPart } from '../../trading/rounds/round.ts';
import { hasTokenAccount } from '../../trading/token-accounts.ts';
import { loadHoldings, type Pools } from '../book-holdings.ts';
import type { Strategies } from '../strategies.ts';
import { loadStrategyOfBook, type Strategy } from '../strategy-store.ts';
import { creatorSpendable } from './creator-float.ts';
import { loadCoinOfCreator, loadPeople, loadWalletsToBuy } from './load-copyable-coin.ts';
import { loadBuyCandidates, planBuys, type BuyCandidate, type BuyPlanInput } from './plan-buys.ts';
import { costOfSale, decideSale, loadSaleCandidates } from './plan-sales.ts';
import { giveRunUpBack, isRunUpBound } from './run-up-budgets.ts';
import { whyNotCopied, type CoinOfCreator } from './why-not-copied.ts';

export type RoundMarket = { pools: Pools; bought: CoinOfCreator | null };

export type RoundParts = {
  side: Side;
  mint: Address;
  who: 'with-followers' | 'alone';
  /** What the creator puts in, of what his book could. */
  amountOf: (before: AmountIn) => AmountIn;
};

const NOTHING = lamports(0n);
const NO_TOKENS = baseUnits(0n);
export const NO_LIMITS = { limitedBy: null, runUpLamports: NOTHING, costLamports: NOTHING };

/** Pools of everything the strategy's people hold, and for a purchase what its protection needs to know of the coin. */
export async function loadRoundMarket(
  deps: Strategies,
  { strategyId, mint, side }: { strategyId: string; mint: Address; side: Side },
): Promise<RoundMarket> {
  if (side === 'sell') return { pools: await deps.pools.load([mint]), bought: null };
  const people = await loadPeople(deps.database, strategyId);
  const loading = loadPools(deps, people.walletId, mint);
  const pool = loading.then((pools) => pools.get(mint));
  const linking = loadWalletsToBuy(deps, people);
  const [pools, bought] = await Promise.all([loading, loadCoinOfCreator(deps, linking, mint, pool)]);
  return { pools, bought };
}

async function loadPools(deps: Strategies, walletId: string, mint: Address): Promise<Pools> {
  return deps.pools.load([...new Set([mint, ...(await loadMintsOf(deps.database, walletId))])]);
}

export async function loadRoundParts(
  sql: Sql,
  strategy: Strategy,
  { side, mint, who, amountOf }: RoundParts,
  market: RoundMarket,
  now: Date,
) {
  // What does not wait for each other's answers is asked for together; the database answers it in this order.
  const [candidates, hasAccount, refusal, heldTokens] = await Promise.all([
    side === 'buy' && who === 'with-followers' ? loadBuyCandidates(sql, strategy, mint, now) : [],
    side === 'sell' || hasTokenAccount(sql, strategy.walletId, mint),
    market.bought === null ? null : whyNotCopied(sql, strategy, mint, market.bought, now),
    loadWalletTokens(sql, strategy.walletId, mint),
  ]);
  const holdings = await loadHoldings(sql, [strategy.bookId, ...candidates.map(({ bookId }) => bookId)]);
  const own = holdings.get(strategy.bookId)!;
  const before = side === 'buy' ? creatorSpendable(own, hasAccount) : (own.tokens.get(mint) ?? NO_TOKENS);
  const amountIn = amountOf(before);
  const creators = { mint, amountIn, before };
  const planWith = (asking: readonly BuyCandidate[]): NewPart[] =>
    planPurchases(strategy, creators, market, { candidates: asking, holdings, refusal });
  let followers: NewPart[] = [];
  if (who === 'with-followers' && side === 'sell')
    followers = await planSales(sql, strategy, creators, market.pools.get(mint));
  else if (who === 'with-followers') {
    followers = planWith(candidates);
    if (isRunUpBound(followers)) followers = planWith(await giveRunUpBack(sql, strategy, mint, candidates, now));
  }
  return { own, before, amountIn, hasAccount, heldTokens, refusal, followers };
}

/** What all who follow would put into one swap with an order of the creator: he has the price of the whole. */
export async function loadFollowersInput(
  deps: Strategies,
  order: { userId: string; bookId: string; side: Side; mint: Address; amountIn: AmountIn },
): Promise<AmountIn> {
  const { side, mint } = order;
  const strategy = await loadStrategyOfBook(deps.database, order.bookId);
  if (strategy?.userId !== order.userId || strategy.status !== 'running') return unitsIn(side, 0n);
  const market = await loadRoundMarket(deps, { strategyId: strategy.id, mint, side });
  const asked = {
    side,
    mint,
    who: 'with-followers' as const,
    amountOf: (before: AmountIn) => smaller(order.amountIn, before),
  };
  const { amountIn, followers } = await deps.database.transaction((sql) =>
    loadRoundParts(sql, strategy, asked, market, new Date(deps.clock.nowMs())),
  );
  const parts = amountIn === 0n ? [] : followers;
  return unitsIn(
    side,
    parts.reduce((sum, part) => sum + part.amountIn, 0n),
  );
}

type CreatorsPart = { mint: Address; amountIn: AmountIn; before: AmountIn };

function planPurchases(
  strategy: Strategy,
  { mint, amountIn, before }: CreatorsPart,
  { pools, bought }: RoundMarket,
  { candidates, holdings, refusal }: Pick<BuyPlanInput, 'candidates' | 'holdings' | 'refusal'>,
): NewPart[] {
  if (candidates.length === 0 || bought === null) return [];
  const decisions = planBuys({
    candidates,
    creator: {
      bookId: strategy.bookId,
      tier: strategy.tier,
      spendLamports: lamports(amountIn),
      freeLamports: lamports(before),
    },
    mint,
    coin: bought.coin,
    refusal,
    holdings,
    pools,
  });
  return decisions.map((decision, index): NewPart => {
    const { followId, userId, bookId } = candidates[index]!;
    const base = { bookId, userId, followId, wantedIn: decision.wantedLamports, freeLamports: NOTHING };
    if (decision.kind === 'skip') return { ...NO_LIMITS, ...base, amountIn: NOTHING, reason: decision.reason };
    const { amountIn: spend, limitedBy, runUpLamports, costLamports } = decision;
    return { ...base, amountIn: spend, limitedBy, runUpLamports, costLamports, reason: null };
  });
}

async function planSales(
  sql: Sql,
  strategy: Strategy,
  { mint, amountIn, before }: CreatorsPart,
  pool: Pool | undefined,
): Promise<NewPart[]> {
  const creator = { soldTokens: baseUnits(amountIn), heldTokensBefore: baseUnits(before) };
  return (await loadSaleCandidates(sql, strategy.id, mint)).map((candidate): NewPart => {
    const { followId, userId, bookId } = candidate;
    const base = { ...NO_LIMITS, bookId, userId, followId, freeLamports: NOTHING };
    const decision = decideSale(candidate, creator);
    if (decision.kind === 'skip') return { ...base, wantedIn: null, amountIn: NO_TOKENS, reason: decision.reason };
    const sold = decision.amountIn;
    return { ...base, wantedIn: sold, amountIn: sold, costLamports: costOfSale(sold, pool), reason: null };
  });
}
