import { AppError } from '@hunter/contract/app-error';
import { printSol, type Lamports } from '@hunter/domain/lamports';
import { planRebalance } from '@hunter/domain/rebalance-plan';
import { divCeil } from '@hunter/domain/rounding';
import { readStrategyName, strategyNameKey, type StrategyName } from '@hunter/domain/strategy-name';
import { readWeights } from '@hunter/domain/weights';
import { isAddress, type Address } from '@hunter/solana/address';
import { openBook, loadPersonalBook } from '../ledger/books.ts';
import { moveSol } from '../ledger/transfers.ts';
import { violates, type Sql } from '../platform/postgres.ts';
import type { Order } from '../trading/order.ts';
import { requestOrderId } from '../trading/request-order-id.ts';
import {
  CAPITAL_MIN_LAMPORTS,
  NETWORK_FEE_LAMPORTS,
  OPENING_SLIPPAGE_BPS,
  REBALANCE_DUST_LAMPORTS,
  RENT_LAMPORTS,
  SELL_RESERVE_LAMPORTS,
} from './costs.ts';
import { startPerformance } from './performance/start-performance.ts';
import { markStrategies } from './performance/mark-strategies.ts';
import { slugCandidate } from './slug.ts';
import type { Strategies } from './strategies.ts';
import { loadStrategyById, type PlannedBuy, type Strategy } from './strategy-store.ts';

export type TargetCoin = { tokenContractAddress: string; weight: string };

export type NewStrategy = {
  name: string;
  description: string;
  capital: Lamports;
  coins: readonly TargetCoin[];
  duration?: { days: number; hours: number; minutes: number } | undefined;
  autoClear: boolean;
};

const SLUG_TRIES = 6;

/** `requestKey` names the request: the same again gives the first strategy. */
export async function createStrategy(
  parts: Strategies,
  userId: string,
  request: NewStrategy,
  requestKey: string,
): Promise<{ strategy: Strategy; orders: Order[] }> {
  const { database, clock } = parts;
  const id = requestOrderId('strategy', userId, requestKey);
  if (request.capital < CAPITAL_MIN_LAMPORTS) {
    throw new AppError('AMOUNT_TOO_SMALL', { minimum: `${printSol(CAPITAL_MIN_LAMPORTS)} SOL` });
  }
  const named = readStrategyName(request.name);
  if (named === null) throw new AppError('INVALID_INPUT', { field: 'name', reason: 'format' });
  const plan = await planFirstBuys(parts, request.capital, request.coins);
  const now = new Date(clock.nowMs());
  try {
    await database.transaction(async (sql) => {
      const known = await sql.query(`select 1 from strategy where id = $1`, [id]);
      if (known.length > 0) return;
      const personal = await loadPersonalBook(sql, userId);
      const { walletId } = personal;
      const book = await openBook(sql, { userId, walletId, kind: 'strategy', name: named.name });
      await insertStrategy(sql, { id, userId, bookId: book.id, named, request, plan, now });
      await moveSol(sql, personal, book, request.capital, `strategy-capital:${id}`);
      await startPerformance(sql, id, request.capital, now);
    });
  } catch (error) {
    if (violates(error, 'strategy_name_once')) throw new AppError('NAME_TAKEN', undefined, { cause: error });
    throw error;
  }
  parts.balanceChanged(userId);
  const created = await loadStrategyById(database, id);
  await publishStrategy(parts, created);
  const orders = await parts.engine.waitFor(publishOrderIds(created), 0);
  return { strategy: await loadStrategyById(database, id), orders };
}

/** Gives running strategies of earlier versions their key. Where two look alike, the older one keeps the name to itself. */
export async function fillNameKeys(deps: Pick<Strategies, 'database'>): Promise<void> {
  const rows = await deps.database.query<{ id: string; name: string }>(
    `select id, name from strategy where name_key is null and status <> 'ended' order by published_at, id`,
  );
  for (const { id, name } of rows) {
    const key = strategyNameKey(name);
    const taken = await deps.database.query(`select 1 from strategy where name_key = $1 and status <> 'ended'`, [key]);
    await deps.database.query(`update strategy set name_key = $2 where id = $1 and name_key is null`, [
      id,
      taken.length === 0 ? key : `${key} ${id}`,
    ]);
  }
}

