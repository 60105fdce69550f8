import { lamports } from '@hunter/domain/numbers/lamports';
import {
  decideBreakout,
  decideProvenWallets,
  decideVolumeSurge,
  isProvenWallet,
  PROVEN_REALIZED_LAMPORTS_MIN,
  PROVEN_TRIPS_MIN,
  REAL_BUY_LAMPORTS_MIN,
} from '@hunter/domain/market/notice';
import { gradeNotice } from '@hunter/domain/market/notice-grade';
import { price } from '@hunter/domain/numbers/price';
import type { Address } from '@hunter/solana/address';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { Loop } from '../../platform/loop.ts';
import type { Database } from '../../platform/postgres.ts';
import { firstSeqSince } from '../first-seq-since.ts';
import type { MarketStore } from '../market-store.ts';
import type { NoticeStore } from './notice-store.ts';

const TICK_MS = 5_000;
const GRADE_MS = 60_000;
const HOUR_MS = 3_600_000;
const HISTORY_DAYS = 2;
const GRADES = [
  ['grade_1h', HOUR_MS],
  ['grade_24h', 24 * HOUR_MS],
] as const;
const GRADES_PER_READ = 200;
/** Trades of the past that are read in after a start are no news. */
const FRESH_MS = 2 * 60_000;

/** Looks at the tokens that traded since the last tick and raises what the pure rules decide; grades old notices. */
export class NoticeWatch {
  readonly #database: Database;
  readonly #store: MarketStore;
  readonly #notices: NoticeStore;
  readonly #clock: Clock;
  readonly #loops: readonly Loop[];
  readonly #touched = new Set<number>();
  #stopListening: () => void = () => {};

