import { freshSinceMs, isLaunchSlotBuy, isSniperBuy, SNIPER_WINDOW_MS } from '@hunter/domain/market/holder-kind';
import { PROVEN_REALIZED_LAMPORTS_MIN, PROVEN_TRIPS_MIN, REAL_BUY_LAMPORTS_MIN } from '@hunter/domain/market/notice';
import type { Clock } from '../platform/clock.ts';
import { columnsOf } from '../platform/columns-of.ts';
import type { Log } from '../platform/log.ts';
import { Loop } from '../platform/loop.ts';
import type { Database, Sql } from '../platform/postgres.ts';

const ROUND_MS = 3_000;
/** Of the time, at most one part in this many goes into it, however large the market. */
const REST_FACTOR = 4;
const TOKENS_PER_ROUND = 200;

type Deps = { database: Database; clock: Clock; onRolled: (tokenIds: readonly number[]) => Promise<void> };

/**
 * Keeps who holds each token: the ten largest, the creator, snipers, buyers of the launch slot, insiders, fresh wallets and proven
 * traders. Tokens whose holders changed are rolled up again, a few seconds later at most while there are few of them.
 */
export class HolderMix {
  readonly loop: Loop;
  readonly #deps: Deps;
  readonly #changed = new Set<number>();

  constructor(deps: Deps & { log: Log }) {
    const { clock, log } = deps;
    const pace = { everyMs: ROUND_MS, firstAfterMs: ROUND_MS, restFactor: REST_FACTOR };
    this.#deps = deps;
    this.loop = new Loop({ name: 'roll-up of holders', work: () => this.#roll(), ...pace, clock, log });
  }

  changed(tokenIds: Iterable<number>): void {
    for (const id of tokenIds) this.#changed.add(id);
  }

  /** The longest waiting first. */
  async #roll(): Promise<void> {
    const ids = [...this.#changed].slice(0, TOKENS_PER_ROUND);
    if (ids.length === 0) return;
    for (const id of ids) this.#changed.delete(id);
    try {
      await rollHolders(this.#deps.database, ids, this.#deps.clock.nowMs());
    } catch (error) {
      this.changed(ids);
      throw error;
    }
    await this.#deps.onRolled(ids);
  }
}

/** The launch window has few trades, but one who asks for "all until then" may find a flood. */
const EARLY_TRADES_MAX = 2_000;

type EarlyTrade = {
  tokenId: number;
  traderId: number;
  isBuy: boolean;
  slot: bigint;
  atMs: number;
  launchedAtMs: number;
};
type EarlyBuyer = { tokenId: number; traderId: number; inLaunchSlot: boolean };

/** The definitions are those of `domain/holder-kind` and `domain/notice`. */
export async function rollHolders(sql: Sql, tokenIds: readonly number[], nowMs: number): Promise<void> {
  const early = await loadEarlyBuyers(sql, tokenIds);
  await sql.write(
    `with early as (
       select * from unnest($2::int[], $3::int[], $4::bool[]) as e (token_id, trader_id, in_launch_slot)
     ), held as (
       select h.token_id, h.amount, h.trader_id, r.first_at > $5 as is_fresh, r.address,
         coalesce(s.round_trips >= $6 and s.wins * 2 > s.round_trips and s.realized_lamports >= $7
           and h.cost_lamports >= $8, false) as is_proven,
         row_number() over (partition by h.token_id order by h.amount desc) as place
       from holder h join trader r on r.id = h.trader_id left join trader_stats s on s.trader_id = h.trader_id
       join token t on t.id = h.token_id
       where h.token_id = any($1) and h.amount > 0
         -- A pool that was read as a holder before it was known to be one.
         and r.address is distinct from t.pool
     ), mix as (
       select h.token_id, sum(h.amount) filter (where h.place <= 10) as top_ten,
         sum(h.amount) filter (where h.address = t.creator) as creator,
         sum(h.amount) filter (where e.trader_id is not null) as sniped,
         sum(h.amount) filter (where e.in_launch_slot) as bundled,
         sum(h.amount) filter (where i.trader_id is not null) as inside,
         sum(h.amount) filter (where h.is_fresh) as fresh, count(*) filter (where h.is_fresh) as fresh_wallets,
         count(*) filter (where h.is_proven) as proven
       from held h join token t on t.id = h.token_id
       left join early e on e.token_id = h.token_id and e.trader_id = h.trader_id
       left join insider i on i.token_id = h.token_id and i.trader_id = h.trader_id
       group by h.token_id
     ), counted as (
       select t.id as token_id, t.creator is not null as has_creator, t.holders_read_at is not null as is_read,
         t.transfers_read_at is not null as is_followed,
         (select count(*) from early e where e.token_id = t.id) as snipers,
         (select count(*) from early e where e.token_id = t.id and e.in_launch_slot) as bundlers,
         (select count(*) from insider i where i.token_id = t.id) as insiders
       from token t where t.id = any($1)
     )
     update token_stats s set
       top_ten_units = case when c.is_read then coalesce(m.top_ten, 0) end,
       creator_units = case when c.is_read and c.has_creator then coalesce(m.creator, 0) end,
       sniper_wallets = c.snipers, sniper_units = coalesce(m.sniped, 0),
       launch_slot_wallets = c.bundlers, launch_slot_units = coalesce(m.bundled, 0),
       insider_wallets = case when c.is_followed then c.insiders end,
       insider_units = case when c.is_followed then coalesce(m.inside, 0) end,
       fresh_wallets = coalesce(m.fresh_wallets, 0), fresh_units = coalesce(m.fresh, 0),
       proven_traders = coalesce(m.proven, 0)
     from counted c left join mix m using (token_id) where s.token_id = c.token_id`,
    [
      tokenIds,
      ...columnsOf(early, 'tokenId', 'traderId', 'inLaunchSlot'),
      new Date(freshSinceMs(nowMs)),
      PROVEN_TRIPS_MIN,
      PROVEN_REALIZED_LAMPORTS_MIN,
      REAL_BUY_LAMPORTS_MIN,
    ],
  );
}

/** Each sniper once, and whether he bought in the launch slot. */
async function loadEarlyBuyers(sql: Sql, tokenIds: readonly number[]): Promise<EarlyBuyer[]> {
  const trades = await sql.query<EarlyTrade>(
    `select t.id as "tokenId", x.trader_id as "traderId", x.is_buy as "isBuy", x.seq >> 16 as slot,
            (extract(epoch from x.at) * 1000)::float8 as "atMs", (extract(epoch from t.created_at) * 1000)::float8 as "launchedAtMs"
     from token t cross join lateral (
       select trader_id, seq, at, is_buy from trade where token_id = t.id order by seq limit ${EARLY_TRADES_MAX}) x
     where t.id = any($1) and x.at <= t.created_at + $2::int * interval '1 millisecond' order by t.id, x.seq`,
    [tokenIds, SNIPER_WINDOW_MS],
  );
  const buyers = new Map<string, EarlyBuyer>();
  for (const [tokenId, own] of Map.groupBy(trades, (trade) => trade.tokenId)) {
    const { slot: firstSlot, atMs: firstAtMs } = own[0]!;
    for (const { traderId, isBuy, slot, atMs, launchedAtMs } of own) {
      if (!isBuy || !isSniperBuy({ atMs, launchedAtMs })) continue;
      const key = `${tokenId} ${traderId}`;
      const inLaunchSlot = isLaunchSlotBuy({ slot, firstSlot, firstAtMs, launchedAtMs });
      buyers.set(key, { tokenId, traderId, inLaunchSlot: inLaunchSlot || buyers.get(key)?.inLaunchSlot === true });
    }
  }
  return [...buyers.values()];
}