/** Checks target weights and tokens; what is wrong with them is said by name. */
export async function readTargets(
  parts: Strategies,
  coins: readonly TargetCoin[],
): Promise<{ mint: Address; weight: bigint }[]> {
  const reading = readWeights(
    coins.map(({ tokenContractAddress, weight }) => ({ mint: tokenContractAddress, weight })),
  );
  if (!reading.ok) {
    if (reading.problem === 'sum-over-100') throw new AppError('WEIGHTS_EXCEED');
    const reason = reading.problem === 'not-a-weight' ? 'format' : 'range';
    throw new AppError('INVALID_INPUT', { field: 'coins', reason });
  }
  const known = await parts.tokens.load(reading.targets.map(({ mint }) => mint));
  return reading.targets.map(({ mint, weight }) => {
    if (!known.has(mint) || !isAddress(mint)) throw new AppError('TOKEN_UNKNOWN');
    return { mint, weight };
  });
}

export async function planFirstBuys(
  parts: Strategies,
  capital: Lamports,
  coins: readonly TargetCoin[],
): Promise<PlannedBuy[]> {
  const targets = await readTargets(parts, coins);
  const { buys } = planRebalance({
    freeLamports: capital,
    positions: [],
    targets,
    dustLamports: REBALANCE_DUST_LAMPORTS,
    feeLamports: NETWORK_FEE_LAMPORTS,
    rentLamports: RENT_LAMPORTS,
    reserveLamports: SELL_RESERVE_LAMPORTS,
  });
  if (buys.length < targets.length) {
    // The lightest coin decides how much capital is enough.
    const least = targets.reduce((low, { weight }) => (weight < low ? weight : low), targets[0]!.weight);
    const minimum = divCeil(REBALANCE_DUST_LAMPORTS * 100_000_000n * 12n, least * 10n);
    throw new AppError('AMOUNT_TOO_SMALL', { minimum: `${printSol(minimum)} SOL` });
  }
  return buys.map(({ mint, spendLamports }) => ({ mint, lamports: spendLamports.toString() }));
}

/** Buys the planned coins and opens the strategy. Taken up again after a crash, it finds the orders it placed. */
export function publishStrategy(parts: Strategies, strategy: Strategy): Promise<void> {
  return parts.work.run(`publish ${strategy.id}`, () => publish(parts, strategy));
}

function publishOrderIds(strategy: Strategy): string[] {
  return strategy.plan.map(({ mint }) => requestOrderId('publish', strategy.id, mint));
}

async function publish(parts: Strategies, strategy: Strategy): Promise<void> {
  if (strategy.status !== 'publishing') return;
  const ids = publishOrderIds(strategy);
  await parts.engine.placeMany(
    strategy.plan.map(({ mint, lamports: amount }, index) => ({
      id: ids[index]!,
      userId: strategy.userId,
      bookId: strategy.bookId,
      side: 'buy' as const,
      mint,
      amountIn: BigInt(amount),
      slippageBps: OPENING_SLIPPAGE_BPS,
      kind: 'open-strategy' as const,
      fit: true,
    })),
  );
  await parts.database.query(`update strategy set status = 'running' where id = $1 and status = 'publishing'`, [
    strategy.id,
  ]);
  await markStrategies(parts, [strategy.id]);
}

async function insertStrategy(
  sql: Sql,
  row: {
    id: string;
    userId: string;
    bookId: string;
    named: StrategyName;
    request: NewStrategy;
    plan: PlannedBuy[];
    now: Date;
  },
): Promise<void> {
  const { named, request, now } = row;
  const minutes = durationMinutes(request.duration);
  const endsAt = minutes === null ? null : new Date(now.getTime() + minutes * 60_000);
  for (let attempt = 0; attempt < SLUG_TRIES; attempt += 1) {
    const rows = await sql.query(
      `insert into strategy (id, user_id, book_id, slug, name, description, status, auto_clear, capital_lamports,
         duration_minutes, plan, published_at, ends_at, name_key)
       values ($1, $2, $3, $4, $5, $6, 'publishing', $7, $8, $9, $10, $11, $12, $13)
       on conflict on constraint strategy_slug_once do nothing returning 1`,
      [
        row.id,
        row.userId,
        row.bookId,
        slugCandidate(named.name, row.id, attempt),
        named.name,
        request.description,
        request.autoClear,
        request.capital,
        minutes,
        JSON.stringify(row.plan),
        now,
        endsAt,
        named.key,
      ],
    );
    if (rows.length > 0) return;
  }
  throw new Error('no free slug was found');
}

function durationMinutes(duration: NewStrategy['duration']): number | null {
  if (!duration) return null;
  const minutes = duration.days * 1440 + duration.hours * 60 + duration.minutes;
  return minutes > 0 ? minutes : null;
}