  constructor(deps: { database: Database; store: MarketStore; notices: NoticeStore; clock: Clock; log: Log }) {
    this.#database = deps.database;
    this.#store = deps.store;
    this.#notices = deps.notices;
    this.#clock = deps.clock;
    const loop = (name: string, everyMs: number, work: () => Promise<void>) =>
      new Loop({ name, work, everyMs, firstAfterMs: everyMs, clock: deps.clock, log: deps.log });
    this.#loops = [
      loop('check for new notices', TICK_MS, () => this.checkTouched()),
      loop('grading of notices', GRADE_MS, () => this.gradeDue()),
    ];
  }

  start(): void {
    this.#stopListening = this.#store.onTrades((trades) => {
      const nowMs = this.#clock.nowMs();
      for (const trade of trades) {
        if (trade.isBuy && nowMs - trade.atMs < FRESH_MS) this.#touched.add(trade.tokenId);
      }
    });
    for (const loop of this.#loops) loop.start();
  }

  async stop(): Promise<void> {
    this.#stopListening();
    await Promise.all(this.#loops.map((loop) => loop.stop()));
  }

  async checkTouched(): Promise<void> {
    const tokenIds = [...this.#touched];
    for (const tokenId of tokenIds) {
      this.#touched.delete(tokenId);
      try {
        await this.#check(tokenId);
      } catch (error) {
        this.#touched.add(tokenId);
        throw error;
      }
    }
  }

  async #check(tokenId: number): Promise<void> {
    const token = this.#store.tokens.byId(tokenId);
    if (!token) return;
    await this.#checkProvenWallets(tokenId, token.mint);
    await this.#checkVolume(tokenId, token.mint);
    await this.#checkBreakout(tokenId, token.mint);
  }

  async #checkProvenWallets(tokenId: number, mint: Address): Promise<void> {
    const nowMs = this.#clock.nowMs();
    // Asked for by what they have to be: behind many purchases of others, or of dust, those of proven wallets would be left out.
    const rows = await this.#database.query<{
      wallet: string;
      at: Date;
      lamports: bigint;
      trips: number;
      wins: number;
      realized: bigint;
    }>(
      `select r.address as wallet, x.at, x.lamports, s.round_trips as trips, s.wins, s.realized_lamports as realized
       from trade x join trader_stats s on s.trader_id = x.trader_id join trader r on r.id = x.trader_id
       where x.token_id = $1 and x.seq >= ${firstSeqSince('$1', '$2')} and x.is_buy and x.at > $2 and x.lamports >= $3
         and s.round_trips >= $4 and s.realized_lamports >= $5
       order by x.seq desc limit 500`,
      [tokenId, new Date(nowMs - 10 * 60_000), REAL_BUY_LAMPORTS_MIN, PROVEN_TRIPS_MIN, PROVEN_REALIZED_LAMPORTS_MIN],
    );
    const buys = rows.map((row) => ({
      wallet: row.wallet,
      atMs: row.at.getTime(),
      lamports: row.lamports,
      proven: isProvenWallet({ closedTrips: row.trips, wonTrips: row.wins, realizedLamports: row.realized }),
    }));
    const decision = decideProvenWallets(buys, nowMs);
    if (decision) await this.#notices.raise(mint, 'proven-wallets', String(decision.wallets.length));
  }

  async #checkVolume(tokenId: number, mint: Address): Promise<void> {
    const nowMs = this.#clock.nowMs();
    const rows = await this.#database.query<{ five: bigint | null; hour: bigint | null; buyers: bigint }>(
      `select sum(lamports) filter (where at > $2) as five, sum(lamports) filter (where at <= $2) as hour,
              count(distinct trader_id) filter (where at > $2 and is_buy) as buyers
       from trade where token_id = $1 and seq >= ${firstSeqSince('$1', '$3')} and at > $3`,
      [tokenId, new Date(nowMs - 5 * 60_000), new Date(nowMs - 65 * 60_000)],
    );
    const row = rows[0]!;
    const decision = decideVolumeSurge({
      fiveMinuteLamports: lamports(row.five ?? 0n),
      hourBeforeLamports: lamports(row.hour ?? 0n),
      distinctBuyers: Number(row.buyers),
    });
    if (decision) await this.#notices.raise(mint, 'volume-surge', String(decision.factorBps / 10_000n));
  }

  async #checkBreakout(tokenId: number, mint: Address): Promise<void> {
    const nowMs = this.#clock.nowMs();
    const rows = await this.#database.query<{
      price: bigint;
      highest: bigint | null;
      holders: number;
      before: number | null;
    }>(
      `select s.price_usd as price, s.holders,
              (select max(h) from candle_1m where token_id = $1 and start > $2 and start <= $3) as highest,
              (select holders from holder_history where token_id = $1 and at <= $4 order by at desc limit 1) as before
       from token_stats s where s.token_id = $1`,
      [tokenId, new Date(nowMs - 4 * HOUR_MS), new Date(nowMs - 5 * 60_000), new Date(nowMs - HOUR_MS)],
    );
    const row = rows[0];
    if (!row) return;
    const decision = decideBreakout({
      price: price(row.price),
      highestBefore: price(row.highest ?? 0n),
      holdersNow: row.holders,
      holdersHourAgo: row.before ?? 0,
    });
    if (decision) await this.#notices.raise(mint, 'breakout', String(decision.newHolders));
  }

  /** Also keeps the peak of notices under watch and the number of holders over time. */
  async gradeDue(): Promise<void> {
    const nowMs = this.#clock.nowMs();
    await this.#database.write(
      `insert into holder_history (token_id, at, holders)
       select token_id, to_timestamp(floor(extract(epoch from $1::timestamptz) / 600) * 600), holders from token_stats
       where last_trade_at > $1::timestamptz - interval '1 hour' on conflict do nothing`,
      [new Date(nowMs)],
    );
    await this.#database.write(`delete from holder_history where at < $1`, [
      new Date(nowMs - HISTORY_DAYS * 24 * HOUR_MS),
    ]);
    await this.gradeAll();
    await this.#database.write(
      `update notice n set peak_usd = greatest(n.peak_usd, s.price_usd) from token_stats s
       where s.token_id = n.token_id and n.grade_24h is null and s.price_usd > n.peak_usd`,
    );
  }

  /** Gives every notice whose hour or day has passed its grade. */
  async gradeAll(): Promise<void> {
    for (const [column, horizonMs] of GRADES) {
      for (let graded = GRADES_PER_READ; graded === GRADES_PER_READ;) graded = await this.#grade(column, horizonMs);
    }
  }

  async #grade(column: string, horizonMs: number): Promise<number> {
    const rows = await this.#database.query<{ id: bigint; priceAt: bigint; peak: bigint; last: bigint }>(
      `select n.id, n.price_usd as "priceAt",
              greatest(n.price_usd, (select max(h) from candle_1m k where k.token_id = n.token_id
                                     and k.start >= n.at and k.start < n.at + make_interval(secs => $2))) as peak,
              coalesce((select c from candle_1m k where k.token_id = n.token_id and k.start < n.at + make_interval(secs => $2)
                        order by start desc limit 1), n.price_usd) as last
       from notice n where n.${column} is null and n.at <= $1::timestamptz - make_interval(secs => $2) limit $3`,
      [new Date(this.#clock.nowMs()), horizonMs / 1000, GRADES_PER_READ],
    );
    const grades = rows.map(({ priceAt, peak, last }) =>
      gradeNotice({ atAlert: price(priceAt), peak: price(peak), atHorizon: price(last) }),
    );
    await this.#database.write(
      `update notice n set ${column} = g.grade, peak_usd = greatest(n.peak_usd, g.peak)
       from unnest($1::bigint[], $2::text[], $3::numeric[]) as g (id, grade, peak) where n.id = g.id`,
      [rows.map((row) => row.id), grades, rows.map((row) => row.peak)],
    );
    return rows.length;
  }
}
