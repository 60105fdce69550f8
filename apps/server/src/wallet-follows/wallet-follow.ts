import type { CopyableCoin } from '@hunter/domain/copying/copyable-coin';
import type { Address } from '@hunter/solana/address';
import type { RpcClient } from '@hunter/solana/rpc-client';
import type { TokenFacts } from '../market/token-facts.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Database, Sql } from '../platform/postgres.ts';
import type { PoolSource } from '../strategies/strategies.ts';
import type { NewOrder, Order } from '../trading/order.ts';
import type { SettingsJson } from './settings.ts';

/** Everything that following wallets works with. */
export type WalletFollows = {
  database: Database;
  rpc: Pick<RpcClient, 'getSignatureStatuses' | 'getMultipleAccounts' | 'getTokenAccountsByOwner'>;
  pools: PoolSource;
  tokens: TokenFacts;
  /** What the market knows of a coin; its reference price leaves trades of these wallets out. */
  coinFacts: (mint: Address, wallets: ReadonlySet<string>) => Promise<Omit<CopyableCoin, 'poolLamports' | 'spot'>>;
  /** In a strategy's book its followers take part. */
  place: (order: NewOrder, bookKind: 'wallet-follow' | 'strategy') => Promise<Order>;
  clock: Clock;
  log: Log;
  balanceChanged: (userId: string) => void;
};

export type WalletFollow = {
  id: string;
  userId: string;
  bookId: string;
  address: Address;
  name: string;
  settings: SettingsJson;
  paused: boolean;
  amountLamports: bigint;
  seenSeq: bigint;
  startedAt: Date;
  endedAt: Date | null;
  returnedLamports: bigint | null;
};

export const SELECT_WALLET_FOLLOW = `select f.id, f.user_id as "userId", f.book_id as "bookId", f.address, f.name, f.settings,
  f.paused, f.amount_lamports as "amountLamports", f.seen_seq as "seenSeq", f.started_at as "startedAt",
  f.ended_at as "endedAt", f.returned_lamports as "returnedLamports" from wallet_follow f`;

/** The book in which a wallet is followed, whoever's it is; null where there is no such follow. */
export async function loadFollowedBook(sql: Sql, id: string): Promise<string | null> {
  const rows = await sql.query<WalletFollow>(`${SELECT_WALLET_FOLLOW} where f.id = $1`, [id]);
  return rows[0]?.bookId ?? null;
}

/** Whose trades are copied into a book. */
export async function loadCopiedWallets(sql: Sql, bookId: string): Promise<string[]> {
  const rows = await sql.query<WalletFollow>(`${SELECT_WALLET_FOLLOW} where f.book_id = $1 and f.ended_at is null`, [
    bookId,
  ]);
  return rows.map(({ address }) => address);
}

/** As it is now; null once it has ended. Nobody changes or ends it until the transaction is over. */
export async function lockOpenFollow(sql: Sql, id: string): Promise<WalletFollow | null> {
  const rows = await sql.query<WalletFollow>(
    `${SELECT_WALLET_FOLLOW} where f.id = $1 and f.ended_at is null for no key update`,
    [id],
  );
  return rows[0] ?? null;
}
