import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { baseUnits, printTokens } from '@hunter/domain/numbers/base-units';
import { printPercentOf } from '@hunter/domain/numbers/decimal';
import { lamports, printSol as sol, type Lamports } from '@hunter/domain/numbers/lamports';
import { priceOfTrade, printLamportsUsd, printPriceSol } from '@hunter/domain/numbers/price';
import { larger } from '@hunter/domain/numbers/rounding';
import { liquidationValue, printPriceImpact, quotePool, type Pool } from '@hunter/domain/market/swap-maths';
import type { Address } from '@hunter/solana/address';
import { loadHoldings, type Pools } from '../book-holdings.ts';
import { NETWORK_FEE_LAMPORTS } from '../costs.ts';
import { planFirstBuys } from '../create-strategy.ts';
import { loadFollowOf } from '../follow-store.ts';
import { chooseSettings, DEFAULT_SETTINGS, settingsOf } from '../follow-settings.ts';
import { planFollowNow } from '../plan-follow.ts';
import type { Strategies } from '../strategies.ts';
import { loadStrategy } from '../strategy-store.ts';
import { decimalsOf, symbolOf, type Facts } from './coin-refs.ts';

type PlannedBuy = CallReply<'previewFollow'>['buys'][number];
type Purchase = { mint: Address; spendLamports: Lamports; skip: string | null; limitedBy: string | null };

/** A purchase as it would go now, and what selling it again at once would return: the difference is what going in costs. */
function preview(purchase: Purchase, pool: Pool | undefined, facts: Facts): { buy: PlannedBuy; backLamports: bigint } {
  const { mint, spendLamports, skip } = purchase;
  const quote = pool && spendLamports > 0n ? quotePool(pool, 'buy', spendLamports) : null;
  const filled = quote?.kind === 'quote' ? quote : null;
  const decimals = decimalsOf(facts, mint);
  const tokens = filled?.amountOut ?? baseUnits(0n);
  const back = filled ? liquidationValue(filled.poolAfter, tokens, NETWORK_FEE_LAMPORTS) : spendLamports;
  return {
    buy: {
      tokenContractAddress: mint,
      tokenSymbol: symbolOf(facts, mint),
      solAmount: sol(spendLamports),
      expectedTokens: printTokens(tokens, decimals),
      price: tokens === 0n || decimals === null ? null : printPriceSol(priceOfTrade(spendLamports, tokens, decimals)),
      priceImpact: filled ? printPriceImpact(filled.priceImpact) : '0',
      skip: skip ?? (filled ? null : 'venue-refused'),
      limitedBy: purchase.limitedBy,
    },
    backLamports: back,
  };
}

async function previewAll(deps: Strategies, purchases: readonly Purchase[], pools: Pools) {
  const facts = await deps.tokens.load(purchases.map(({ mint }) => mint));
  const all = purchases.map((purchase) => preview(purchase, pools.get(purchase.mint), facts));
  const bought = purchases.filter(({ skip }) => skip === null);
  const spent = bought.reduce((sum, { spendLamports }) => sum + spendLamports + NETWORK_FEE_LAMPORTS, 0n);
  const back = all.reduce(
    (sum, { backLamports }, index) => (purchases[index]!.skip === null ? sum + backLamports : sum),
    0n,
  );
  return { buys: all.map(({ buy }) => buy), costLamports: larger(0n, spent - back) };
}

export async function previewStrategy(
  deps: Strategies,
  { capital, coins }: CallParsedRequest<'previewStrategy'>,
): Promise<CallReply<'previewStrategy'>> {
  const plan = await planFirstBuys(deps, capital, coins);
  const pools = await deps.pools.load(plan.map(({ mint }) => mint));
  const purchases = plan.map(({ mint, lamports: planned }) => ({
    mint,
    spendLamports: lamports(BigInt(planned)),
    skip: null,
    limitedBy: null,
  }));
  const { buys, costLamports } = await previewAll(deps, purchases, pools);
  return { buys, cost: sol(costLamports), costPercent: printPercentOf(costLamports, capital, 2, 'ceil') };
}

export async function previewFollow(
  deps: Strategies,
  { slug, mode, amount, protection }: CallParsedRequest<'previewFollow'>,
): Promise<CallReply<'previewFollow'>> {
  const strategy = await loadStrategy(deps.database, slug);
  if (strategy.status === 'ending' || strategy.status === 'ended') throw new AppError('STRATEGY_ENDED');
  const settings = settingsOf(chooseSettings(DEFAULT_SETTINGS, protection));
  const { plan, pools, smallestLamports } = await planFollowNow(deps, strategy, mode, amount, settings);
  const purchases: Purchase[] = [
    ...plan.purchases.map((purchase) => ({ ...purchase, skip: null })),
    ...plan.skipped.map(({ mint, reason }) => ({ mint, spendLamports: lamports(0n), skip: reason, limitedBy: null })),
  ];
  const { buys, costLamports } = await previewAll(deps, purchases, pools);
  return {
    buys,
    staysSol: sol(plan.leftoverLamports),
    cost: sol(costLamports),
    costPercent: printPercentOf(costLamports, amount, 2, 'ceil'),
    smallestSensible: sol(smallestLamports),
    ifCancelledNow: sol(larger(0n, amount - costLamports)),
  };
}

export async function previewCancel(
  deps: Strategies,
  userId: string,
  { slug }: CallParsedRequest<'previewCancel'>,
  solUsd: string | null,
): Promise<CallReply<'previewCancel'>> {
  const strategy = await loadStrategy(deps.database, slug);
  const follow = await loadFollowOf(deps.database, userId, strategy.id);
  if (!follow || follow.status === 'closed') throw new AppError('NOT_FOLLOWING');
  const book = (await loadHoldings(deps.database, [follow.bookId])).get(follow.bookId)!;
  const pools = await deps.pools.load([...book.tokens.keys()]);
  const facts = await deps.tokens.load([...book.tokens.keys()]);
  let total: bigint = book.lamports + book.rentLamports;
  const coins = [...book.tokens].map(([mint, tokens]) => {
    const pool = pools.get(mint);
    if (!pool) throw new AppError('UNAVAILABLE');
    const expected = liquidationValue(pool, tokens, NETWORK_FEE_LAMPORTS);
    const quote = quotePool(pool, 'sell', tokens);
    total += expected;
    return {
      tokenContractAddress: mint,
      tokenSymbol: symbolOf(facts, mint),
      amount: printTokens(tokens, decimalsOf(facts, mint)),
      expectedSol: sol(expected),
      priceImpact: quote.kind === 'quote' ? printPriceImpact(quote.priceImpact) : '100',
    };
  });
  return {
    coins,
    freeSol: sol(book.lamports + book.rentLamports),
    total: sol(total),
    totalUsd: solUsd === null ? null : printLamportsUsd(total, solUsd),
  };
}
