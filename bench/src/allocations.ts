import { address } from '@hunter/solana/address';
import { Keypair } from '@hunter/solana/keypair';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { randomUUID } from 'node:crypto';
import { lamports } from '@hunter/domain/numbers/lamports';
import { openBook } from '../../apps/server/src/ledger/books.ts';
import { postEntries, SOL } from '../../apps/server/src/ledger/journal.ts';
import { insertWallet } from '../../apps/server/src/ledger/wallets.ts';
import type { Database } from '../../apps/server/src/platform/postgres.ts';
import { claimOrders } from '../../apps/server/src/trading/order-store.ts';
import { insertRound } from '../../apps/server/src/trading/rounds/place-round.ts';
import type { NewPart } from '../../apps/server/src/trading/rounds/round.ts';
import { settleOrders } from '../../apps/server/src/trading/settle-orders.ts';
import { TOKEN_PROGRAM } from '@hunter/solana/program-ids';

const CASH = 1_000_000_000n;
const SPEND = 10_000_000n;
const MINT = address('So11111111111111111111111111111111111111113');
const ROUNDS = 5;

/** Posting one fill to so many books, against a bare insert of five rows per book in the same run. */
export async function measureAllocations(database: Database, count: number) {
  const { walletId, userId, bookIds } = await openBooks(database, count);
  const posts: number[] = [];
  const bare: number[] = [];
  await database.write(`create table bench_bare (a int, b int, c bigint, d bigint, e bigint)`);
  let walBytes = 0n;
  let memoryMb = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(
      await timed(() =>
        database.write(`insert into bench_bare select i / 5, i % 5, i, i, i from generate_series(1, $1::int) i`, [
          count * 5,
        ]),
      ),
    );
    const id = randomUUID();
    const parts = bookIds.map((bookId, index): NewPart => ({
      bookId,
      userId,
      followId: index === 0 ? null : bookId,
      wantedIn: lamports(SPEND),
      amountIn: lamports(SPEND),
      limitedBy: null,
      runUpLamports: lamports(0n),
      costLamports: lamports(0n),
      reason: null,
      freeLamports: lamports(CASH),
    }));
    const now = new Date();
    const placed = await database.transaction(async (sql) => {
      const order = {
        id,
        walletId,
        userId,
        bookId: bookIds[0]!,
        kind: 'trade',
        side: 'buy',
        mint: MINT,
        slippageBps: 100,
      } as const;
      const costs = { feeReserveLamports: lamports(10_000n), tokenProgram: TOKEN_PROGRAM, now };
      const held = await insertRound(sql, { ...order, parts }, costs);
      await claimOrders(sql, [{ id, attempts: 0, minOut: baseUnits(1n) }]);
      return held.round!.parts;
    });
    const before = await walPosition(database);
    posts.push(
      await timed(() =>
        database.transaction((sql) =>
          settleOrders(
            sql,
            [
              {
                orderId: id,
                tokenProgram: TOKEN_PROGRAM,
                venueFeeBps: 50,
                at: now,
                fill: {
                  signature: id,
                  slot: 1n,
                  failed: false,
                  tokens: baseUnits(BigInt(count) * 77_777n + 13n),
                  lamports: lamports(SPEND * BigInt(count)),
                  feeLamports: lamports(10_000n),
                  rentLamports: 0n,
                  createdAccount: null,
                },
              },
            ],
            // As whoever placed the round and still runs.
            new Map([[id, placed]]),
          ),
        ),
      ),
    );
    walBytes = (await walPosition(database)) - before;
    memoryMb = Math.max(memoryMb, Math.round(process.memoryUsage.rss() / 2 ** 20));
  }
  await database.write(`drop table bench_bare`);
  const [postMs, bareMs] = [median(posts), median(bare)];
  return {
    allocations: count,
    postMs: Math.round(postMs),
    bareInsertMs: Math.round(bareMs),
    shareOfBareInsert: Math.round((bareMs / postMs) * 1000) / 1000,
    walBytesEach: Number(walBytes) / count,
    memoryMb,
  };
}

async function openBooks(database: Database, count: number) {
  const [userId, walletId] = [randomUUID(), randomUUID()];
  const bookIds: string[] = [];
  await database.transaction(async (sql) => {
    await sql.write(
      `insert into users (id, email, email_key, password_hash, display_name) values ($1, $2, $2, '', $2)`,
      [userId, userId],
    );
    await insertWallet(sql, {
      id: walletId,
      userId,
      kind: 'strategy',
      address: Keypair.generate().address,
      sealedKey: '',
    });
    bookIds.push((await openBook(sql, { userId, walletId, kind: 'strategy', name: 'Bench' })).id);
    const rows = await sql.write<{ id: string }>(
      `insert into book (user_id, wallet_id, kind, name) select $1, $2, 'follow', 'Bench' from generate_series(2, $3::int) returning id`,
      [userId, walletId, count],
    );
    bookIds.push(...rows.map(({ id }) => id));
    await postEntries(sql, [
      {
        kind: 'deposit',
        reference: `bench:${walletId}`,
        postings: [
          ...bookIds.map((bookId) => ({ bookId, account: 'cash' as const, asset: SOL, amount: CASH })),
          { bookId: null, account: 'chain', asset: SOL, amount: -CASH * BigInt(count) },
        ],
      },
    ]);
  });
  return { userId, walletId, bookIds };
}

async function walPosition(database: Database): Promise<bigint> {
  const [row] = await database.query<{ bytes: bigint }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as bytes`,
  );
  return row!.bytes;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!;
}
