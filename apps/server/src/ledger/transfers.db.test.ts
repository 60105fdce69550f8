import { Keypair } from '@hunter/solana/keypair';
import { randomUUID } from 'node:crypto';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { lamports } from '@hunter/domain/numbers/lamports';
import { beforeEach, describe, expect, it } from 'vitest';
import { mintNamed } from '@hunter/domain/address-for-test';
import type { Database } from '../platform/postgres.ts';
import { useTestDatabase } from '../platform/postgres-for-test.ts';
import { loadBalances, spendableLamports } from './balances.ts';
import { openBook } from './books.ts';
import { postEntries, SOL, type Asset } from './journal.ts';
import { recordFills } from './positions.ts';
import { moveSol, moveTokens, type BookRef } from './transfers.ts';
import { WALLET_MINIMUM_LAMPORTS } from './wallet-minimum.ts';
import { insertWallet } from './wallets.ts';

const AT = new Date(1_790_000_000_000);
let database: Database;
let personal: BookRef;
let follow: BookRef;
useTestDatabase((opened) => {
  database = opened;
});

async function aUser(): Promise<string> {
  const id = randomUUID();
  await database.write(
    `insert into users (id, email, email_key, password_hash, display_name) values ($1, $2, $2, '', $2)`,
    [id, `${id}@example.com`],
  );
  await insertWallet(database, {
    id,
    userId: id,
    kind: 'personal',
    address: Keypair.generate().address,
    sealedKey: '',
  });
  return id;
}

async function aBook(userId: string, kind: BookRef['kind'], walletId = userId): Promise<BookRef> {
  return openBook(database, { userId, walletId, kind, name: kind });
}

async function deposit(book: BookRef, asset: Asset, amount: bigint): Promise<void> {
  await postEntries(database, [
    {
      kind: 'deposit',
      reference: `${book.id}:${asset}`,
      postings: [
        { bookId: book.id, account: 'cash', asset, amount },
        { bookId: null, account: 'chain', asset, amount: -amount },
      ],
    },
  ]);
}

async function freeOf(book: BookRef, asset: Asset): Promise<bigint> {
  const balances = await loadBalances(database, book.userId);
  return balances.find((row) => row.bookId === book.id && row.account === 'cash' && row.asset === asset)?.amount ?? 0n;
}

beforeEach(async () => {
  const userId = await aUser();
  personal = await aBook(userId, 'personal');
  follow = await aBook(userId, 'strategy');
  await deposit(personal, SOL, 1_000_000_000n);
});

describe('moveSol', () => {
  it('moves free SOL once for one reference', async () => {
    const reference = randomUUID();
    expect(await moveSol(database, personal, follow, lamports(400n), reference)).toBe(true);
    expect(await moveSol(database, personal, follow, lamports(400n), reference)).toBe(false);
    expect([await freeOf(personal, SOL), await freeOf(follow, SOL)]).toEqual([999_999_600n, 400n]);
  });

  it('leaves the wallet minimum in the personal book', async () => {
    const tooMuch = lamports(1_000_000_000n - WALLET_MINIMUM_LAMPORTS + 1n);
    await expect(moveSol(database, personal, follow, tooMuch, randomUUID())).rejects.toMatchObject({
      errorName: 'INSUFFICIENT_BALANCE',
    });
    const most = lamports(1_000_000_000n - WALLET_MINIMUM_LAMPORTS);
    expect(await moveSol(database, personal, follow, most, randomUUID())).toBe(true);
    expect(await moveSol(database, follow, personal, most, randomUUID())).toBe(true);
    expect(await freeOf(follow, SOL)).toBe(0n);
  });

  it('refuses what a book does not have', async () => {
    await expect(moveSol(database, follow, personal, lamports(1n), randomUUID())).rejects.toMatchObject({
      errorName: 'INSUFFICIENT_BALANCE',
    });
  });

  it('moves nothing between the books of two users', async () => {
    const stranger = await aBook(await aUser(), 'follow', personal.userId);
    await expect(moveSol(database, personal, stranger, lamports(1n), randomUUID())).rejects.toThrow('one user');
  });

  it('moves nothing between the books of two wallets', async () => {
    const { userId } = personal;
    const walletId = randomUUID();
    await insertWallet(database, {
      id: walletId,
      userId,
      kind: 'strategy',
      address: Keypair.generate().address,
      sealedKey: '',
    });
    const elsewhere = await aBook(userId, 'strategy', walletId);
    await expect(moveSol(database, personal, elsewhere, lamports(1n), randomUUID())).rejects.toThrow('one wallet');
    await expect(
      moveTokens(database, personal, elsewhere, mintNamed('mint'), baseUnits(1n), randomUUID(), AT),
    ).rejects.toThrow('one wallet');
  });
});

describe('moveTokens', () => {
  it('moves tokens with their cost', async () => {
    await deposit(personal, mintNamed('MintA'), 1_000n);
    const fill = {
      kind: 'buy' as const,
      tokens: baseUnits(1_000n),
      lamports: lamports(90n),
      feeLamports: lamports(10n),
    };
    await recordFills(database, [
      { reference: 'buy', userId: personal.userId, bookId: personal.id, mint: mintNamed('MintA'), fill, at: AT },
    ]);
    await database.transaction((sql) =>
      moveTokens(sql, personal, follow, mintNamed('MintA'), baseUnits(250n), randomUUID(), AT),
    );
    const rows = await database.query(
      `select book_id, quantity, cost_lamports from position where book_id = any($1::uuid[])`,
      [[personal.id, follow.id]],
    );
    expect(rows).toHaveLength(2);
    expect(rows).toEqual(
      expect.arrayContaining([
        { book_id: personal.id, quantity: 750n, cost_lamports: 75n },
        { book_id: follow.id, quantity: 250n, cost_lamports: 25n },
      ]),
    );
    expect([await freeOf(personal, mintNamed('MintA')), await freeOf(follow, mintNamed('MintA'))]).toEqual([
      750n,
      250n,
    ]);
  });
});

describe('spendableLamports', () => {
  it('lets a personal book spend all but the wallet minimum, and the others everything', () => {
    expect(spendableLamports(lamports(WALLET_MINIMUM_LAMPORTS + 5n), 'personal')).toBe(5n);
    expect(spendableLamports(lamports(WALLET_MINIMUM_LAMPORTS - 1n), 'personal')).toBe(0n);
    expect(spendableLamports(lamports(7n), 'follow')).toBe(7n);
    expect(spendableLamports(lamports(7n), 'strategy')).toBe(7n);
  });
});
