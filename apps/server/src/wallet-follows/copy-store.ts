import type { Address } from '@hunter/solana/address';
import type { AmountIn, Side } from '@hunter/domain/market/swap-maths';
import type { WalletSkipReason } from '@hunter/domain/wallet-follows/wallet-follow';
import type { Sql } from '../platform/postgres.ts';
import { rowValues } from '../platform/columns-of.ts';

/** What became of one trade of a followed wallet. */
export type WalletCopyRow = {
  followId: string;
  seq: bigint;
  mint: Address;
  side: Side;
  lamports: bigint;
  tokens: bigint;
  signature: string;
  tradedAt: Date;
  heldBefore: bigint | null;
  isFirstBuy: boolean;
  slot: bigint | null;
  state: 'planned' | 'waiting' | 'done' | 'skipped';
  reason: WalletSkipReason | null;
  orderId: string;
  amountIn: AmountIn | null;
  runUpLamports: bigint;
  costLamports: bigint;
  waitUntil: Date | null;
  seenAt: Date;
};

const COLUMNS = `c.follow_id as "followId", c.seq, c.mint, c.side, c.lamports, c.tokens, c.signature, c.traded_at as "tradedAt",
  c.held_before as "heldBefore", c.is_first_buy as "isFirstBuy", c.slot, c.state, c.reason, c.order_id as "orderId",
  c.amount_in as "amountIn", c.run_up_lamports as "runUpLamports", c.cost_lamports as "costLamports",
  c.wait_until as "waitUntil", c.seen_at as "seenAt"`;
export const SELECT_COPY = `select ${COLUMNS} from wallet_copy c`;

/** False where the trade was looked at before. */
export async function insertCopy(sql: Sql, row: WalletCopyRow): Promise<boolean> {
  const rows = await sql.write(
    `insert into wallet_copy (follow_id, seq, mint, side, lamports, tokens, signature, traded_at, held_before, is_first_buy,
       slot, state, reason, order_id, amount_in, run_up_lamports, cost_lamports, wait_until, seen_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
     on conflict do nothing returning 1`,
    [
      ...rowValues(row, 'followId', 'seq', 'mint', 'side', 'lamports', 'tokens', 'signature', 'tradedAt', 'heldBefore'),
      ...rowValues(
        row,
        'isFirstBuy',
        'slot',
        'state',
        'reason',
        'orderId',
        'amountIn',
        'runUpLamports',
        'costLamports',
      ),
      ...rowValues(row, 'waitUntil', 'seenAt'),
    ],
  );
  return rows.length === 1;
}

type Change = Partial<
  Pick<WalletCopyRow, 'state' | 'reason' | 'orderId' | 'amountIn' | 'runUpLamports' | 'costLamports' | 'slot'>
>;

/** Only from the state it is expected in: whoever comes second changes nothing. */
export async function changeCopy(sql: Sql, row: WalletCopyRow, change: Change): Promise<boolean> {
  const next = { ...row, ...change };
  const rows = await sql.write(
    `update wallet_copy set state = $5, reason = $6, amount_in = $7, run_up_lamports = $8, cost_lamports = $9, slot = $10,
       order_id = $11
     where follow_id = $1 and seq = $2 and mint = $3 and state = $4 returning 1`,
    [
      ...rowValues(row, 'followId', 'seq', 'mint', 'state'),
      ...rowValues(next, 'state', 'reason', 'amountIn', 'runUpLamports', 'costLamports', 'slot', 'orderId'),
    ],
  );
  return rows.length === 1;
}

/** Of all follows but these; the oldest of every follow first, so that one with many that wait holds up no other. */
export function loadOpenCopies(sql: Sql, limit: number, except: readonly string[] = []): Promise<WalletCopyRow[]> {
  return sql.query<WalletCopyRow>(
    `${SELECT_COPY} where c.state in ('planned', 'waiting') and c.follow_id::text <> all($2::text[])
     order by row_number() over (partition by c.follow_id order by c.seen_at, abs(c.seq)), c.seen_at, c.follow_id limit $1`,
    [limit, except],
  );
}

type Coin = Pick<WalletCopyRow, 'followId' | 'mint'>;

/** Copies of trades of the token that are decided and have not ended. */
export function loadUnderWay(
  sql: Sql,
  { followId, mint }: Coin,
): Promise<Pick<WalletCopyRow, 'side' | 'orderId' | 'amountIn'>[]> {
  return sql.query(
    `select side, order_id as "orderId", amount_in as "amountIn" from wallet_copy
     where follow_id = $1 and mint = $2 and state = 'planned' and amount_in is not null`,
    [followId, mint],
  );
}

/** The wallet has left the token: what is not one of these orders is not bought any more. */
export async function dropBuys(sql: Sql, { followId, mint }: Coin, orderIds: readonly string[]): Promise<void> {
  await sql.write(
    `update wallet_copy set state = 'skipped', reason = 'wallet-exited'
     where follow_id = $1 and mint = $2 and side = 'buy' and state in ('waiting', 'planned') and order_id <> all($3::uuid[])`,
    [followId, mint, orderIds],
  );
}

/** Tokens of sales that were too small to be copied, since the last one that was. */
export async function loadOwed(sql: Sql, { followId, mint }: Coin): Promise<bigint> {
  const rows = await sql.query<{ owed: bigint }>(
    `select coalesce(sum(c.amount_in), 0)::numeric(40, 0) as owed from wallet_copy c
     where c.follow_id = $1 and c.mint = $2 and c.reason = 'sold-later' and c.seq > coalesce(
       (select max(abs(s.seq)) from wallet_copy s
        where s.follow_id = $1 and s.mint = $2 and s.side = 'sell' and s.state = 'done'), 0)`,
    [followId, mint],
  );
  return rows[0]!.owed;
}

export async function forgetOwed(sql: Sql, { followId, mint }: Coin): Promise<void> {
  await sql.write(
    `update wallet_copy set amount_in = null
     where follow_id = $1 and mint = $2 and reason = 'sold-later' and amount_in is not null`,
    [followId, mint],
  );
}

/** What the copies of a follow took from its budgets of the last 24 h. */
export async function loadUsed(sql: Sql, followId: string, mint: Address, now: Date) {
  const rows = await sql.query<{ runUp: bigint; runUpTotal: bigint; hour: bigint; day: bigint }>(
    `select coalesce(sum(run_up_lamports) filter (where mint = $2), 0)::numeric(40, 0) as "runUp",
       coalesce(sum(run_up_lamports), 0)::numeric(40, 0) as "runUpTotal",
       coalesce(sum(cost_lamports) filter (where seen_at > $3::timestamptz - interval '1 hour'), 0)::numeric(40, 0) as hour,
       coalesce(sum(cost_lamports), 0)::numeric(40, 0) as day
     from wallet_copy where follow_id = $1 and state in ('planned', 'done') and seen_at > $3::timestamptz - interval '24 hours'`,
    [followId, mint, now],
  );
  return rows[0]!;
}
