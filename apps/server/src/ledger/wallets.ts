import type { Address } from '@hunter/solana/address';
import { enqueue } from '../platform/outbox.ts';
import type { Sql } from '../platform/postgres.ts';

export type WalletKind = 'personal' | 'strategy';

/** The sealed key is the signer's text; the server stores it and cannot open it. */
export type SealedWallet = { userId: string; walletId: string; address: Address; sealedKey: string };
export type Wallet = SealedWallet & { kind: WalletKind };

const COLUMNS = `user_id as "userId", id as "walletId", kind, address, envelope as "sealedKey"`;

/** Before every other wallet, for walks in the order of their ids. */
export const FIRST_WALLET = '00000000-0000-0000-0000-000000000000';

/** A wallet came into being: the treasury watches it, and in local mode the faucet fills a personal one. */
export const WALLET_CREATED_TOPIC = 'wallet-created';
export type WalletCreated = ListedWallet;

/** The user of a strategy's wallet is its creator. */
export async function insertWallet(
  sql: Sql,
  { id: walletId, userId, kind, address, sealedKey }: Omit<Wallet, 'walletId'> & { id: string },
): Promise<void> {
  await sql.write(`insert into wallet (id, user_id, kind, address, envelope) values ($1, $2, $3, $4, $5)`, [
    walletId,
    userId,
    kind,
    address,
    sealedKey,
  ]);
  await enqueue(sql, WALLET_CREATED_TOPIC, { userId, walletId, kind, address } satisfies WalletCreated);
}

export async function loadWallet(sql: Sql, walletId: string): Promise<Wallet> {
  const [wallet] = await loadWallets(sql, [walletId]);
  if (!wallet) throw new Error(`wallet ${walletId} does not exist`);
  return wallet;
}

export function loadWallets(sql: Sql, walletIds: readonly string[]): Promise<Wallet[]> {
  return sql.query<Wallet>(`select ${COLUMNS} from wallet where id = any($1::uuid[])`, [walletIds]);
}

export type ListedWallet = Omit<Wallet, 'sealedKey'>;

/** The next wallets in the order of their ids, as far as `until`, which is not among them. */
export function loadWalletsAfter(
  sql: Sql,
  walletId: string,
  limit: number,
  until: string | null = null,
): Promise<ListedWallet[]> {
  return sql.query<ListedWallet>(
    `select user_id as "userId", id as "walletId", kind, address from wallet
     where id > $1 and ($3::uuid is null or id < $3) order by id limit $2`,
    [walletId, limit, until],
  );
}

export async function loadPersonalWallet(sql: Sql, userId: string): Promise<Wallet> {
  const rows = await sql.query<Wallet>(`select ${COLUMNS} from wallet where user_id = $1 and kind = 'personal'`, [
    userId,
  ]);
  return ofUser(rows[0], userId);
}

/** Locked until the caller's transaction ends, so that two changes of a password cannot overwrite each other. */
export async function lockPersonalWallet(sql: Sql, userId: string): Promise<Wallet> {
  const rows = await sql.query<Wallet>(
    `select ${COLUMNS} from wallet where user_id = $1 and kind = 'personal' for update`,
    [userId],
  );
  return ofUser(rows[0], userId);
}

function ofUser(wallet: Wallet | undefined, userId: string): Wallet {
  if (!wallet) throw new Error(`user ${userId} has no wallet`);
  return wallet;
}

export async function loadWalletByAddress(sql: Sql, address: Address): Promise<Wallet | null> {
  const rows = await sql.query<Wallet>(`select ${COLUMNS} from wallet where address = $1`, [address]);
  return rows[0] ?? null;
}

export type WalletAddress = Pick<Wallet, 'userId' | 'address'>;

/** The personal wallets of users, without those who have none, and the wallets of a creator's strategies, ended ones too. */
export async function loadAddressesAround(
  sql: Sql,
  creatorId: string,
  userIds: readonly string[],
): Promise<{ personal: WalletAddress[]; strategies: Address[] }> {
  const rows = await sql.query<WalletAddress & { kind: WalletKind }>(
    `select user_id as "userId", address, kind from wallet where user_id = any($2::uuid[]) and kind = 'personal'
     union all select user_id, address, kind from wallet where user_id = $1 and kind = 'strategy'`,
    [creatorId, userIds],
  );
  const { personal = [], strategy = [] } = Object.groupBy(rows, ({ kind }) => kind);
  return { personal, strategies: strategy.map(({ address }) => address) };
}

export async function saveSealedKey(sql: Sql, walletId: string, sealedKey: string): Promise<void> {
  await sql.write(`update wallet set envelope = $2 where id = $1`, [walletId, sealedKey]);
}

/** Only where nobody else stored a newer one meanwhile. */
export async function replaceSealedKey(
  sql: Sql,
  wallet: { walletId: string; sealedKey: string },
  sealedKey: string,
): Promise<boolean> {
  const saved = await sql.write(`update wallet set envelope = $3 where id = $1 and envelope = $2 returning 1`, [
    wallet.walletId,
    wallet.sealedKey,
    sealedKey,
  ]);
  return saved.length > 0;
}

/** The next wallets whose key is not sealed under the given key-encryption key. */
export function loadWalletsNotUnder(sql: Sql, keyId: string, afterId: string, limit: number): Promise<Wallet[]> {
  return sql.query<Wallet>(
    `select ${COLUMNS} from wallet where id > $1 and envelope::jsonb ->> 'kek' <> $2 order by id limit $3`,
    [afterId, keyId, limit],
  );
}
