import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import type { Address } from '@hunter/domain/address';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { refuseCoin } from '@hunter/domain/copying/copyable-coin';
import { printPercentOf } from '@hunter/domain/numbers/decimal';
import { lamports, printSol, type Lamports } from '@hunter/domain/numbers/lamports';
import { larger } from '@hunter/domain/numbers/rounding';
import {
  simulateWalletFollow,
  type SimulatedWalletTrade,
  type WalletMark,
} from '@hunter/domain/wallet-follows/simulated-wallet-follow';
import { poolAtPrice } from '@hunter/domain/market/pool-at-price';
import { spotPrice, type Pool } from '@hunter/domain/market/swap-maths';
import { loadHourlyPrices, loadTradesWithPriceAfter, type TradeWithPriceAfter } from '../market/wallets/past-trades.ts';
import { NETWORK_FEE_LAMPORTS } from '../strategies/costs.ts';
import { reasonsOf, thin } from '../strategies/simulator/simulated-view.ts';
import { chooseSettings, DEFAULT_SETTINGS, rulesOf, type SettingsJson } from './settings.ts';
import type { WalletFollows } from './wallet-follow.ts';

const DAY_MS = 86_400_000;
const SINCE_DAYS_MAX = 30;
const TRADES_MAX = 1_000;
/** About what passes from a trade that is seen to the copy that is confirmed. */
export const TYPICAL_DELAY_MS = 2_000;

type Request = CallParsedRequest<'simulateWalletFollow'>;
type Reply = CallReply<'simulateWalletFollow'>;
type Replayed = { address: string; amount: Lamports; settings: SettingsJson; sinceMs: number };
type Coin = { pool: Pool; ageMs: number; refusal: SimulatedWalletTrade['market']['refusal']; decimals: number };

/**
 * What following a wallet since a past moment would have become. Prices are those of the trades a delay after the wallet's; pools are
 * taken to have been as deep as they are now, and coins to have been what they are now.
 */
export async function simulateFollowOfWallet(deps: WalletFollows, request: Request): Promise<Reply> {
  const { address, amount } = request;
  const nowMs = deps.clock.nowMs();
  const askedMs = request.since ?? nowMs - 7 * DAY_MS;
  if (askedMs > nowMs) throw new AppError('INVALID_INPUT', { field: 'since', reason: 'range' });
  const sinceMs = Math.max(askedMs, nowMs - SINCE_DAYS_MAX * DAY_MS);
  return replayFollow(deps, { address, amount, settings: chooseSettings(DEFAULT_SETTINGS, request.settings), sinceMs });
}

export async function replayFollow(
  deps: WalletFollows,
  { address, amount, settings, sinceMs: earliestMs }: Replayed,
): Promise<Reply> {
  const nowMs = deps.clock.nowMs();
  const found = await loadTradesWithPriceAfter(
    deps.database,
    address,
    new Date(earliestMs),
    TYPICAL_DELAY_MS,
    TRADES_MAX + 1,
  );
  // Of a wallet that traded more, only the newest are replayed.
  const past = found.slice(-TRADES_MAX);
  const sinceMs = found.length > TRADES_MAX ? past[0]!.at.getTime() : earliestMs;
  const coins = await loadCoins(deps, address, [...new Set(past.map(({ mint }) => mint))]);
  const trades = tradesOf(past, coins, nowMs);
  const marks = await loadMarks(deps, coins, sinceMs, nowMs);
  const start = {
    atMs: sinceMs,
    amountLamports: amount,
    settings: rulesOf(settings),
    networkFeeLamports: NETWORK_FEE_LAMPORTS,
  };
  const { points, receipts, networkFeesLamports } = simulateWalletFollow(start, trades, marks);
  const equity = points.at(-1)!.equityLamports;
  const change = (value: bigint): string => printPercentOf(value - amount, amount, 4, 'nearest');
  const copies = receipts.filter(({ copied }) => copied);
  const wallet = walletLine(trades, marks);
  return {
    address,
    amount: printSol(amount),
    since: sinceMs,
    until: nowMs,
    equity: printSol(equity),
    pnl: printSol(equity - amount),
    changeRate: change(equity),
    walletChangeRate: wallet.at(-1)?.changeRate ?? null,
    networkFees: printSol(networkFeesLamports),
    trades: trades.length,
    copied: copies.length,
    limited: copies.filter(({ reason }) => reason !== null).length,
    skipped: receipts.length - copies.length,
    reasons: reasonsOf(receipts),
    lists: thin(points).map(({ atMs, equityLamports }) => ({ t: atMs, changeRate: change(equityLamports) })),
    wallet: thin(wallet),
    delayMs: TYPICAL_DELAY_MS,
  };
}

