import type { CallReply } from '@hunter/contract/calls';
import { isRepeatedNotice, NOTICE_TRIGGERS, type NoticeTrigger } from '@hunter/domain/market/notice';
import { hitRate, isProvenTrigger, type NoticeGrade } from '@hunter/domain/market/notice-grade';
import { printRatio } from '@hunter/domain/numbers/decimal';
import { printPercentOf } from '@hunter/domain/numbers/decimal';
import type { Address } from '@hunter/solana/address';
import { loadSubscribers } from '../../alerts/alert-store.ts';
import { raiseAlerts } from '../../alerts/raise-alerts.ts';
import type { Clock } from '../../platform/clock.ts';
import { readIdCursor } from '../../platform/id-cursor.ts';
import type { LiveBus } from '../../platform/live-bus.ts';
import type { Database, Sql } from '../../platform/postgres.ts';
import { logoUrlOf, printMicroUsd, printPrice } from '../reads/token-views.ts';

type HitRates = CallReply<'getTokenGoldenDogNotice'>['hitRates'];
const HIT_RATES_FRESH_MS = 60_000;

type NoticeRow = {
  id: bigint;
  mint: Address;
  symbol: string;
  trigger: NoticeTrigger;
  at: Date;
  priceAt: bigint;
  capAt: bigint;
  peak: bigint;
  now: bigint;
  detail: string;
  grade1h: NoticeGrade | null;
  grade24h: NoticeGrade | null;
};

const COLUMNS = `n.id, t.mint, t.symbol, n.trigger, n.at, n.price_usd as "priceAt", n.market_cap_usd as "capAt",
  greatest(n.peak_usd, s.price_usd) as peak, s.price_usd as now, n.detail, n.grade_1h as "grade1h", n.grade_24h as "grade24h"`;
const FROM = `from notice n join token t on t.id = n.token_id join token_stats s on s.token_id = n.token_id`;

/** Raises notices once per token and trigger in a while, and reads them back with the record of each trigger. */
export class NoticeStore {
  readonly #database: Database;
  readonly #bus: LiveBus;
  readonly #clock: Clock;
  /** They count all notices there ever were, and change about once a minute. */
  #hitRates: { atMs: number; rates: Promise<HitRates> } | null = null;

  constructor(database: Database, bus: LiveBus, clock: Clock) {
    this.#database = database;
    this.#bus = bus;
    this.#clock = clock;
  }

