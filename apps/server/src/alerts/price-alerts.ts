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
    if (count > PRICE_ALERTS_MAX) throw new AppError('INVALID_INPUT', { field: 'target', reason: 'range' });
    return view(row!);
  });
}

export async function deletePriceAlert(sql: Sql, userId: string, id: string): Promise<void> {
  const rows = await sql.write(`delete from price_alert where id = $1 and user_id = $2 returning 1`, [id, userId]);
  if (rows.length === 0) throw new AppError('NOT_FOUND');
}

export function isReached(direction: 'above' | 'below', target: bigint, price: bigint): boolean {
  return direction === 'above' ? price >= target : price <= target;
}

function exact(text: string): bigint {
  const reading = readDecimal(text, USD_DECIMALS);
  if (!reading.ok) throw new AppError('INVALID_INPUT', { field: 'target', reason: 'format' });
  return reading.raw;
}

/** Prices in USD as decimal text, by mint; a token that nobody prices is left out. */
export type PricesOf = (mints: readonly Address[]) => Promise<ReadonlyMap<string, string>>;

/** Looks at the prices of all tokens that somebody waits for, again and again. */
export function priceAlertLoop(deps: { database: Database; pricesOf: PricesOf; clock: Clock; log: Log }): Loop {
  const { database, pricesOf, ...rest } = deps;
  const work = () => checkPriceAlerts(database, pricesOf);
  return new Loop({ name: 'check of price alerts', work, everyMs: CHECK_MS, firstAfterMs: CHECK_MS, ...rest });
}

export async function checkPriceAlerts(database: Database, pricesOf: PricesOf): Promise<void> {
  const waiting = await database.query<Row>(`select ${COLUMNS} from price_alert`);
  if (waiting.length === 0) return;
  const prices = await pricesOf([...new Set(waiting.map(({ mint }) => mint))]);
  for (const row of waiting) {
    const price = prices.get(row.mint);
    if (price !== undefined && isReached(row.direction, row.target, exact(price))) await fire(database, row, price);
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
