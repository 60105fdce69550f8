import { PROVEN_REALIZED_LAMPORTS_MIN, PROVEN_TRIPS_MIN } from '@hunter/domain/market/notice';
import type { Clock } from '../../platform/clock.ts';
import type { Sql } from '../../platform/postgres.ts';
import { firstDayOf, SUMS, TOKENS_TRADED, type FiguresRow, type TraderPeriod } from './trader-figures.ts';

export type TraderOrder = 'profit' | 'winRate' | 'volume';
export type TraderRow = FiguresRow & { address: string };
type Board = { atMs: number; orders: Record<TraderOrder, TraderRow[]> };

const FRESH_MS = 60_000;
const LISTED_MAX = 100;
/** One lucky trade is no win rate, nor are crumbs that one trades with oneself. */
const isRated = ({ closed, realized }: TraderRow): boolean =>
  closed >= PROVEN_TRIPS_MIN && realized >= PROVEN_REALIZED_LAMPORTS_MIN;

/**
 * The best traders of each period. A list adds up every wallet that traded in the period, so it is computed when somebody
 * asks for it and kept for a minute; whoever asks meanwhile waits for the same answer.
 */
export class TraderBoard {
  readonly #sql: Sql;
  readonly #clock: Clock;
  readonly #boards = new Map<TraderPeriod, { atMs: number; board: Promise<Board> }>();

  constructor(sql: Sql, clock: Clock) {
    this.#sql = sql;
    this.#clock = clock;
  }

  async list(period: TraderPeriod, order: TraderOrder, limit: number): Promise<{ atMs: number; rows: TraderRow[] }> {
    const { atMs, orders } = await this.#board(period);
    return { atMs, rows: orders[order].slice(0, limit) };
  }

  #board(period: TraderPeriod): Promise<Board> {
    const nowMs = this.#clock.nowMs();
    const kept = this.#boards.get(period);
    if (kept && nowMs - kept.atMs < FRESH_MS) return kept.board;
    const board = this.#load(period, nowMs);
    this.#boards.set(period, { atMs: nowMs, board });
    // A failed read is not kept, nor an empty one, as of a market that has just begun: the next who asks tries again.
    const forget = () => this.#boards.delete(period);
    board.then(({ orders }) => orders.volume.length === 0 && forget(), forget);
    return board;
  }

  async #load(period: TraderPeriod, nowMs: number): Promise<Board> {
    const rows = await this.#sql.query<TraderRow & { byProfit: number; byWinRate: number; byVolume: number }>(
      `with sums as materialized (
         select d.trader_id as "traderId", ${SUMS} from trader_day d where d.day >= $1::date group by d.trader_id
       ), ranked as (
         select *, row_number() over (order by realized desc, "traderId")::int as "byProfit",
           row_number() over (order by (closed >= $3 and realized >= $4) desc, won::float8 / nullif(closed, 0) desc nulls last,
                                       closed desc, realized desc, "traderId")::int as "byWinRate",
           row_number() over (order by volume desc, "traderId")::int as "byVolume"
         from sums
       )
       select f.*, r.address, ${TOKENS_TRADED} from ranked f join trader r on r.id = f."traderId"
       where f."byProfit" <= $2 or f."byWinRate" <= $2 or f."byVolume" <= $2`,
      [firstDayOf(period, nowMs), LISTED_MAX, PROVEN_TRIPS_MIN, PROVEN_REALIZED_LAMPORTS_MIN],
    );
    const by = (place: 'byProfit' | 'byWinRate' | 'byVolume') =>
      rows.filter((row) => row[place] <= LISTED_MAX).sort((a, b) => a[place] - b[place]);
    return {
      atMs: nowMs,
      orders: {
        profit: by('byProfit').filter(({ realized }) => realized > 0n),
        winRate: by('byWinRate').filter(isRated),
        volume: by('byVolume'),
      },
    };
  }
}