  /** False where the same was said a short while ago. */
  async raise(mint: Address, trigger: NoticeTrigger, detail: string): Promise<boolean> {
    const nowMs = this.#clock.nowMs();
    const row = await this.#database.transaction(async (sql) => {
      // Serialises notices of one token, so that two workers cannot both find no earlier one.
      await sql.query(`select pg_advisory_xact_lock(hashtextextended('notice ' || $1, 0))`, [mint]);
      const last = await sql.query<{ at: Date }>(
        `select n.at from notice n join token t on t.id = n.token_id where t.mint = $1 and n.trigger = $2 order by n.at desc limit 1`,
        [mint, trigger],
      );
      if (isRepeatedNotice(last[0]?.at.getTime() ?? null, nowMs)) return null;
      const added = await sql.write<{ id: bigint }>(
        `insert into notice (token_id, trigger, at, price_usd, market_cap_usd, peak_usd, detail)
         select t.id, $2, $3, s.price_usd, s.market_cap_usd, s.price_usd, $4
         from token t join token_stats s on s.token_id = t.id where t.mint = $1 and s.price_usd > 0 returning id`,
        [mint, trigger, new Date(nowMs), detail],
      );
      if (!added[0]) return null;
      const rows = await sql.query<NoticeRow>(`select ${COLUMNS} ${FROM} where n.id = $1`, [added[0].id]);
      if (rows[0]) await tellSubscribers(sql, rows[0]);
      return rows[0] ?? null;
    });
    if (!row) return false;
    this.#bus.publish('notices', 'all', printNotice(row));
    return true;
  }

  async list(request: {
    tokenContractAddress?: string | undefined;
    cursor?: string | undefined;
    limit: number;
  }): Promise<CallReply<'getTokenGoldenDogNotice'>> {
    const before = readIdCursor(request.cursor);
    const [rows, hitRates] = await Promise.all([
      this.#database.query<NoticeRow>(
        `select ${COLUMNS} ${FROM} where ($1::text is null or t.mint = $1) and ($2::bigint is null
                or (n.at, n.id) < (select last.at, last.id from notice last where last.id = $2))
         order by n.at desc, n.id desc limit $3`,
        [request.tokenContractAddress ?? null, before, request.limit],
      ),
      this.#loadHitRates(),
    ]);
    return {
      lists: rows.map(printNotice),
      nextCursor: rows.length === request.limit ? String(rows.at(-1)!.id) : null,
      hitRates,
    };
  }

  #loadHitRates(): Promise<HitRates> {
    const nowMs = this.#clock.nowMs();
    if (this.#hitRates !== null && nowMs - this.#hitRates.atMs < HIT_RATES_FRESH_MS) return this.#hitRates.rates;
    const rates = loadHitRates(this.#database);
    this.#hitRates = { atMs: nowMs, rates };
    // A failed read is not kept.
    rates.catch(() => (this.#hitRates = null));
    return rates;
  }
}

/** Those who asked for golden dogs as alerts hear of triggers with a proven hit rate only. */
async function tellSubscribers(sql: Sql, { id, trigger, mint, symbol, detail }: NoticeRow): Promise<void> {
  const userIds = await loadSubscribers(sql, 'golden-dog');
  if (userIds.length === 0) return;
  const grades = await sql.query<{ grade: NoticeGrade }>(
    `select coalesce(grade_24h, grade_1h) as grade from notice where trigger = $1 and grade_1h is not null
     order by id desc limit 1000`,
    [trigger],
  );
  if (!isProvenTrigger(hitRate(grades.map(({ grade }) => grade)))) return;
  const body = { kind: 'golden-dog', tokenContractAddress: mint, tokenSymbol: symbol, trigger, detail } as const;
  await raiseAlerts(
    sql,
    userIds.map((userId) => ({ userId, reference: id.toString(), body })),
  );
}

async function loadHitRates(sql: Sql): Promise<HitRates> {
  const rows = await sql.query<{ trigger: NoticeTrigger; grade: NoticeGrade; count: bigint }>(
    `select trigger, coalesce(grade_24h, grade_1h) as grade, count(*) as count
     from notice where grade_1h is not null group by 1, 2`,
  );
  return NOTICE_TRIGGERS.map((trigger) => {
    const grades = rows
      .filter((row) => row.trigger === trigger)
      .flatMap((row) => Array.from({ length: Number(row.count) }, () => row.grade));
    const { graded, hits, byGrade } = hitRate(grades);
    return {
      trigger,
      graded,
      gold: byGrade.gold,
      silver: byGrade.silver,
      bronze: byGrade.bronze,
      dead: byGrade.dead,
      hitRate: graded === 0 ? null : printPercentOf(BigInt(hits), BigInt(graded), 2, 'nearest'),
    };
  });
}

function printNotice(row: NoticeRow): CallReply<'getTokenGoldenDogNotice'>['lists'][number] {
  return {
    id: String(row.id),
    tokenContractAddress: row.mint,
    tokenSymbol: row.symbol,
    tokenLogoUrl: logoUrlOf(row.mint),
    trigger: row.trigger,
    time: row.at.getTime(),
    priceAtAlert: printPrice(row.priceAt),
    marketCapAtAlert: printMicroUsd(row.capAt),
    multipleNow: printRatio(row.now, row.priceAt, 2, 'floor'),
    multiplePeak: printRatio(row.peak, row.priceAt, 2, 'floor'),
    grade1h: row.grade1h,
    grade24h: row.grade24h,
    detail: row.detail,
  };
}
