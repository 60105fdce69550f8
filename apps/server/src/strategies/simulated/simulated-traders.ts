import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Accounts } from '../../accounts/accounts.ts';
import { WALLET_CREATED_TOPIC, type WalletCreated } from '../../accounts/register.ts';
import { createBook } from '../../ledger/books.ts';
import { enqueue } from '../../platform/outbox.ts';

/** No mail can be sent there and nobody can register it. */
const DOMAIN = 'simulated.invalid';

export type SimulatedTrader = { userId: string; index: number };

/**
 * A user like any other: own wallet at the signer, filled by the faucet, every trade on chain. Nobody knows the password, so nobody
 * can log in. Made once; later starts find it.
 */
export async function ensureSimulatedTrader(
  accounts: Pick<Accounts, 'database' | 'hasher' | 'keys'>,
  seed: string,
  index: number,
): Promise<SimulatedTrader> {
  const { database } = accounts;
  const email = `trader-${index}@${DOMAIN}`;
  const known = await database.query<{ id: string }>(`select id from users where email_key = $1`, [email]);
  if (known[0]) return { userId: known[0].id, index };
  const userId = randomUUID();
  const walletId = randomUUID();
  const password = randomBytes(24).toString('base64url');
  const passwordHash = await accounts.hasher.hash(password);
  const sealed = await accounts.keys.createWallet({ userId, walletId, password });
  await database.transaction(async (sql) => {
    await sql.query(
      `insert into users (id, email, email_key, password_hash, display_name) values ($1, $2, $2, $3, $4)`,
      [
        userId,
        email,
        passwordHash,
        await freeName(seed, index, (name) => sql.query(`select 1 from users where display_name = $1`, [name])),
      ],
    );
    await sql.query(`insert into wallet (id, user_id, address, envelope) values ($1, $2, $3, $4)`, [
      walletId,
      userId,
      sealed.address,
      sealed.envelope,
    ]);
    await createBook(sql, { userId, kind: 'personal', name: 'Personal' });
    const created: WalletCreated = { userId, walletId, address: sealed.address };
    await enqueue(sql, WALLET_CREATED_TOPIC, created);
  });
  return { userId, index };
}

/** Neutral, like the names that people start with, and the same for the same seed. */
async function freeName(seed: string, index: number, find: (name: string) => Promise<unknown[]>): Promise<string> {
  const digest = createHash('sha256').update(`${seed} trader ${index}`).digest('hex');
  for (const length of [4, 6, 8, 12]) {
    const name = `trader-${digest.slice(0, length)}`;
    if ((await find(name)).length === 0) return name;
  }
  return `trader-${digest.slice(0, 16)}`;
}
