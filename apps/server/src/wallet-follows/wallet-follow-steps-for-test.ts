import { randomUUID } from 'node:crypto';
import { lamports } from '@hunter/domain/numbers/lamports';
import { spotPrice } from '@hunter/domain/market/swap-maths';
import { systemClock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import type { Database } from '../platform/postgres.ts';
import type { Order } from '../trading/order.ts';
import type { Trader, TradingWorld } from '../trading/world-for-test.ts';
import type { WalletCopyRow } from './copy-store.ts';
import { WalletFollowLoop } from './copy-trades.ts';
import { followWallet } from './manage-wallet-follows.ts';
import type { WalletFollow, WalletFollows } from './wallet-follow.ts';
import { loadReceipts } from './wallet-follow-views.ts';

export const SOL = 1_000_000_000n;

/** The area on a real chain; the token that is traded is known to the market. */
export async function walletFollowsOn(world: TradingWorld): Promise<WalletFollows> {
  const { database, rpc, pools, tokens, engine } = world;
  const deps: WalletFollows = {
    database,
    rpc,
    pools,
    tokens,
    place: (order) => engine.placeOrder(order, { waitMs: 20_000 }),
    coinFacts: async (mint) => ({
      badges: ['ok'],
      mintAuthority: 'given-up',
      ageMs: 30 * 86_400_000,
      reference: spotPrice((await pools.load([mint])).get(mint)!),
    }),
    clock: systemClock,
    log: createLog('warn'),
    balanceChanged: () => {},
  };
  const fact = (await tokens.load([world.mint])).get(world.mint)!;
  await database.write(
    `insert into token (mint, name, symbol, decimals, token_program, supply, created_at) values ($1, $2, $3, $4, $5, 1, now())
     on conflict do nothing`,
    [world.mint, fact.name, fact.symbol, fact.decimals, fact.tokenProgram],
  );
  return deps;
}

/** What tests of followed wallets do over and over, each time in the world that the test has then. */
export function walletFollowSteps(current: () => { world: TradingWorld; deps: WalletFollows }) {
  /** The last trade that the market has stored. */
  const stored = { seq: 1_000n };
  let count = 0;

  /** A trade of the wallet on chain, as the indexer stores it. */
  async function walletTrades(wallet: Trader, side: 'buy' | 'sell', amountIn: bigint, worse = 1n): Promise<Order> {
    const order = await current().world.engine.placeOrder(
      {
        userId: wallet.userId,
        bookId: wallet.bookId,
        side,
        mint: current().world.mint,
        amountIn: lamports(amountIn),
        slippageBps: 1_000,
        kind: 'trade',
      },
      { waitMs: 20_000 },
    );
    await storeTrade(wallet, order, worse);
    return order;
  }

  /** `worse` makes the price that was paid look lower than it was. */
  async function storeTrade(wallet: Trader, order: Order, worse = 1n): Promise<void> {
    const { side } = order;
    const [sol, tokens] = side === 'buy' ? [order.filledIn!, order.filledOut!] : [order.filledOut!, order.filledIn!];
    stored.seq += 1n;
    const { database } = current().world;
    await database.write(`insert into trader (address) values ($1) on conflict do nothing`, [wallet.address]);
    await database.write(
      `insert into trade (token_id, seq, at, is_buy, lamports, base_units, price_sol, price_usd, value_usd, trader_id, signature)
       select t.id, $1, now(), $2, $3, $4, 1, 1, 1, r.id, $5 from token t, trader r where t.mint = $6 and r.address = $7`,
      [stored.seq, side === 'buy', sol, tokens * worse, order.signature, current().world.mint, wallet.address],
    );
    await storeMinutes(database);
    await database.write(
      `insert into trader_day (trader_id, day, first_seq, trades, volume_lamports, realized_lamports, round_trips, wins)
       select id, (now() at time zone 'UTC')::date, $1, 1, $2, 0, 0, 0 from trader where address = $3
       on conflict (trader_id, day) do nothing`,
      [stored.seq, sol, wallet.address],
    );
    await database.write(
      `insert into holder (token_id, trader_id, amount, seq)
       select t.id, r.id, $1, $2 from token t, trader r where t.mint = $3 and r.address = $4
       on conflict (token_id, trader_id) do update set amount = holder.amount + excluded.amount, seq = excluded.seq`,
      [side === 'buy' ? tokens : -tokens, stored.seq, current().world.mint, wallet.address],
    );
  }

  async function aFollow(settings: object = {}): Promise<{ follow: WalletFollow; wallet: Trader; owner: Trader }> {
    count += 1;
    const [wallet, owner] = await current().world.traders(2, 6n * SOL);
    const follow = await followWallet(
      current().deps,
      owner!.userId,
      {
        address: wallet!.address,
        name: `Whale ${count}`,
        amount: lamports(2n * SOL),
        settings: { size: { kind: 'share', share: '50' }, ...settings } as never,
      },
      `key ${count}`,
    );
    return { follow, wallet: wallet!, owner: owner! };
  }

  const pass = () => new WalletFollowLoop(current().deps).pass();

  /** Of a trade that was looked at long ago. */
  const copyOf = (follow: WalletFollow): WalletCopyRow => ({
    followId: follow.id,
    seq: 1n,
    mint: current().world.mint,
    side: 'buy',
    lamports: 1n,
    tokens: 1n,
    signature: '',
    tradedAt: new Date(0),
    heldBefore: null,
    isFirstBuy: false,
    slot: null,
    state: 'planned',
    reason: null,
    orderId: randomUUID(),
    amountIn: null,
    runUpLamports: 0n,
    costLamports: 0n,
    waitUntil: null,
    seenAt: new Date(0),
  });
  const receiptsOf = async (owner: Trader, id: string) =>
    (await loadReceipts(current().deps, owner.userId, { id, cursor: undefined })).lists;

  async function tokensIn(bookId: string): Promise<bigint> {
    const rows = await current().world.database.query<{ amount: bigint }>(
      `select amount from balance where book_id = $1 and asset = $2 and account = 'cash'`,
      [bookId, current().world.mint],
    );
    return rows[0]?.amount ?? 0n;
  }

  return { stored, walletTrades, storeTrade, aFollow, pass, copyOf, receiptsOf, tokensIn };
}

/** The minutes of all trades, as far as they say where in its trades a token was. */
export async function storeMinutes(database: Database): Promise<void> {
  await database.write(
    `insert into candle_1m (token_id, start, o, h, l, c, v, v_usd, buys, sells, first_seq, last_seq)
     select token_id, date_trunc('minute', at), 1, 1, 1, 1, 1, 1, 1, 0, min(seq), max(seq) from trade group by 1, 2
     on conflict (token_id, start) do update set first_seq = excluded.first_seq, last_seq = excluded.last_seq`,
  );
}
