import type { CopyableCoin } from '@hunter/domain/copyable-coin';
import { spotPrice, type Pool } from '@hunter/domain/swap-maths';
import { loadStrategyAddresses, loadWalletAddresses } from '../../ledger/wallets.ts';
import type { Sql } from '../../platform/postgres.ts';
import { loadLinkedAddresses } from '../../treasury/wallet-links.ts';
import type { Strategies } from '../strategies.ts';
import type { CoinOfCreator } from './why-not-copied.ts';

/** A coin as the followers of a strategy see it: its reference price leaves out what the strategy's own people traded. */
export async function loadCopyableCoin(
  deps: Pick<Strategies, 'database' | 'coinFacts'>,
  strategyId: string,
  mint: string,
  pool: Pool | undefined,
): Promise<CopyableCoin> {
  const { linked } = await loadLinkedWallets(deps.database, strategyId);
  const facts = await deps.coinFacts(mint, linked);
  return { ...facts, ...inPool(pool) };
}

/** Likewise with what wallets near the creator paid for it on chain within the hour and have not sold again. */
export async function loadCoinOfCreator(
  deps: Pick<Strategies, 'database' | 'coinFacts' | 'boughtLately'>,
  strategyId: string,
  mint: string,
  loadingPool: Promise<Pool | undefined>,
): Promise<CoinOfCreator> {
  const { linked, nearby } = await loadLinkedWallets(deps.database, strategyId);
  const [facts, nearbyLamports, pool] = await Promise.all([
    deps.coinFacts(mint, linked),
    deps.boughtLately(mint, nearby),
    loadingPool,
  ]);
  return { coin: { ...facts, ...inPool(pool) }, nearbyLamports };
}

function inPool(pool: Pool | undefined): Pick<CopyableCoin, 'poolLamports' | 'spot'> {
  return { poolLamports: pool?.solReserve ?? null, spot: pool === undefined ? null : spotPrice(pool) };
}

type LinkedWallets = {
  /** Whose trades do not make the reference: the creator's, his strategies', those one transfer away, and the followers'. */
  linked: ReadonlySet<string>;
  /** The creator's own and those one transfer away from it. */
  nearby: ReadonlySet<string>;
};

async function loadLinkedWallets(sql: Sql, strategyId: string): Promise<LinkedWallets> {
  const rows = await sql.query<{ userId: string; isCreator: boolean }>(
    `select user_id as "userId", true as "isCreator" from strategy where id = $1
     union all select user_id, false from follow where strategy_id = $1 and status <> 'closed'`,
    [strategyId],
  );
  const addresses = await loadWalletAddresses(
    sql,
    rows.map(({ userId }) => userId),
  );
  const creator = rows.find(({ isCreator }) => isCreator)!;
  const own = addresses.filter(({ userId }) => userId === creator.userId).map(({ address }) => address);
  const strategies = await loadStrategyAddresses(sql, creator.userId);
  const nearby = new Set([...own, ...(await loadLinkedAddresses(sql, own))]);
  for (const address of strategies) nearby.delete(address);
  return { linked: new Set([...addresses.map(({ address }) => address), ...strategies, ...nearby]), nearby };
}
