import { printSol } from '@hunter/domain/numbers/lamports';
import type { Address } from '@hunter/solana/address';
import type { NewAlert } from '../alerts/raise-alerts.ts';
import type { TokenFacts } from '../market/token-facts.ts';
import type { Sql } from '../platform/postgres.ts';
import { symbolOf } from '../strategies/reads/coin-refs.ts';

type PartRow = {
  userId: string;
  followId: string;
  slug: string;
  strategyName: string;
  side: 'buy' | 'sell';
  mint: Address;
  filledIn: bigint | null;
  filledOut: bigint | null;
  reason: string | null;
  signature: string | null;
};

/**
 * What the followers of a round are told: what each of them got, or why he was left out. Joining is told by its own alerts, and the
 * sales at the end of a follow belong to its closing, which is told by itself.
 */
export async function loadRoundAlerts(sql: Sql, tokens: TokenFacts, orderId: string): Promise<NewAlert[]> {
  const rows = await sql.query<PartRow>(
    `select a.user_id as "userId", a.follow_id as "followId", s.slug, s.name as "strategyName", o.side, o.mint,
       a.filled_in as "filledIn", a.filled_out as "filledOut", a.reason, o.signature
     from filled_allocation a join trade_order o on o.id = a.order_id join follow f on f.id = a.follow_id
       join strategy s on s.id = f.strategy_id
     where a.order_id = $1 and o.kind not in ('join', 'exit', 'close')`,
    [orderId],
  );
  if (rows.length === 0) return [];
  const facts = await tokens.load([rows[0]!.mint]);
  return rows.flatMap((row): NewAlert[] => {
    const { userId, followId, slug, strategyName, side, mint, filledIn, filledOut, reason, signature } = row;
    const told = { slug, strategyName, tokenContractAddress: mint, tokenSymbol: symbolOf(facts, mint), side };
    const reference = `${orderId} ${followId}`;
    if (reason !== null) return [{ userId, reference, body: { kind: 'round-skipped', ...told, reason } }];
    if (filledIn === null || filledOut === null || signature === null) return [];
    const solAmount = printSol(side === 'buy' ? filledIn : filledOut);
    return [{ userId, reference, body: { kind: 'round-filled', ...told, solAmount, txHash: signature } }];
  });
}
