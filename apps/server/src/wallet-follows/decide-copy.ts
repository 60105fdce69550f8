import { baseUnits } from '@hunter/domain/numbers/base-units';
import { refuseCoin } from '@hunter/domain/copying/copyable-coin';
import { lamports } from '@hunter/domain/numbers/lamports';
import { larger } from '@hunter/domain/numbers/rounding';
import { spotPrice } from '@hunter/domain/market/swap-maths';
import { TOKEN_2022_PROGRAM } from '@hunter/solana/program-ids';
import { decideWalletCopy, type CoinMarket, type WalletCopy } from '@hunter/domain/wallet-follows/wallet-follow';
import type { Address } from '@hunter/solana/address';
import { isFrozen } from '../accounts/freeze.ts';
import { loadBooksInWallets } from '../ledger/books.ts';
import { lockPositionsAt } from '../ledger/positions.ts';
import { creatorSpendable } from '../strategies/copying/creator-float.ts';
import { NETWORK_FEE_LAMPORTS } from '../strategies/costs.ts';
import { holdingValue, knownEquity, loadHoldings, type Pools } from '../strategies/book-holdings.ts';
import type { Sql } from '../platform/postgres.ts';
import { rentCeiling } from '../trading/order-limits.ts';
import { hasTokenAccount } from '../trading/token-accounts.ts';
import { isCopyOfOwnTrade } from './copied-own-trade.ts';
import { forgetOwed, loadOwed, loadUnderWay, loadUsed, type WalletCopyRow } from './copy-store.ts';
import { rulesOf } from './settings.ts';
import type { WalletFollow, WalletFollows } from './wallet-follow.ts';

/** Asked outside of transactions: nobody waits for a lock while venue and chain answer. */
export async function loadCoinMarket(
  deps: WalletFollows,
  follow: WalletFollow,
  mint: Address,
): Promise<{ market: CoinMarket; pools: Pools; rentLamports: bigint }> {
  const holdings = (await loadHoldings(deps.database, [follow.bookId])).get(follow.bookId)!;
  const pools = await deps.pools.load([...new Set([mint, ...holdings.tokens.keys()])]);
  const pool = pools.get(mint) ?? null;
  const token = (await deps.tokens.load([mint])).get(mint);
  const facts = await deps.coinFacts(mint, new Set([follow.address]));
  const coin = { ...facts, poolLamports: pool?.solReserve ?? null, spot: pool === null ? null : spotPrice(pool) };
  const market = {
    refusal: refuseCoin(coin),
    pool,
    reference: facts.reference,
    coin: { ageMs: facts.ageMs, poolLamports: pool?.solReserve ?? lamports(0n) },
  };
  return { market, pools, rentLamports: rentCeiling(token?.tokenProgram ?? TOKEN_2022_PROGRAM) };
}

export async function decideCopy(
  sql: Sql,
  follow: WalletFollow,
  row: WalletCopyRow,
  { market, pools, rentLamports }: Awaited<ReturnType<typeof loadCoinMarket>>,
  nowMs: number,
): Promise<WalletCopy> {
  if (row.side === 'buy' && (await isFrozen(sql, follow.userId))) return { kind: 'skip', reason: 'account-frozen' };
  if (row.side === 'buy' && follow.paused) return { kind: 'skip', reason: 'paused' };
  if (row.side === 'buy' && (await isCopyOfOwnTrade(sql, follow.userId, row.signature)))
    return { kind: 'skip', reason: 'own-trade' };
  const mint = row.mint;
  const book = (await loadHoldings(sql, [follow.bookId])).get(follow.bookId)!;
  const positions = await lockPositionsAt(sql, [{ bookId: follow.bookId, mint }]);
  const buying = (await loadUnderWay(sql, row))
    .filter(({ side }) => side === 'buy')
    .reduce((sum, { amountIn }) => sum + amountIn!, 0n);
  const used = await loadUsed(sql, follow.id, mint, new Date(nowMs));
  const { walletId, kind } = (await loadBooksInWallets(sql, [follow.bookId])).get(follow.bookId)!;
  const hasAccount = await hasTokenAccount(sql, walletId, mint);
  const besideRent = larger(0n, book.freeLamports - (hasAccount ? 0n : rentLamports));
  const coinTokens = book.tokens.get(mint) ?? baseUnits(0n);
  // What was owed of tokens that were sold in another way is not owed of those that are bought now.
  if (coinTokens === 0n) await forgetOwed(sql, row);
  return decideWalletCopy(
    rulesOf(follow.settings),
    {
      side: row.side,
      mint,
      lamports: lamports(row.lamports),
      tokens: baseUnits(row.tokens),
      atMs: row.tradedAt.getTime(),
      heldTokensBefore: row.heldBefore === null ? null : baseUnits(row.heldBefore),
      isFirstBuy: row.isFirstBuy,
    },
    {
      freeLamports: kind === 'strategy' ? creatorSpendable(book, hasAccount) : lamports(besideRent),
      coinTokens,
      owedTokens: baseUnits(await loadOwed(sql, row)),
      coinCostLamports: lamports((positions.get(`${follow.bookId} ${mint}`)?.costLamports ?? 0n) + buying),
      state: {
        equityLamports: knownEquity(book, pools),
        coinLamports: lamports((holdingValue(pools, mint, coinTokens) ?? 0n) + buying),
        runUpUsedLamports: lamports(used.runUp),
        runUpUsedTotalLamports: lamports(used.runUpTotal),
        costHourLamports: lamports(used.hour),
        costDayLamports: lamports(used.day),
      },
    },
    market,
    nowMs,
    NETWORK_FEE_LAMPORTS,
  );
}
