import { randomUUID } from 'node:crypto';
import { AppError } from '@hunter/contract/app-error';
import { lamports, printSol, type Lamports } from '@hunter/domain/numbers/lamports';
import { planRebalance } from '@hunter/domain/copying/rebalance-plan';
import { divCeil } from '@hunter/domain/numbers/rounding';
import { readStrategyName, strategyNameKey, type StrategyName } from '@hunter/domain/names/strategy-name';
import { readWeights } from '@hunter/domain/copying/weights';
import type { Address } from '@hunter/solana/address';
import { signerRefusal } from '../accounts/signer-wallet-keys.ts';
import { loadCash, spendableLamports } from '../ledger/balances.ts';
import { closeBook, loadPersonalBook, openBook } from '../ledger/books.ts';
import { SOL } from '../ledger/journal.ts';
import { insertWallet } from '../ledger/wallets.ts';
import { violates, type Sql } from '../platform/postgres.ts';
import type { Order } from '../trading/order.ts';
import { refusal } from '../trading/order-engine.ts';
import { loadOrders } from '../trading/order-store.ts';
import { placeTransfer } from '../treasury/transfers/place-transfer.ts';
import { TRANSFER_FEE_LAMPORTS } from '../treasury/transfers/transfer-costs.ts';
import { placeStrategyRound } from './copying/place-strategy-round.ts';
import { requestOrderId } from '../trading/request-order-id.ts';
import {
  CAPITAL_MIN_LAMPORTS,
  FLOAT_LAMPORTS,
  NETWORK_FEE_LAMPORTS,
  OPENING_SLIPPAGE_BPS,
  REBALANCE_DUST_LAMPORTS,
} from './costs.ts';
import { startPerformance } from './performance/start-performance.ts';
import { markStrategies } from './performance/mark-strategies.ts';
import { openOnce } from './open-once.ts';
import { slugCandidate } from './slug.ts';
import type { Strategies } from './strategies.ts';
import { loadStrategyById, type PlannedBuy, type Strategy } from './strategy-store.ts';

export type TargetCoin = { tokenContractAddress: Address; weight: string };

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
  deps: Strategies,
  userId: string,
  request: NewStrategy,
  requestKey: string,
): Promise<{ strategy: Strategy; orders: Order[] }> {
  const { database } = deps;
  const id = requestOrderId('strategy', userId, requestKey);
  await openOnce(
    async () => (await database.query(`select 1 from strategy where id = $1`, [id])).length > 0,
    async () => {
      const named = readStrategyName(request.name);
      if (named === null) throw new AppError('INVALID_INPUT', { field: 'name', reason: 'format' });
      const plan = await planFirstBuys(deps, request.capital, request.coins);
      await openStrategy(deps, { id, userId, named, request, plan });
    },
  );
  deps.balanceChanged(userId);
  const created = await loadStrategyById(database, id);
  await publishStrategy(deps, created);
  const orders = await loadOrders(database, publishOrderIds(created));
  return { strategy: await loadStrategyById(database, id), orders };
}

/** The strategy with a wallet of its own; its capital is on its way there when this is committed. */
async function openStrategy(
  deps: Strategies,
  strategy: Pick<StrategyRow, 'id' | 'userId' | 'named' | 'request' | 'plan'>,
): Promise<void> {
  const { id, userId, named, request } = strategy;
  await refuseEarly(deps.database, strategy);
  const now = new Date(deps.clock.nowMs());
  const walletId = randomUUID();
  const { address, sealedKey } = await deps.createWallet({ userId, walletId }).catch((error: unknown) => {
    throw signerRefusal(error);
  });
  try {
    await deps.database.transaction(async (sql) => {
      await insertWallet(sql, { id: walletId, userId, kind: 'strategy', address, sealedKey });
      const book = await openBook(sql, { userId, walletId, kind: 'strategy', name: named.name });
      await insertStrategy(sql, { ...strategy, bookId: book.id, walletId, now });
      const personal = await loadPersonalBook(sql, userId);
      const leg = { fromBookId: personal.id, toBookId: book.id, asset: SOL, amount: request.capital };
      await placeTransfer(sql, { id: capitalId(id), kind: 'commit', legs: [leg] }, now);
      await startPerformance(sql, id, request.capital, now);
    });
  } catch (error) {
    if (violates(error, 'strategy_name_once')) throw new AppError('NAME_TAKEN', undefined, { cause: error });
    throw error;
  }
}

/**
 * Throws NAME_TAKEN and INSUFFICIENT_BALANCE. The transaction has the last word; this keeps whoever is refused, which costs him
 * nothing, from having wallets made, each of which the signer remembers for good.
 */
async function refuseEarly(
  sql: Sql,
  { userId, named, request }: Pick<StrategyRow, 'userId' | 'named' | 'request'>,
): Promise<void> {
  // Who was followed and has ended could otherwise be impersonated to those who look for him again.
  const taken = await sql.query(
    `select 1 from strategy where name_key = $1 and status <> 'ended'
     union all
     select 1 from strategy s where name_key = $1 and status = 'ended' and user_id <> $2
       and exists (select from follow where strategy_id = s.id)`,
    [named.key, userId],
  );
  if (taken.length > 0) throw new AppError('NAME_TAKEN');
  const { id } = await loadPersonalBook(sql, userId);
  const free = spendableLamports(await loadCash(sql, id, SOL), 'personal');
  if (request.capital + TRANSFER_FEE_LAMPORTS > free) throw new AppError('INSUFFICIENT_BALANCE');
}

