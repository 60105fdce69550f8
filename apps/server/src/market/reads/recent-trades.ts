import type { CallReply } from '@hunter/contract/calls';
import { JsonText } from '../../platform/json-text.ts';
import type { Sql } from '../../platform/postgres.ts';
import type { StoredTrade } from '../stored-trade.ts';
import type { TokenDirectory, TokenRow } from '../token-directory.ts';
import { FollowedValues } from './followed-values.ts';
import { loadTokenTrades, printTrade } from './token-trades.ts';

type Reply = CallReply<'getTokenTransactionData'>;

/** A first page; whoever asks for more reads the store. */
export const RECENT_MAX = 100;
/** About 30 kB each. */
const TOKENS_MAX = 1_000;

/** The newest trades of one token, newest first, encoded. */
class Tape {
  readonly #rows: { seq: bigint; text: string }[];
  readonly #answers = new Map<number, JsonText<Reply>>();

  constructor(rows: Reply['lists']) {
    this.#rows = rows.map((row) => ({ seq: BigInt(row.id), text: JSON.stringify(row) }));
  }

  /** Oldest first. False where one is not newer than the newest: it may be here already, or belong further back. */
  add(trades: readonly StoredTrade[], decimals: number): boolean {
    this.#answers.clear();
    for (const trade of trades) {
      if (trade.seq <= (this.#rows[0]?.seq ?? -1n)) return false;
      const row = printTrade({ ...trade, at: new Date(trade.atMs) }, decimals);
      this.#rows.unshift({ seq: trade.seq, text: JSON.stringify(row) });
    }
    if (this.#rows.length > RECENT_MAX) this.#rows.length = RECENT_MAX;
    return true;
  }

  page(limit: number): JsonText<Reply> {
    let answer = this.#answers.get(limit);
    if (!answer) {
      const rows = this.#rows.slice(0, limit);
      const next = rows.length === limit ? `"${rows.at(-1)!.seq}"` : 'null';
      answer = new JsonText(`{"lists":[${rows.map(({ text }) => text).join(',')}],"nextCursor":${next}}`);
      this.#answers.set(limit, answer);
    }
    return answer;
  }
}

/** The first page of the trades of the tokens people look at; it follows the trades as they are stored. */
export class RecentTrades {
  readonly #tapes: FollowedValues<{ token: TokenRow; tape: Tape }, StoredTrade>;

  constructor(sql: Sql, tokens: TokenDirectory) {
    this.#tapes = new FollowedValues({
      max: TOKENS_MAX,
      load: async (tokenId) => {
        const token = tokens.byId(tokenId)!;
        return { token, tape: new Tape((await loadTokenTrades(sql, token, { limit: RECENT_MAX })).lists) };
      },
      follow: ({ token, tape }, trades) => tape.add(trades, token.decimals),
    });
  }

  /** `limit` is at most `RECENT_MAX`. */
  async page(token: TokenRow, limit: number): Promise<JsonText<Reply>> {
    return (await this.#tapes.get(token.id)).tape.page(limit);
  }

  forgetAll(): void {
    this.#tapes.forgetAll();
  }

  tell(tokenId: number, trades: readonly StoredTrade[]): void {
    this.#tapes.tell(tokenId, trades);
  }
}
