// Joining buys each coin in a round of its own, and all of them are told together once the follow has opened. What comes later is
// told by itself.

import { printSol } from '@hunter/domain/numbers/lamports';
import type { Address } from '@hunter/solana/address';
import type { NewAlert } from '../alerts/raise-alerts.ts';
import type { TokenFacts } from '../market/token-facts.ts';
import type { Sql } from '../platform/postgres.ts';
import { symbolOf } from '../strategies/reads/coin-refs.ts';

/**
 * Purchases of joining that are told: the first of a coin; a later one, of what a limit had left over, only where it is a tenth of
 * the follow: its receipts name them all.
 */
const TOLD = `filled_allocation a join trade_order o on o.id = a.order_id join follow f on f.id = a.follow_id
  where o.kind = 'join' and a.is_filled and f.status <> 'opening'
    and (a.filled_in * 10 >= f.amount_lamports or not exists (
      select 1 from filled_allocation e join trade_order b on b.id = e.order_id
      where e.follow_id = a.follow_id and b.kind = 'join' and b.mint = o.mint and e.is_filled and e.at < a.at))`;

/** The open follows that bought with this round what they are told of. */
export async function loadJoinedFollows(sql: Sql, orderId: string): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(`select a.follow_id as id from ${TOLD} and a.order_id = $1`, [orderId]);
  return rows.map(({ id }) => id);
}

type PurchaseRow = {
  orderId: string;
  followId: string;
  userId: string;
  slug: string;
  strategyName: string;
  mint: Address;
  filledIn: bigint;
  signature: string;
};

/** What joining bought for these follows of a strategy and nobody has told yet. In the transaction that raises it. */
export async function loadJoinAlerts(sql: Sql, tokens: TokenFacts, followIds: readonly string[]): Promise<NewAlert[]> {
  if (followIds.length === 0) return [];
  // One after another, so that no purchase is told both alone and with others.
  await sql.query(
    `select pg_advisory_xact_lock(hashtextextended('join alerts ' || strategy_id, 0))
     from (select distinct strategy_id from follow where id = any($1::uuid[])) s`,
    [followIds],
  );
  const purchases = await sql.query<PurchaseRow>(
    `select j.*, s.slug, s.name as "strategyName" from (
       select a.order_id as "orderId", a.follow_id as "followId", a.user_id as "userId", f.strategy_id, o.mint,
         a.filled_in as "filledIn", o.signature, a.at
       from ${TOLD} and a.follow_id = any($1::uuid[])
     ) j join strategy s on s.id = j.strategy_id order by j.at, j."orderId"`,
    [followIds],
  );
  const told = await loadTold(sql, purchases);
  const fresh = purchases.filter(({ followId, signature }) => !told.has(`${followId} ${signature}`));
  const facts = await tokens.load([...new Set(fresh.map(({ mint }) => mint))], sql);
  return [...Map.groupBy(fresh, ({ followId }) => followId).values()].map((bought): NewAlert => {
    const coins = bought.map(({ mint, filledIn, signature }) => {
      const tokenSymbol = symbolOf(facts, mint);
      return { tokenContractAddress: mint, tokenSymbol, solAmount: printSol(filledIn), txHash: signature };
    });
    const { userId, followId, orderId, slug, strategyName } = bought[0]!;
    const solAmount = printSol(bought.reduce((sum, { filledIn }) => sum + filledIn, 0n));
    const joined = coins.length > 1 ? { joined: { coins, solAmount } } : {};
    const body = { kind: 'round-filled', slug, strategyName, side: 'buy', ...coins[0]!, ...joined } as const;
    return { userId, reference: referenceOf(orderId, followId), body };
  });
}

function referenceOf(orderId: string, followId: string): string {
  return `${orderId} ${followId}`;
}

/** Follow and signature of each purchase that an alert names, alone or with others. */
async function loadTold(sql: Sql, purchases: readonly PurchaseRow[]): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ followId: string; signature: string }>(
    `select v.follow_id as "followId", c.coin ->> 'txHash' as signature
     from unnest($1::uuid[], $2::text[], $3::text[]) v (user_id, reference, follow_id)
       join alert t on t.user_id = v.user_id and t.kind = 'round-filled' and t.reference = v.reference
       cross join lateral jsonb_array_elements(coalesce(t.payload #> '{joined,coins}', jsonb_build_array(t.payload))) c (coin)`,
    [
      purchases.map(({ userId }) => userId),
      purchases.map(({ orderId, followId }) => referenceOf(orderId, followId)),
      purchases.map(({ followId }) => followId),
    ],
  );
  return new Set(rows.map(({ followId, signature }) => `${followId} ${signature}`));
}
