import { randomBytes, randomUUID } from 'node:crypto';
import type { Address } from '@hunter/solana/address';
import { encodeBase58 } from '@hunter/solana/base58';
import { SYSTEM_PROGRAM } from '@hunter/solana/program-ids';
import { describe, expect, it } from 'vitest';
import { openBook, type BookKind } from '../../ledger/books.ts';
import { postEntries, SOL } from '../../ledger/journal.ts';
import { insertWallet } from '../../ledger/wallets.ts';
import type { Database } from '../../platform/postgres.ts';
import { useTestDatabase } from '../../platform/postgres-for-test.ts';
import { addWatchedAddresses } from '../watched-addresses.ts';
import { loadNewestSnapshot, loadOwnReserves, loadReserveWallets, missingOf } from './reserve-reads.ts';
import { takeReserveSnapshot } from './take-snapshot.ts';

const bookKey = (bookId: string) => Buffer.from(bookId.padEnd(36)).subarray(0, 32);

describe('a snapshot of reserves', () => {
  let database: Database;
  useTestDatabase((opened) => {
    database = opened;
  });

  const chain = new Map<string, bigint>();
  const rpc = {
    getMultipleAccounts: async (addresses: readonly Address[]) => ({
      contextSlot: 77n,
      value: addresses.map((address) => {
        const lamports = chain.get(address);
        if (lamports === undefined) return null;
        return { lamports, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false };
      }),
    }),
  };

  async function aUser(): Promise<string> {
    const id = randomUUID();
    await database.write(
      `insert into users (id, email, email_key, password_hash, display_name) values ($1, $2, $2, '', $2)`,
      [id, id],
    );
    return id;
  }
  async function aWallet(
    userId: string,
    kind: 'personal' | 'strategy',
  ): Promise<{ walletId: string; address: Address }> {
    const walletId = randomUUID();
    const address = encodeBase58(randomBytes(32)) as Address;
    await insertWallet(database, { id: walletId, userId, kind, address, sealedKey: '' });
    return { walletId, address };
  }
  async function aBook(userId: string, walletId: string, kind: BookKind, amount: bigint): Promise<string> {
    const { id: bookId } = await openBook(database, { userId, walletId, kind, name: `${kind} book` });
    await postEntries(database, [
      {
        kind: 'deposit',
        reference: bookId,
        postings: [
          { bookId, account: 'cash', asset: SOL, amount },
          { bookId: null, account: 'external', asset: SOL, amount: -amount },
        ],
      },
    ]);
    return bookId;
  }

  it('lists what is owed and what is on chain, and each user finds the own book in the tree', async () => {
    const [creator, follower] = [await aUser(), await aUser()];
    const personal = await aWallet(creator, 'personal');
    const strategy = await aWallet(creator, 'strategy');
    await aBook(creator, personal.walletId, 'personal', 50n);
    await aBook(creator, strategy.walletId, 'strategy', 30n);
    const followBook = await aBook(follower, strategy.walletId, 'follow', 12n);
    chain.set(personal.address, 50n);
    chain.set(strategy.address, 40n);
    // Sent by a stranger to where a token account was: it is nobody's, and must not hide what is missing.
    const closed = encodeBase58(randomBytes(32)) as Address;
    await addWatchedAddresses(database, [
      { address: closed, userId: creator, walletId: strategy.walletId, walletAddress: strategy.address },
    ]);
    chain.set(closed, 2n);
    const id = await takeReserveSnapshot({ database, rpc, bookKey });

    const snapshot = (await loadNewestSnapshot(database))!;
    expect(snapshot).toMatchObject({ id, slot: 77n, inFlight: [] });
    expect(snapshot.assets.map(({ kind, owed, onChain }) => ({ kind, owed, onChain }))).toEqual([
      { kind: 'personal', owed: 50n, onChain: 50n },
      // Two less than owed: shown, not hidden.
      { kind: 'strategy', owed: 42n, onChain: 40n },
    ]);
    const wallets = await loadReserveWallets(database, id, '', 10);
    expect(new Set(wallets.map(({ address }) => address))).toEqual(new Set([personal.address, strategy.address]));

    const [own, ...others] = await loadOwnReserves({ database, bookKey }, follower);
    expect(others).toEqual([]);
    expect(own).toMatchObject({ bookId: followBook, amount: '12', sum: '42' });
    expect({ root: own!.root, sum: BigInt(own!.sum) }).toEqual({ root: snapshot.assets[1]!.root, sum: 42n });
  });

  it('tells what is in transit apart from what is missing, also of what begins while the chain is read', async () => {
    const personalWallet = async () => {
      const user = await aUser();
      const wallet = await aWallet(user, 'personal');
      await aBook(user, wallet.walletId, 'personal', 100n);
      chain.set(wallet.address, 100n);
      return wallet;
    };
    const [paying, begun, robbed] = [await personalWallet(), await personalWallet(), await personalWallet()];
    const send = (signature: string, { address }: { address: Address }) =>
      database.write(
        `insert into signed_transaction (signature, purpose, intent_id, attempt, wallet_address, wire, last_valid_block_height, sender)
         values ($1, 'order', $1, 1, $2, '', 1, 's')`,
        [signature, address],
      );
    const snapshotWhile = async (meanwhile: () => Promise<unknown>) => {
      const getMultipleAccounts = async (addresses: readonly Address[]) => {
        await meanwhile();
        return rpc.getMultipleAccounts(addresses);
      };
      await takeReserveSnapshot({ database, rpc: { getMultipleAccounts }, bookKey });
      const { inFlight, assets } = (await loadNewestSnapshot(database))!;
      const personal = assets.find(({ kind }) => kind === 'personal')!;
      return { inFlight: inFlight.toSorted(), inTransit: personal.inTransit, missing: missingOf(personal) };
    };

    await send('sent before', paying);
    chain.set(paying.address, 70n);
    const during = await snapshotWhile(async () => {
      if (chain.get(begun.address) === 100n) await send('sent meanwhile', begun);
      chain.set(begun.address, 95n);
    });
    expect(during).toEqual({ inFlight: ['sent before', 'sent meanwhile'], inTransit: 35n, missing: 0n });

    // What arrives in a wallet that moves hides nothing of what another lacks.
    chain.set(paying.address, 105n);
    chain.set(robbed.address, 98n);
    expect(await snapshotWhile(async () => {})).toMatchObject({ inTransit: 0n, missing: 2n });
    await database.write(`update signed_transaction set state = 'finalized'`);
    chain.set(paying.address, 100n);
    expect(await snapshotWhile(async () => {})).toEqual({ inFlight: [], inTransit: 0n, missing: 7n });
  });

  it('keeps the roots of old snapshots and forgets their wallets and leaves', async () => {
    const ids: string[] = [];
    for (let made = 0; made < 4; made += 1) ids.push(await takeReserveSnapshot({ database, rpc, bookKey }));
    expect(await loadReserveWallets(database, ids[0]!, '', 10)).toEqual([]);
    expect(await loadReserveWallets(database, ids[3]!, '', 10)).not.toEqual([]);
    const [tree] = await database.query(`select root, hashes from reserve_tree where snapshot_id = $1`, [ids[0]]);
    expect(tree).toMatchObject({ root: expect.any(String), hashes: null });
  });

  it('keeps no sums of the tokens that strangers send, once a snapshot is old', async () => {
    const user = await aUser();
    const { walletId } = await aWallet(user, 'personal');
    const spam = encodeBase58(randomBytes(32)) as Address;
    const bookId = await aBook(user, walletId, 'personal', 7n);
    await postEntries(database, [
      {
        kind: 'deposit',
        reference: spam,
        postings: [
          { bookId, account: 'cash', asset: spam, amount: 5n },
          { bookId: null, account: 'external', asset: spam, amount: -5n },
        ],
      },
    ]);
    const ids: string[] = [];
    for (let made = 0; made < 4; made += 1) ids.push(await takeReserveSnapshot({ database, rpc, bookKey }));
    const assetsOf = async (id: string) =>
      (
        await database.query<{ asset: string }>(
          `select asset from reserve_asset where snapshot_id = $1 and kind = 'personal' order by asset = 'SOL'`,
          [id],
        )
      ).map(({ asset }) => asset);
    expect(await assetsOf(ids[3]!)).toEqual([spam, SOL]);
    expect(await assetsOf(ids[0]!)).toEqual([SOL]);
  });
});
