import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { isCovered, isReadInto, windowCoverage } from '@hunter/domain/market/known-window';
import { compareFigures } from '@hunter/domain/market/discover';
import type { Clock } from '../../platform/clock.ts';
import { JsonText } from '../../platform/json-text.ts';
import type { Log } from '../../platform/log.ts';
import { Loop } from '../../platform/loop.ts';
import type { Sql } from '../../platform/postgres.ts';
import type { TokenSearch } from '../search/token-search.ts';
import { topOf } from '../top-of.ts';
import { hotToken, type RiskOf } from './hot-token.ts';
import { DISCOVERED_COLUMNS, type Discovered } from './discover-columns.ts';
import { TOKEN_COLUMNS, tokenListItem, type TokenViewRow } from './token-views.ts';

const REFRESH_MS = 1_000;
/** The longest hot list there is. */
const RANKED_MAX = 100;
/** Ids asked for at once. */
const READ_SIZE = 5_000;

type HotRequest = CallParsedRequest<'getTokenHotList'>;
type Period = HotRequest['period'];
/** Buys and sells. */
type Counts = { buys: number; sells: number };
/** What is known of a period before now. */
export type KnownPeriod = {
  period: Period;
  /** Of which tokens volume, buys and sells are. */
  hasSums: (row: BoardRow) => boolean;
  /** Where changes are, a token without one had no price at the beginning of the period. */
  hasChanges: boolean;
  /** Whether that of a day is known, which every list has beside those of its period. */
  hasDayChange: boolean;
  /** The same as long as the same is known. */
  key: string;
};
type Figures = {
  volumes: Record<Period, bigint>;
  changes: Record<Period, number | null>;
  counts: Record<Period, Counts>;
};
type StoredRow = TokenViewRow &
  Discovered & {
    id: number;
    traded: boolean;
    score: number;
    volume5m: bigint;
    volume1h: bigint;
    volume4h: bigint;
    volume24h: bigint;
    change5m: number | null;
    change4h: number | null;
    /** Buys and sells of 5 minutes, an hour, four hours and a day. */
    tradeCounts: number[];
  };
export type BoardRow = StoredRow & Figures & { listText: string | null; hotTexts: Map<string, string> };

/**
 * All tokens with their figures as the store has them, at most about a second old: whoever changes a row says so, and the
 * changed ones are read again every second. Lists are ranked here and joined from rows that are encoded once per change,
 * so that a list costs the same however many tokens there are.
 */
export class TokenBoard {
  readonly #sql: Sql;
  readonly #search: TokenSearch;
  readonly #riskOf: RiskOf;
  readonly #lagMs: () => number | null;
  readonly #clock: Clock;
  readonly #loop: Loop;
  readonly #rows = new Map<number, BoardRow>();
  readonly #changed = new Set<number>();
  /** What was worked out from the rows as they are now. */
  readonly #rankings = new Map<string, BoardRow[]>();
  readonly #answers = new Map<string, JsonText<CallReply<'getTokenHotList'>>>();
  #byScore: BoardRow[] | null = null;
  #version = 0;
  #recordedSinceMs: number | null = null;
  #refreshed: Promise<void> = Promise.resolve();

