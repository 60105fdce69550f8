import { Coalescer } from '../../platform/coalescer.ts';
import type { FillsRecorded, FillsUndone, RentReturned } from '../../trading/order-events.ts';
import { markStrategies } from '../performance/mark-strategies.ts';
import type { Strategies } from '../strategies.ts';

const ROWS_MAX = 200;

/**
 * Hears from the outbox which books changed, and marks their strategies. Rows come many at a time, and each pass costs the same handful
 * of statements however many strategies it marks, so what is told together is marked together.
 */
export class BookChanges {
  readonly #deps: Strategies;
  readonly #marking: Coalescer<readonly string[], void>;

  constructor(deps: Strategies) {
    this.#deps = deps;
    this.#marking = new Coalescer((rows) => this.#mark(rows), { batchMax: ROWS_MAX, parallelMax: 1 });
  }

  /** Outbox `fill-recorded`: strategies whose books traded. At least once, in any order. */
  onFills({ fills }: FillsRecorded): Promise<void> {
    return this.#marking.submit(fills.map((fill) => fill.bookId));
  }

  /** Outbox `rent-returned`: free SOL that came without a trade is in the public record as soon as on the page. */
  onRentReturned({ bookIds }: RentReturned): Promise<void> {
    return this.#marking.submit(bookIds);
  }

  /** Outbox `fill-undone`: the public record shows nothing that the chain does not have. What took its place is recorded anew. */
  async onFillsUndone({ bookIds, signatures }: FillsUndone): Promise<void> {
    await this.#deps.database.write(
      `delete from strategy_event e using strategy s
       where s.id = e.strategy_id and s.book_id = any($1::uuid[]) and e.signature = any($2::text[]) and e.judged_at is null`,
      [bookIds, signatures],
    );
    await this.#marking.submit(bookIds);
  }

  async #mark(rows: readonly (readonly string[])[]): Promise<void[]> {
    const strategies = await this.#deps.database.query<{ id: string }>(
      `select id from strategy where book_id = any($1::uuid[]) and status <> 'ended'`,
      [[...new Set(rows.flat())]],
    );
    const ids = strategies.map(({ id }) => id);
    await markStrategies(this.#deps, ids);
    return rows.map(() => undefined);
  }
}
