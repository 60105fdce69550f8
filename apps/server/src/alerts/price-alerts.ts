import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { printDecimal, readDecimal } from '@hunter/domain/numbers/decimal';
import type { Address } from '@hunter/solana/address';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { Loop } from '../platform/loop.ts';
import type { Database, Sql } from '../platform/postgres.ts';
import { raiseAlerts } from './raise-alerts.ts';

export const PRICE_ALERTS_MAX = 100;
const USD_DECIMALS = 18;
const CHECK_MS = 2_000;
/** Tokens per check whose prices need not have moved. */
const IN_TURN = 50;

type PriceAlert = CallReply<'createPriceAlert'>;
type Row = {
  id: string;
  userId: string;
  mint: Address;
  symbol: string;
  direction: 'above' | 'below';
  target: bigint;
  createdAt: Date;
};

const COLUMNS = `id, user_id as "userId", mint, symbol, direction, target_usd as target, created_at as "createdAt"`;

function view(row: Row): PriceAlert {
  return {
    id: row.id,
    tokenContractAddress: row.mint,
    tokenSymbol: row.symbol,
    direction: row.direction,
    target: printDecimal(row.target, USD_DECIMALS),
    createdAt: row.createdAt.getTime(),
  };
}

export async function loadPriceAlerts(
  sql: Sql,
  userId: string,
  mint: Address | undefined,
): Promise<CallReply<'getMyPriceAlerts'>> {
  const rows = await sql.query<Row>(
    `select ${COLUMNS} from price_alert where user_id = $1 and ($2::text is null or mint = $2) order by created_at desc, id`,
    [userId, mint ?? null],
  );
  return { lists: rows.map(view) };
}

/** The same one again changes nothing, also where no other finds room. */
export async function createPriceAlert(
  database: Database,
  userId: string,
  { tokenContractAddress, direction, target }: CallParsedRequest<'createPriceAlert'>,
  symbol: string,
): Promise<PriceAlert> {
  return database.transaction(async (sql) => {
    // One user's requests count one after another, so that two at once do not both find room.
    await sql.query(`select pg_advisory_xact_lock(hashtextextended('price alerts ' || $1, 0))`, [userId]);
    const [row] = await sql.write<Row>(
      `insert into price_alert (user_id, mint, symbol, direction, target_usd) values ($1, $2, $3, $4, $5)
       on conflict on constraint price_alert_once do update set symbol = excluded.symbol returning ${COLUMNS}`,
      [userId, tokenContractAddress, symbol, direction, exact(target)],
    );
    const [{ count } = { count: 0 }] = await sql.query<{ count: number }>(
      `select count(*)::int from price_alert where user_id = $1`,
      [userId],
    );
    if (count > PRICE_ALERTS_MAX) throw new AppError('PRICE_ALERTS_FULL', { most: PRICE_ALERTS_MAX });
    return view(row!);
  });
}

export async function deletePriceAlert(sql: Sql, userId: string, id: string): Promise<void> {
  const rows = await sql.write(`delete from price_alert where id = $1 and user_id = $2 returning 1`, [id, userId]);
  if (rows.length === 0) throw new AppError('NOT_FOUND');
}

function exact(text: string): bigint {
  const reading = readDecimal(text, USD_DECIMALS);
  if (!reading.ok) throw new AppError('INVALID_INPUT', { field: 'target', reason: 'format' });
  return reading.raw;
}

/** Prices in USD as decimal text, by mint; a token that nobody prices is left out. */
export type PricesOf = (mints: readonly Address[]) => Promise<ReadonlyMap<string, string>>;

/**
 * Fires the alerts of tokens whose price has moved. A few tokens more are looked at in turn, for prices that moved while nobody told of
 * it.
 */
export class PriceAlerts {
  readonly #database: Database;
  readonly #pricesOf: PricesOf;
  readonly #log: Log;
  readonly #loop: Loop;
  readonly #moved = new Set<Address>();
  #lookedUntil = '';

  constructor({ database, pricesOf, clock, log }: { database: Database; pricesOf: PricesOf; clock: Clock; log: Log }) {
    this.#database = database;
    this.#pricesOf = pricesOf;
    this.#log = log;
    const often = { everyMs: CHECK_MS, firstAfterMs: CHECK_MS, clock, log };
    this.#loop = new Loop({ name: 'check of price alerts', work: () => this.pass(), ...often });
  }

  /** For every trade that is stored. */
  pricesMoved(mints: Iterable<Address>): void {
    for (const mint of mints) this.#moved.add(mint);
  }

  /** A new alert may be past its target already. */
  async look(mint: Address): Promise<void> {
    await this.#check([mint]).catch((error: unknown) =>
      this.#log.warn({ mint, err: error }, 'looking at a new price alert failed; it is looked at in turn'),
    );
  }

  async pass(): Promise<void> {
    const moved = [...this.#moved];
    this.#moved.clear();
    try {
      await this.#check([...new Set([...moved, ...(await this.#nextInTurn())])]);
    } catch (error) {
      this.pricesMoved(moved);
      throw error;
    }
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #nextInTurn(): Promise<Address[]> {
    const rows = await this.#database.query<{ mint: Address }>(
      `select distinct mint from price_alert where mint > $1 order by mint limit $2`,
      [this.#lookedUntil, IN_TURN],
    );
    this.#lookedUntil = rows.length < IN_TURN ? '' : rows.at(-1)!.mint;
    return rows.map(({ mint }) => mint);
  }

  async #check(mints: readonly Address[]): Promise<void> {
    if (mints.length === 0) return;
    const prices = [...(await this.#pricesOf(mints))];
    const reached = await this.#database.query<Row & { price: string }>(
      `select ${COLUMNS}, v.text as price
       from unnest($1::text[], $2::text[], $3::numeric[]) v (priced, text, price) join price_alert on mint = v.priced
       where case direction when 'above' then v.price >= target_usd else v.price <= target_usd end`,
      [prices.map(([mint]) => mint), prices.map(([, price]) => price), prices.map(([, price]) => exact(price))],
    );
    for (const { price, ...row } of reached) await fire(this.#database, row, price);
  }
}

/** The row goes with the alert that it makes, so that it tells once. */
async function fire(database: Database, row: Row, price: string): Promise<void> {
  const { id, userId, mint, symbol, direction, target } = row;
  await database.transaction(async (sql) => {
    const gone = await sql.write(`delete from price_alert where id = $1 returning 1`, [id]);
    if (gone.length === 0) return;
    const token = { tokenContractAddress: mint, tokenSymbol: symbol };
    const body = { kind: 'price', ...token, direction, target: printDecimal(target, USD_DECIMALS), price } as const;
    await raiseAlerts(sql, [{ userId, reference: id, body }]);
  });
}
