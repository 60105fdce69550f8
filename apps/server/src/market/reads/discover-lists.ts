import { filterOf } from '@hunter/contract/calls/discover';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { compareFigures, passesFilter, rankIn } from '@hunter/domain/market/discover';
import type { Clock } from '../../platform/clock.ts';
import { JsonText } from '../../platform/json-text.ts';
import type { TokenDirectory } from '../token-directory.ts';
import { topOf } from '../top-of.ts';
import { discoverRow, printDiscovered, type DiscoverRow } from './discovered.ts';
import type { RiskOf } from './hot-token.ts';
import type { BoardRow, KnownPeriod, TokenBoard } from './token-board.ts';

type Request = CallParsedRequest<'getTokenDiscover'>;
type Reply = CallReply<'getTokenDiscover'>;
/** A row of the answer, by what it stands there. */
type Ranked = { found: DiscoverRow; rank: number };

/** An answer is used again while nothing changed, but not for longer: ages go on. */
const ANSWER_AGE_MAX_MS = 1_000;
/** Whoever filters chooses the key, so there is an end to them. */
const ANSWERS_MAX = 500;

/** The lists of the market page, worked out from the board's rows in memory. */
export class DiscoverLists {
  readonly #board: TokenBoard;
  readonly #tokens: TokenDirectory;
  readonly #riskOf: RiskOf;
  readonly #clock: Clock;
  readonly #answers = new Map<string, JsonText<Reply>>();
  readonly #texts = new WeakMap<BoardRow, Map<string, string>>();
  #answersOf = { version: -1, atMs: 0 };

  constructor(deps: { board: TokenBoard; tokens: TokenDirectory; riskOf: RiskOf; clock: Clock }) {
    this.#board = deps.board;
    this.#tokens = deps.tokens;
    this.#riskOf = deps.riskOf;
    this.#clock = deps.clock;
  }

  /** `watched` are the mints of the caller's watchlist, where that is asked for. */
  list(request: Request, watched: readonly string[] | null): JsonText<Reply> {
    const nowMs = this.#clock.nowMs();
    const version = this.#board.version();
    const { version: of, atMs } = this.#answersOf;
    if (of !== version || nowMs - atMs > ANSWER_AGE_MAX_MS || this.#answers.size >= ANSWERS_MAX) {
      this.#answers.clear();
      this.#answersOf = { version, atMs: nowMs };
    }
    if (watched !== null) return this.#answer(request, new Set(watched), nowMs);
    const key = keyOf(request);
    let answer = this.#answers.get(key);
    if (!answer) this.#answers.set(key, (answer = this.#answer(request, null, nowMs)));
    return answer;
  }

  #answer(request: Request, watched: ReadonlySet<string> | null, nowMs: number): JsonText<Reply> {
    const { period, sortBy, order, limit } = request;
    const known = this.#board.known(period);
    const { found, marketTokens } = this.#found(request, known, watched, nowMs);
    const rows = topOf(found, limit, (a, b) => {
      const sorted =
        sortBy === undefined
          ? b.rank - a.rank
          : compareFigures(a.found.figures[sortBy], b.found.figures[sortBy], order);
      return sorted || a.found.row.id - b.found.row.id;
    });
    const texts = rows.map((ranked) => this.#textOf(ranked.found, known));
    return new JsonText(
      `{"lists":[${texts.join(',')}],"total":${found.length},"marketTokens":${marketTokens},"time":${nowMs}}`,
    );
  }

  #found(request: Request, known: KnownPeriod, watched: ReadonlySet<string> | null, nowMs: number) {
    const filter = filterOf(request);
    const found: Ranked[] = [];
    let marketTokens = 0;
    for (const row of this.#board.rows()) {
      if (row.traded) marketTokens += 1;
      if (watched === null ? !row.traded : !watched.has(row.mint)) continue;
      const one = discoverRow(row, known, this.#creatorTokensOf(row), nowMs);
      const rank =
        request.list === 'watchlist'
          ? row.score
          : rankIn(request.list, {
              figures: one.figures,
              score: row.score,
              createdAtMs: row.createdAt.getTime(),
              stage: one.stage,
              graduatedAtMs: row.graduatedAt?.getTime() ?? null,
            });
      if (rank === null || !passesFilter(one.figures, `${row.symbol} ${row.name}`, filter)) continue;
      found.push({ found: one, rank });
    }
    return { found, marketTokens };
  }

  #creatorTokensOf({ creator }: BoardRow): number | null {
    return creator === null ? null : this.#tokens.ofCreator(creator).size - 1;
  }

  /** Encoded once per change of the row, and of what is not in it: what of the period and of wallets' ages is known, and what else its creator launched. */
  #textOf(found: DiscoverRow, known: KnownPeriod): string {
    const key = `${known.key} ${found.kinds.freshWallets === null} ${found.figures.creatorTokens}`;
    let texts = this.#texts.get(found.row);
    if (!texts) this.#texts.set(found.row, (texts = new Map()));
    let text = texts.get(key);
    if (text === undefined) texts.set(key, (text = JSON.stringify(printDiscovered(found, known, this.#riskOf))));
    return text;
  }
}

function keyOf(request: Request): string {
  return JSON.stringify(request, (_name, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}