  constructor(deps: {
    sql: Sql;
    search: TokenSearch;
    riskOf: RiskOf;
    lagMs: () => number | null;
    clock: Clock;
    log: Log;
  }) {
    this.#sql = deps.sql;
    this.#search = deps.search;
    this.#riskOf = deps.riskOf;
    this.#lagMs = deps.lagMs;
    this.#clock = deps.clock;
    this.#loop = new Loop({
      name: 'refresh of the token list',
      work: () => this.refresh(),
      everyMs: REFRESH_MS,
      firstAfterMs: REFRESH_MS,
      restFactor: 1,
      clock: deps.clock,
      log: deps.log,
    });
  }

  async load(): Promise<void> {
    this.#keep(await this.#read('', []));
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Grows whenever a row changed. */
  version(): number {
    return this.#version;
  }

  rows(): Iterable<BoardRow> {
    return this.#rows.values();
  }

  changed(ids: Iterable<number>): void {
    for (const id of ids) this.#changed.add(id);
  }

  /** Reads again what changed. One after the other, so that an older reading never replaces a newer one. */
  refresh(): Promise<void> {
    const refreshed = this.#refreshed.then(() => this.#readChanged());
    this.#refreshed = refreshed.catch(() => {});
    return refreshed;
  }

  async #readChanged(): Promise<void> {
    const ids = [...this.#changed];
    this.#changed.clear();
    try {
      for (let from = 0; from < ids.length; from += READ_SIZE) {
        this.#keep(await this.#read('where t.id = any($1)', [ids.slice(from, from + READ_SIZE)]));
      }
    } catch (error) {
      this.changed(ids);
      throw error;
    }
  }

  hotList({ period, sortBy, limit }: HotRequest): JsonText<CallReply<'getTokenHotList'>> {
    const known = this.known(period);
    const key = `${known.key} ${sortBy} ${limit}`;
    let answer = this.#answers.get(key);
    if (!answer) {
      const rows = this.#ranked(sortBy, known).slice(0, limit);
      answer = new JsonText(`{"lists":[${rows.map((row) => this.#hotText(row, known)).join(',')}]}`);
      this.#answers.set(key, answer);
    }
    return answer;
  }

  /** By name, symbol or address; everything, the liveliest first, where nothing is asked for. */
  tokenList(request: CallParsedRequest<'getTokenList'>): JsonText<CallReply<'getTokenList'>> {
    const { pageNo, pageSize } = request;
    const keyword = request.keyword.replaceAll('\u0000', '');
    const offset = (pageNo - 1) * pageSize;
    const known = { hasDayChange: isReadInto('24h', this.#lagMs()) };
    if (keyword === '') return page(this.#scored().slice(offset, offset + pageSize), this.#rows.size, request, known);
    const { found, total } = this.#search.find(keyword, offset, pageSize);
    // A token that was saved within the last second is in the index and not yet on the board.
    const rows = found.flatMap((id) => this.#rows.get(id) ?? []);
    return page(rows, total, request, known);
  }

  #ranked(sortBy: HotRequest['sortBy'], known: KnownPeriod): BoardRow[] {
    const key = sortBy === 'volume' || sortBy === 'change' ? `${sortBy} ${known.key}` : sortBy;
    let rows = this.#rankings.get(key);
    if (!rows) {
      rows = topOf(tradedOf(this.#rows.values()), RANKED_MAX, ORDERS[sortBy](known));
      this.#rankings.set(key, rows);
    }
    return rows;
  }

  #scored(): BoardRow[] {
    this.#byScore ??= [...this.#rows.values()].sort(BY_SCORE);
    return this.#byScore;
  }

  known(period: Period): KnownPeriod {
    const [sinceMs, lagMs] = [this.#recordedSinceMs, this.#lagMs()];
    const coverage = windowCoverage(period, { sinceMs, lagMs }, this.#clock.nowMs());
    const hasChanges = isReadInto(period, lagMs);
    return {
      period,
      hasSums: (row) => isCovered(coverage, row.createdAt.getTime(), sinceMs),
      hasChanges,
      hasDayChange: isReadInto('24h', lagMs),
      key: `${period} ${coverage} ${hasChanges} ${isReadInto('1h', lagMs)} ${isReadInto('24h', lagMs)}`,
    };
  }

  #hotText(row: BoardRow, known: KnownPeriod): string {
    let text = row.hotTexts.get(known.key);
    if (text === undefined) {
      const volume = volumeOf(row, known);
      const change1h = isReadInto('1h', this.#lagMs()) ? row.change1h : null;
      const changes = { change1h, change24h: dayChangeOf(row, known), periodChange: changeOf(row, known) };
      text = JSON.stringify(hotToken({ ...row, ...changes, volume }, this.#riskOf));
      row.hotTexts.set(known.key, text);
    }
    return text;
  }

  #read(where: string, values: readonly unknown[]): Promise<StoredRow[]> {
    return this.#sql.query<StoredRow>(
      `select ${TOKEN_COLUMNS}, t.id, s.last_trade_at is not null as traded, s.score, s.volume_5m as "volume5m",
              s.volume_1h as "volume1h", s.volume_4h as "volume4h", s.volume_24h as "volume24h",
              s.change_5m as "change5m", s.change_4h as "change4h",
              array[s.buys_5m, s.sells_5m, s.buys_1h, s.sells_1h, s.buys_4h, s.sells_4h, s.buys_24h, s.sells_24h] as "tradeCounts",
              ${DISCOVERED_COLUMNS}
       from token t join token_stats s on s.token_id = t.id ${where}`,
      values,
    );
  }

  #keep(rows: readonly StoredRow[]): void {
    if (rows.length === 0) return;
    this.#recordedSinceMs = rows[0]!.recordedSinceMs;
    for (const row of rows) {
      this.#rows.set(row.id, {
        ...row,
        volumes: { '5m': row.volume5m, '1h': row.volume1h, '4h': row.volume4h, '24h': row.volume24h },
        changes: { '5m': row.change5m, '1h': row.change1h, '4h': row.change4h, '24h': row.change24h },
        counts: { '5m': countsAt(row, 0), '1h': countsAt(row, 2), '4h': countsAt(row, 4), '24h': countsAt(row, 6) },
        listText: null,
        hotTexts: new Map(),
      });
      this.#search.setLiquidity(row.id, Number(row.liquidity));
    }
    this.#rankings.clear();
    this.#answers.clear();
    this.#byScore = null;
    this.#version += 1;
  }
}

function countsAt({ tradeCounts }: StoredRow, place: number): Counts {
  return { buys: tradeCounts[place]!, sells: tradeCounts[place + 1]! };
}

/** Null is what is not known. */
export function volumeOf(row: BoardRow, { period, hasSums }: KnownPeriod): bigint | null {
  return hasSums(row) ? row.volumes[period] : null;
}

export function countsOf(row: BoardRow, { period, hasSums }: KnownPeriod): Counts | null {
  return hasSums(row) ? row.counts[period] : null;
}

export function changeOf(row: BoardRow, { period, hasChanges }: KnownPeriod): number | null {
  return hasChanges ? row.changes[period] : null;
}

export function dayChangeOf(row: BoardRow, { hasDayChange }: Pick<KnownPeriod, 'hasDayChange'>): number | null {
  return hasDayChange ? row.change24h : null;
}

type Order = (a: BoardRow, b: BoardRow) => number;

/** Among equals the lower id comes first, so that a list never changes without a reason. */
const BY_SCORE: Order = (a, b) => b.score - a.score || a.id - b.id;
const ORDERS: Record<HotRequest['sortBy'], (known: KnownPeriod) => Order> = {
  score: () => BY_SCORE,
  volume: (known) => (a, b) => compareFigures(volumeOf(a, known), volumeOf(b, known), 'desc') || a.id - b.id,
  change: (known) => (a, b) => descending(changeOf(a, known), changeOf(b, known)) || a.id - b.id,
  holders: () => (a, b) => b.holders - a.holders || a.id - b.id,
  newest: () => (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || a.id - b.id,
};

/** Unknown ones last. */
function descending(a: number | null, b: number | null): number {
  return (b ?? -Infinity) - (a ?? -Infinity);
}

function* tradedOf(rows: Iterable<BoardRow>): Generator<BoardRow> {
  for (const row of rows) if (row.traded) yield row;
}

function page(
  rows: readonly BoardRow[],
  total: number,
  { pageNo, pageSize }: { pageNo: number; pageSize: number },
  known: Pick<KnownPeriod, 'hasDayChange'>,
): JsonText<CallReply<'getTokenList'>> {
  const texts = rows.map((row) => {
    const change24h = dayChangeOf(row, known);
    if (change24h !== row.change24h) return JSON.stringify(tokenListItem({ ...row, change24h }));
    return (row.listText ??= JSON.stringify(tokenListItem(row)));
  });
  return new JsonText(`{"lists":[${texts.join(',')}],"total":${total},"pageNo":${pageNo},"pageSize":${pageSize}}`);
}
