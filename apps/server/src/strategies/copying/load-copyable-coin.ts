import type { CopyableCoin } from '@hunter/domain/copying/copyable-coin';
import { spotPrice, type Pool } from '@hunter/domain/market/swap-maths';
import type { Address } from '@hunter/solana/address';
import { loadAddressesAround } from '../../ledger/wallets.ts';
import type { Sql } from '../../platform/postgres.ts';
import { loadLinkedAddresses } from '../../treasury/wallet-links.ts';
import type { Strategies } from '../strategies.ts';
import type { CoinOfCreator } from './why-not-copied.ts';

/** A coin as the followers of a strategy see it: its reference price leaves out what the strategy's own people traded. */
export async function loadCopyableCoin(
  deps: Pick<Strategies, 'coinFacts' | 'referenceToBuy'>,
  { linked }: LinkedWallets,
  mint: Address,
  pool: Pool | undefined,
): Promise<CopyableCoin> {
  const [facts, reference] = await Promise.all([deps.coinFacts(mint), deps.referenceToBuy(mint, linked)]);
  return { ...facts, reference, ...inPool(pool) };
}

/** Likewise with what wallets near the creator paid for it on chain within the hour and have not sold again. */
export async function loadCoinOfCreator(
  deps: Pick<Strategies, 'coinFacts' | 'referenceToBuy' | 'boughtLately'>,
  linking: Promise<LinkedWallets>,
  mint: Address,
  loadingPool: Promise<Pool | undefined>,
): Promise<CoinOfCreator> {
  const [facts, reference, nearbyLamports, pool] = await Promise.all([
    deps.coinFacts(mint),
    linking.then(({ linked }) => deps.referenceToBuy(mint, linked)),
    linking.then(({ nearby }) => deps.boughtLately(mint, nearby)),
    loadingPool,
  ]);
  return { coin: { ...facts, reference, ...inPool(pool) }, nearbyLamports };
}

export function inPool(pool: Pool | undefined): Pick<CopyableCoin, 'poolLamports' | 'spot'> {
  return { poolLamports: pool?.solReserve ?? null, spot: pool === undefined ? null : spotPrice(pool) };
}

/** The wallets around a strategy. */
export type LinkedWallets = {
  /** Whose trades do not make the reference: the creator's, his strategies', those one transfer away, and the followers'. */
  linked: ReadonlySet<string>;
  /** The creator's own and those one transfer away from it. */
  nearby: ReadonlySet<string>;
};

export type StrategyPeople = {
  readonly walletId: string;
  readonly bookId: string;
  readonly creatorId: string;
  readonly userIds: string[];
};

/** The creator and everybody who follows, with the wallet that they trade in. */
export async function loadPeople(sql: Sql, strategyId: string): Promise<StrategyPeople> {
  const rows = await sql.query<{ userId: string; walletId: string | null; bookId: string }>(
    `select user_id as "userId", wallet_id as "walletId", book_id as "bookId" from strategy where id = $1
     union all select user_id, null, book_id from follow where strategy_id = $1 and status <> 'closed'`,
    [strategyId],
  );
  const creator = rows.find(({ walletId }) => walletId !== null)!;
  const { walletId, bookId, userId: creatorId } = creator;
  return { walletId: walletId!, bookId, creatorId, userIds: rows.map(({ userId }) => userId) };
}

/**
 * For a purchase. The owner of a wallet that the strategy copies could lift the price for its followers by his own trades, so they can
 * lower the reference and never raise it. Stop losses and records know nothing of him: a creator chooses whom he copies, and must not
 * choose whose trades count.
 */
export async function loadWalletsToBuy(
  { database, copiedWallets }: Pick<Strategies, 'database' | 'copiedWallets'>,
  people: StrategyPeople,
): Promise<LinkedWallets> {
  const [around, copied] = await Promise.all([
    loadWalletsAround(database, people),
    copiedWallets(database, people.bookId),
  ]);
  return { ...around, linked: new Set([...around.linked, ...copied]) };
}

export async function loadLinkedWallets(sql: Sql, strategyId: string): Promise<LinkedWallets> {
  return loadWalletsAround(sql, await loadPeople(sql, strategyId));
}

async function loadWalletsAround(sql: Sql, { creatorId, userIds }: StrategyPeople): Promise<LinkedWallets> {
  const { personal, strategies } = await loadAddressesAround(sql, creatorId, userIds);
  const own = personal.filter(({ userId }) => userId === creatorId).map(({ address }) => address);
  const nearby = new Set([...own, ...(await loadLinkedAddresses(sql, own))]);
  for (const address of strategies) nearby.delete(address);
  return { linked: new Set([...personal.map(({ address }) => address), ...strategies, ...nearby]), nearby };
}