async function loadCoins(deps: WalletFollows, wallet: string, mints: readonly Address[]): Promise<Map<Address, Coin>> {
  const pools = await deps.pools.load(mints).catch(() => new Map<Address, Pool>());
  const facts = await deps.tokens.load(mints);
  const coins = new Map<Address, Coin>();
  for (const [mint, pool] of pools) {
    const decimals = facts.get(mint)?.decimals;
    if (decimals === undefined) continue;
    const known = await deps.coinFacts(mint, new Set([wallet]));
    const spot = spotPrice(pool);
    // The reference prices of that time were not kept.
    const refusal = refuseCoin({ ...known, reference: spot, poolLamports: pool.solReserve, spot });
    coins.set(mint, { pool, ageMs: known.ageMs, refusal, decimals });
  }
  return coins;
}

function tradesOf(
  past: readonly TradeWithPriceAfter[],
  coins: ReadonlyMap<Address, Coin>,
  nowMs: number,
): SimulatedWalletTrade[] {
  const held = new Map(past.map(({ mint, heldNow }) => [mint, heldNow]));
  const trades = past.toReversed().map((row): SimulatedWalletTrade | null => {
    const after = held.get(row.mint) ?? null;
    const before = after === null ? null : row.isBuy ? after - row.baseUnits : after + row.baseUnits;
    held.set(row.mint, before !== null && before < 0n ? null : before);
    const coin = coins.get(row.mint);
    const pool = coin ? poolAtPrice(coin.pool, coin.decimals, row.laterPriceSol) : null;
    return {
      side: row.isBuy ? 'buy' : 'sell',
      mint: row.mint,
      lamports: lamports(row.lamports),
      tokens: baseUnits(row.baseUnits),
      atMs: row.at.getTime(),
      heldTokensBefore: before === null || before < 0n ? null : baseUnits(before),
      isFirstBuy: row.isFirst,
      market: {
        refusal: coin?.refusal ?? null,
        pool,
        reference: pool && spotPrice(pool),
        coin: {
          ageMs: Math.max(0, (coin?.ageMs ?? 0) - (nowMs - row.at.getTime())),
          poolLamports: pool?.solReserve ?? lamports(0n),
        },
      },
    };
  });
  return trades.filter((trade) => trade !== null).toReversed();
}

async function loadMarks(
  { database }: WalletFollows,
  coins: ReadonlyMap<Address, Coin>,
  sinceMs: number,
  nowMs: number,
): Promise<WalletMark[]> {
  const rows = await loadHourlyPrices(database, [...coins.keys()], new Date(sinceMs), new Date(nowMs));
  const hours = Map.groupBy(rows, ({ at }) => at.getTime());
  const marks = [...hours].map(([atMs, prices]) => ({
    atMs,
    pools: new Map(
      prices.map(({ mint, priceSol }) => {
        const { pool, decimals } = coins.get(mint)!;
        return [mint, poolAtPrice(pool, decimals, priceSol)];
      }),
    ),
  }));
  return [...marks, { atMs: nowMs, pools: new Map([...coins].map(([mint, { pool }]) => [mint, pool])) }];
}

/** What the wallet itself made of these trades, in percent of the most SOL that it had in them at once. */
function walletLine(trades: readonly SimulatedWalletTrade[], marks: readonly WalletMark[]): Reply['wallet'] {
  const held = new Map<Address, bigint>();
  const prices = new Map<Address, Pool>();
  let cash = 0n;
  let most = 0n;
  const line: { t: number; result: bigint }[] = [];
  const steps = [...trades, ...marks].toSorted((left, right) => left.atMs - right.atMs);
  for (const step of steps) {
    if ('pools' in step) for (const [mint, pool] of step.pools) prices.set(mint, pool);
    else {
      const { mint, side, tokens, lamports: paid, market } = step;
      const before = held.get(mint) ?? 0n;
      // What it held from before is not part of these trades.
      const counted = side === 'buy' ? tokens : tokens < before ? tokens : before;
      held.set(mint, side === 'buy' ? before + counted : before - counted);
      cash += side === 'buy' ? -paid : tokens === 0n ? 0n : (paid * counted) / tokens;
      if (-cash > most) most = -cash;
      if (market.pool) prices.set(mint, market.pool);
    }
    let value = 0n;
    for (const [mint, tokens] of held) {
      const pool = prices.get(mint);
      if (!pool) continue;
      const { numerator, denominator } = spotPrice(pool);
      value += (tokens * numerator) / larger(1n, denominator);
    }
    line.push({ t: step.atMs, result: cash + value });
  }
  if (most === 0n) return [];
  return line.map(({ t, result }) => ({ t, changeRate: printPercentOf(result, most, 4, 'nearest') }));
}