/** The transfer that brings the capital. */
function capitalId(strategyId: string): string {
  return requestOrderId('capital', strategyId);
}

/** Gives running strategies of earlier versions their key. Where two look alike, the older one keeps the name to itself. */
export async function fillNameKeys(deps: Pick<Strategies, 'database'>): Promise<void> {
  const rows = await deps.database.query<{ id: string; name: string }>(
    `select id, name from strategy where name_key is null and status <> 'ended' order by published_at, id`,
  );
  for (const { id, name } of rows) {
    const key = strategyNameKey(name);
    const taken = await deps.database.query(`select 1 from strategy where name_key = $1 and status <> 'ended'`, [key]);
    await deps.database.write(`update strategy set name_key = $2 where id = $1 and name_key is null`, [
      id,
      taken.length === 0 ? key : `${key} ${id}`,
    ]);
  }
}

/** Checks target weights and tokens; what is wrong with them is said by name. */
export async function readTargets(
  deps: Strategies,
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
  const known = await deps.tokens.load(reading.targets.map(({ mint }) => mint));
  return reading.targets.map(({ mint, weight }) => {
    if (!known.has(mint)) throw new AppError('TOKEN_UNKNOWN');
    return { mint, weight };
  });
}

export async function planFirstBuys(
  deps: Strategies,
  capital: Lamports,
  coins: readonly TargetCoin[],
): Promise<PlannedBuy[]> {
  if (capital < CAPITAL_MIN_LAMPORTS) {
    throw new AppError('AMOUNT_TOO_SMALL', { minimum: `${printSol(CAPITAL_MIN_LAMPORTS)} SOL` });
  }
  const targets = await readTargets(deps, coins);
  const { buys } = planRebalance({
    freeLamports: lamports(capital - FLOAT_LAMPORTS),
    positions: [],
    targets,
    dustLamports: REBALANCE_DUST_LAMPORTS,
    feeLamports: NETWORK_FEE_LAMPORTS,
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
export function publishStrategy(deps: Strategies, strategy: Strategy): Promise<void> {
  return deps.work.run(`publish ${strategy.id}`, () => publish(deps, strategy));
}

function publishOrderIds(strategy: Strategy): string[] {
  return strategy.plan.map(({ mint }) => requestOrderId('publish', strategy.id, mint));
}

async function publish(deps: Strategies, strategy: Strategy): Promise<void> {
  if (strategy.status !== 'publishing') return;
  const { database } = deps;
  const commit = await deps.transfers.run(capitalId(strategy.id));
  if (commit.state === 'held' || commit.state === 'sent') return;
  if (commit.state === 'failed' || commit.state === 'dead') {
    await endUnfunded(deps, strategy);
    throw refusal(commit.error ?? 'TRADE_FAILED');
  }
  await database.write(
    `update strategy_event set signature = $2 where strategy_id = $1 and reference = 'capital' and signature is null`,
    [strategy.id, commit.signature],
  );
  const ids = publishOrderIds(strategy);
  for (const [index, { mint, lamports: amount }] of strategy.plan.entries()) {
    const buy = {
      strategyId: strategy.id,
      id: ids[index]!,
      side: 'buy',
      mint,
      kind: 'open-strategy',
      fit: true,
    } as const;
    try {
      await placeStrategyRound(deps, { ...buy, amountIn: lamports(BigInt(amount)), slippageBps: OPENING_SLIPPAGE_BPS });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // The coin before is still being bought: taken up again later, as after a crash.
      if (error.errorName === 'TRADE_UNDER_WAY') return;
      // A coin that cannot be bought now is no reason to keep the strategy closed.
      deps.log.warn(
        { strategy: strategy.slug, mint, error: error.errorName },
        'a first purchase was refused; going on',
      );
    }
  }
  await database.write(`update strategy set status = 'running' where id = $1 and status = 'publishing'`, [strategy.id]);
  await markStrategies(deps, [strategy.id]);
}

/** The capital never left the personal wallet: the strategy ends as if it had not begun. */
async function endUnfunded(deps: Strategies, { id, bookId, userId }: Strategy): Promise<void> {
  const now = new Date(deps.clock.nowMs());
  await deps.database.transaction(async (sql) => {
    await sql.write(`update strategy set status = 'ended', ended_at = $2 where id = $1 and status = 'publishing'`, [
      id,
      now,
    ]);
    await closeBook(sql, bookId, now);
  });
  deps.balanceChanged(userId);
}

type StrategyRow = {
  id: string;
  userId: string;
  bookId: string;
  walletId: string;
  named: StrategyName;
  request: NewStrategy;
  plan: readonly PlannedBuy[];
  now: Date;
};

async function insertStrategy(sql: Sql, row: StrategyRow): Promise<void> {
  const { named, request, now } = row;
  const minutes = durationMinutes(request.duration);
  const endsAt = minutes === null ? null : new Date(now.getTime() + minutes * 60_000);
  for (let attempt = 0; attempt < SLUG_TRIES; attempt += 1) {
    const rows = await sql.write(
      `insert into strategy (id, user_id, book_id, slug, name, description, status, auto_clear, capital_lamports,
         duration_minutes, plan, published_at, ends_at, name_key, wallet_id)
       values ($1, $2, $3, $4, $5, $6, 'publishing', $7, $8, $9, $10, $11, $12, $13, $14)
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
        row.walletId,
      ],
    );
    if (rows.length > 0) return;
  }
  throw new Error('no free slug was found');
}

function durationMinutes(duration: NewStrategy['duration']): number | null {
  if (!duration) return null;
  return duration.days * 1440 + duration.hours * 60 + duration.minutes;
}
