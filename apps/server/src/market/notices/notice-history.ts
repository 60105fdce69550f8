import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { Loop } from '../../platform/loop.ts';
import type { Database } from '../../platform/postgres.ts';
import { numberArray, textArray, timeArray } from '../array-text.ts';
import type { TokenDirectory } from '../token-directory.ts';
import { NoticeReplay, type PastNotice, type PastTrade } from './replay-notices.ts';

const SOURCE = 'notices of the past';
const TRADES_MAX = 200_000;
/** Trades looked at before others get their turn. */
const SLICE = 500;
const POLL_MS = 1_000;
const PRICE_TO_MICRO_DECIMALS = 12;

/**
 * Gives the notices a past: once, after the source has caught up for the first time, the trades of the past are replayed
 * through the rules and what they would have raised is stored with its true time, to be graded like any other.
 */
export class NoticeHistory {
  readonly #database: Database;
  readonly #tokens: TokenDirectory;
  readonly #clock: Clock;
  readonly #isCaughtUp: () => boolean;
  readonly #onStored: () => Promise<void>;
  readonly #loop: Loop<boolean>;
  /** What happens after the start is the live watch's to see. */
  #untilMs = 0;

  constructor(deps: {
    database: Database;
    tokens: TokenDirectory;
    clock: Clock;
    log: Log;
    isCaughtUp: () => boolean;
    /** Grades what was stored. */
    onStored: () => Promise<void>;
  }) {
    this.#database = deps.database;
    this.#tokens = deps.tokens;
    this.#clock = deps.clock;
    this.#isCaughtUp = deps.isCaughtUp;
    this.#onStored = deps.onStored;
    this.#loop = new Loop({
      name: 'replay of past notices',
      work: async (stopping) => {
        if (!this.#isCaughtUp()) return false;
        await this.replay(this.#untilMs, stopping);
        return true;
      },
      everyMs: (isDone) => (isDone ? null : POLL_MS),
      firstAfterMs: POLL_MS,
      clock: deps.clock,
      log: deps.log,
    });
  }

  start(): void {
    this.#untilMs = this.#clock.nowMs();
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Answers how many were stored; none the second time. */
  async replay(untilMs: number, stopping?: AbortSignal): Promise<number> {
    const done = await this.#database.query(`select 1 from market_cursor where source = $1`, [SOURCE]);
    if (done.length > 0) return 0;
    const trades = await this.#database.query<Omit<PastTrade, 'atMs'> & { at: Date }>(
      `select token_id as "tokenId", trader_id as "traderId", seq, at, is_buy as "isBuy", lamports,
              base_units as "baseUnits", price_usd as "priceUsd"
       from (select * from trade where at <= $1 order by seq desc limit $2) newest order by seq`,
      [new Date(untilMs), TRADES_MAX],
    );
    const replay = new NoticeReplay();
    const found: PastNotice[] = [];
    for (const [index, { at, ...trade }] of trades.entries()) {
      found.push(...replay.next({ ...trade, atMs: at.getTime() }));
      if (index % SLICE === SLICE - 1) await new Promise((resolve) => setImmediate(resolve));
      if (stopping?.aborted) return 0;
    }
    const stored = await this.#save(found);
    await this.#onStored();
    return stored;
  }

  async #save(notices: readonly PastNotice[]): Promise<number> {
    return this.#database.transaction(async (sql) => {
      const rows = await sql.write(
        `insert into notice (token_id, trigger, at, price_usd, market_cap_usd, peak_usd, detail)
         select n.token_id, n.trigger, n.at, n.price, n.cap, n.price, n.detail
         from unnest($1::int[], $2::text[], $3::timestamptz[], $4::numeric[], $5::numeric[], $6::text[])
              as n (token_id, trigger, at, price, cap, detail)
         where n.price > 0 and not exists (
           select 1 from notice old where old.token_id = n.token_id and old.trigger = n.trigger
             and old.at between n.at - interval '30 minutes' and n.at + interval '30 minutes')
         order by n.at returning id`,
        [
          numberArray(notices, (notice) => notice.tokenId),
          textArray(notices, (notice) => notice.trigger),
          timeArray(notices, (notice) => notice.atMs),
          numberArray(notices, (notice) => notice.priceUsd),
          numberArray(notices, (notice) => this.#marketCapOf(notice)),
          textArray(notices, (notice) => notice.detail),
        ],
      );
      await sql.write(`insert into market_cursor (source, cursor) values ($1, $2) on conflict (source) do nothing`, [
        SOURCE,
        JSON.stringify({ at: this.#clock.nowMs() }),
      ]);
      return rows.length;
    });
  }

  #marketCapOf({ tokenId, priceUsd }: PastNotice): bigint {
    const token = this.#tokens.byId(tokenId);
    return token ? (priceUsd * token.supply) / 10n ** BigInt(token.decimals + PRICE_TO_MICRO_DECIMALS) : 0n;
  }
}
