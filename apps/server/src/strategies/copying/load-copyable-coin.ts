import type { CopyableCoin } from '@hunter/domain/copyable-coin';
import { spotPrice, type Pool } from '@hunter/domain/swap-maths';
import { loadWalletAddresses } from '../../ledger/wallets.ts';
import type { Sql } from '../../platform/postgres.ts';
import { loadLinkedAddresses } from '../../treasury/wallet-links.ts';
import type { Strategies } from '../strategies.ts';

/** A coin as the followers of a strategy see it: its reference price leaves out what the strategy's own people traded. */
export async function loadCopyableCoin(
  deps: Pick<Strategies, 'database' | 'coinFacts'>,
  strategyId: string,
  mint: string,
  pool: Pool | undefined,
): Promise<CopyableCoin> {
  const facts = await deps.coinFacts(mint, await loadLinkedWallets(deps.database, strategyId));
  return { ...facts, poolLamports: pool?.solReserve ?? null, spot: pool === undefined ? null : spotPrice(pool) };
}

/** The wallets whose trades are the strategy's: the creator's, those one transfer away from it, and its followers'. */
async function loadLinkedWallets(sql: Sql, strategyId: string): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ userId: string; isCreator: boolean }>(
    `select user_id as "userId", true as "isCreator" from strategy where id = $1
     union all select user_id, false from follow where strategy_id = $1 and status <> 'closed'`,
    [strategyId],
  );
  const addresses = await loadWalletAddresses(
    sql,
    rows.map(({ userId }) => userId),
  );
  const creator = rows.find(({ isCreator }) => isCreator);
  const own = addresses.filter(({ userId }) => userId === creator?.userId).map(({ address }) => address);
  return new Set([...addresses.map(({ address }) => address), ...(await loadLinkedAddresses(sql, own))]);
}
