import { randomUUID } from 'node:crypto';
import type { Address } from '@hunter/solana/address';
import type { RegisteredUser } from '../../accounts/accounts-for-test.ts';
import { loadPersonalBook, openBook } from '../../ledger/books.ts';
import { insertWallet, loadPersonalWallet } from '../../ledger/wallets.ts';
import { anAddress } from '../chain-for-test.ts';
import { TreasuryUnderTest } from '../treasury-for-test.ts';
import { placeTransfer } from './place-transfer.ts';
import { type NewTransfer } from './transfer.ts';
import type { TransferView } from './transfer.ts';

export const SOL = 1_000_000_000n;
export type Person = RegisteredUser & { bookId: string; walletId: string };

/** What tests of transfers do over and over. */
export function transferSteps(test: () => TreasuryUnderTest) {
  let people = 0;
  const person = async (lamports = 10n * SOL): Promise<Person> => {
    people += 1;
    const user = await test().fundedUser(`person-${people}@example.com`, lamports);
    const { database } = test().accounts;
    const { id: bookId } = await loadPersonalBook(database, user.userId);
    return { ...user, bookId, walletId: (await loadPersonalWallet(database, user.userId)).walletId };
  };
  /** A user who only receives. */
  const receiver = async (): Promise<string> => {
    const { database } = test().accounts;
    const userId = randomUUID();
    await database.write(
      `insert into users (id, email, email_key, password_hash, display_name) values ($1, $2, $2, '', $2)`,
      [userId, userId],
    );
    await insertWallet(database, { id: userId, userId, kind: 'personal', address: anAddress(), sealedKey: '' });
    return (await openBook(database, { userId, walletId: userId, kind: 'personal', name: 'Personal' })).id;
  };
  const followBook = async ({ userId }: Person, walletId: string): Promise<string> => {
    return (await openBook(test().accounts.database, { userId, walletId, kind: 'follow', name: 'Follow' })).id;
  };
  const place = async (transfer: NewTransfer): Promise<string> => {
    await test().accounts.database.transaction((sql) => placeTransfer(sql, transfer, new Date()));
    return transfer.id;
  };
  const commitOf = (fromBookId: string, toBookId: string, amount: bigint): NewTransfer => {
    return { id: randomUUID(), kind: 'commit', legs: [{ fromBookId, toBookId, asset: 'SOL', amount }] };
  };
  const view = async (id: string): Promise<TransferView> => (await test().transfers.waitFor([id], 0))[0]!;
  const isFinal = (id: string) => test().until(async () => (await view(id)).state === 'finalized');
  const commit = async (from: Person, toBookId: string, amount: bigint): Promise<string> => {
    const id = await place(commitOf(from.bookId, toBookId, amount));
    await test().transfers.run(id);
    await isFinal(id);
    return id;
  };
  const held = async (bookId: string): Promise<{ cash: bigint; held: bigint }> => {
    const rows = await test().accounts.database.query<{ account: 'cash' | 'held'; amount: bigint }>(
      `select account, amount from balance where book_id = $1 and asset = 'SOL'`,
      [bookId],
    );
    const of = (account: string) => rows.find((row) => row.account === account)?.amount ?? 0n;
    return { cash: of('cash'), held: of('held') };
  };
  /** Books of a wallet less the chain. */
  const difference = async (walletId: string, address: string): Promise<bigint> => {
    const [row] = await test().accounts.database.query<{ sum: bigint }>(
      `select coalesce(sum(a.amount), 0)::numeric(40, 0) as sum from balance a join book b on b.id = a.book_id
       where b.wallet_id = $1 and a.asset = 'SOL' and a.account in ('cash', 'held')`,
      [walletId],
    );
    return row!.sum - (test().chain.lamports.get(address as Address) ?? 0n);
  };
  const eventsOf = async (topic: string) => {
    const rows = await test().accounts.database.query<{ payload: Record<string, unknown> }>(
      `select payload from outbox where topic = $1 order by id`,
      [topic],
    );
    return rows.map(({ payload }) => payload);
  };
  /** Everything that deposit watches saw has been read and posted. */
  const quiet = async (): Promise<void> => {
    await test().until(() => test().deposits.idle);
    test().chain.advance(20);
    await test().until(async () => {
      const open = await test().accounts.database.query(`select 1 from wallet_movement where status = 'seen'`);
      return test().deposits.idle && open.length === 0;
    });
  };

  return { person, receiver, followBook, place, commitOf, view, isFinal, commit, held, difference, eventsOf, quiet };
}
