import { address } from '@hunter/solana/address';
import { unitsIn } from '@hunter/domain/market/swap-maths';
import { Keypair } from '@hunter/solana/keypair';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { randomUUID } from 'node:crypto';
import { lamports } from '@hunter/domain/numbers/lamports';
import { FLAT, positionAfter, type Fill } from '@hunter/domain/record/position';
import { roundTripAfter, type RoundTrip } from '@hunter/domain/record/round-trip';
import { TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadBookHoldings } from '../../ledger/balances.ts';
import { openBook } from '../../ledger/books.ts';
import { postEntries, SOL } from '../../ledger/journal.ts';
import {
  positionOf,
  SELECT_POSITION,
  SELECT_TRIP,
  tripOf,
  type PositionRow,
  type TripRow,
} from '../../ledger/positions.ts';
import { postRoundFill } from '../../ledger/round-entries.ts';
import { insertWallet } from '../../ledger/wallets.ts';
import type { Database } from '../../platform/postgres.ts';
import { useTestDatabase } from '../../platform/postgres-for-test.ts';
import { controlLines } from '../order-postings.ts';
import { claimOrders, killOrders, loadOrders } from '../order-store.ts';
import { proposeSettlement } from '../settle-difference.ts';
import { settleOrders } from '../settle-orders.ts';
import { loadParts, packShares } from './allocation-store.ts';
import { insertRound } from './place-round.ts';
import type { NewPart } from './round.ts';

const MINT = address('So11111111111111111111111111111111111111113');
const DEPOSIT = 1_000_000_000n;
const FEE = lamports(10_000n);

let database: Database;
useTestDatabase((opened) => {
  database = opened;
});

const userId = randomUUID();
let walletId: string;
let bookIds: string[];

beforeEach(async () => {
  walletId = randomUUID();
  await database.write(
    `insert into users (id, email, email_key, password_hash, display_name) values ($1, $2, $2, '', $2) on conflict do nothing`,
    [userId, userId],
  );
  await insertWallet(database, {
    id: walletId,
    userId,
    kind: 'strategy',
    address: Keypair.generate().address,
    sealedKey: '',
  });
  bookIds = [];
  for (const kind of ['strategy', 'follow', 'follow'] as const) {
    const { id } = await openBook(database, { userId, walletId, kind, name: 'Round' });
    bookIds.push(id);
    await postEntries(database, [
      {
        kind: 'deposit',
        reference: id,
        postings: [
          { bookId: id, account: 'cash', asset: SOL, amount: DEPOSIT },
          { bookId: null, account: 'chain', asset: SOL, amount: -DEPOSIT },
        ],
      },
    ]);
  }
});

async function place(side: 'buy' | 'sell', amounts: readonly bigint[]): Promise<string> {
  const id = randomUUID();
  const parts = amounts.map((amountIn, index): NewPart => ({
    bookId: bookIds[index]!,
    userId,
    followId: index === 0 ? null : bookIds[index]!,
    wantedIn: unitsIn(side, amountIn),
    amountIn: unitsIn(side, amountIn),
    limitedBy: null,
    runUpLamports: lamports(0n),
    costLamports: lamports(0n),
    reason: null,
    freeLamports: lamports(DEPOSIT),
  }));
  const round = {
    id,
    walletId,
    userId,
    bookId: bookIds[0]!,
    kind: 'trade',
    side,
    mint: MINT,
    slippageBps: 100,
  } as const;
  const options = { feeReserveLamports: FEE, tokenProgram: TOKEN_PROGRAM, now: new Date() };
  await database.transaction((sql) => insertRound(sql, { ...round, parts }, options));
  return id;
}

const balances = async () =>
  (await loadBookHoldings(database, bookIds)).toSorted((one, other) => (one.bookId < other.bookId ? -1 : 1));
const claim = (id: string) => claimOrders(database, [{ id, attempts: 0, minOut: baseUnits(1n) }]);

function fillOf(sol: bigint, tokens: bigint) {
  const base = { signature: randomUUID(), slot: 1n, failed: false, rentLamports: 0n, createdAccount: null };
  return { ...base, tokens: baseUnits(tokens), lamports: lamports(sol), feeLamports: FEE };
}

async function settle(id: string, sol: bigint, tokens: bigint): Promise<void> {
  await claim(id);
  const settlement = {
    orderId: id,
    tokenProgram: TOKEN_PROGRAM,
    venueFeeBps: 50,
    at: new Date(),
    fill: fillOf(sol, tokens),
  };
  await database.transaction((sql) => settleOrders(sql, [settlement]));
}

/** As the soak asks: entries sum to zero, balances are the sums of their lines, positions and trips follow from the fills. */
async function checkLedger(): Promise<void> {
  expect(
    await database.query(`select entry_id from journal_line group by entry_id, asset having sum(amount) <> 0`),
  ).toEqual([]);
  const unequal = await database.query(
    `select * from balance b full join (
       select book_id, account, asset, sum(amount) as amount from journal_line where book_id is not null group by 1, 2, 3
     ) p using (book_id, account, asset) where coalesce(b.amount, 0) <> coalesce(p.amount, 0)`,
  );
  expect(unequal).toEqual([]);
  for (const bookId of bookIds) {
    const fills = await database.query<Record<string, unknown> & { at: Date }>(
      `select kind, tokens, lamports, fee_lamports as "feeLamports", at from standing_fill where book_id = $1 order by place, id`,
      [bookId],
    );
    let position = FLAT;
    let trip: RoundTrip | null = null;
    for (const { at, ...row } of fills) {
      const fill = row as unknown as Fill;
      trip = roundTripAfter(trip, fill, at.getTime(), position.uncostedTokens);
      position = positionAfter(position, fill);
    }
    const [stored] = await database.query<PositionRow>(`${SELECT_POSITION} where p.book_id = $1`, [bookId]);
    expect(positionOf(stored!)).toEqual(position);
    const trips = await database.query<TripRow>(`${SELECT_TRIP} where t.book_id = $1 order by t.id desc limit 1`, [
      bookId,
    ]);
    expect(tripOf(trips[0]!)).toEqual(trip);
  }
}

describe('the postings of a round', () => {
  it('are what the fills of each book say, through purchases, sales and a new position', async () => {
    await settle(await place('buy', [100_000_000n, 30_000_000n, 7n]), 130_000_007n, 13_000_001n);
    await checkLedger();
    await settle(await place('buy', [50_000_000n, 30_000_000n, 20_000_000n]), 100_000_000n, 777_777n);
    await checkLedger();
    const held = await database.query<{ amount: bigint }>(
      `select quantity as amount from position where book_id = any($1::uuid[]) order by array_position($1::uuid[], book_id)`,
      [bookIds],
    );
    const tokens = held.map(({ amount }) => amount);
    const half = tokens.map((amount) => amount / 2n);
    await settle(
      await place('sell', half),
      60_000_001n,
      half.reduce((sum, amount) => sum + amount, 0n),
    );
    await checkLedger();
    const rest = tokens.map((amount, index) => amount - half[index]!);
    await settle(
      await place('sell', rest),
      70_000_003n,
      rest.reduce((sum, amount) => sum + amount, 0n),
    );
    await checkLedger();
    await settle(await place('buy', [1_000_000n, 2_000_000n, 3_000_000n]), 6_000_000n, 999n);
    await checkLedger();
    const posted = await database.query(`select 1 from posting where book_id = any($1::uuid[]) and asset = $2`, [
      bookIds,
      MINT,
    ]);
    expect(posted).toEqual([]);
  });

  it('take what a part paid for less than one token as its cost', async () => {
    const before = await balances();
    const id = await place('buy', [100_000_000n, 30_000_000n, 7n]);
    await settle(id, 130_000_007n, 130n);
    const after = await balances();
    const solOf = (rows: typeof before, bookId: string) =>
      rows.find((row) => row.bookId === bookId && row.asset === SOL)!.cash;
    const small = bookIds[2]!;
    expect(solOf(before, small) - solOf(after, small)).toBe(7n);
    const [stored] = await database.query<PositionRow>(`${SELECT_POSITION} where p.book_id = $1`, [small]);
    expect(positionOf(stored!)).toEqual({ ...FLAT, realizedLamports: -7n });
    const unequal = await database.query(
      `select entry_id from journal_line group by entry_id, asset having sum(amount) <> 0`,
    );
    expect(unequal).toEqual([]);
    const [order] = await loadOrders(database, [id]);
    expect(order!.state).toBe('confirmed');
  });

  it('wait while something is missing in the wallet, until all books have borne it pro rata', async () => {
    const have = DEPOSIT * 3n;
    await database.write(
      `insert into reconciliation_alarm (wallet_id, user_id, asset, books, chain, slot) values ($1, $2, $3, $4, $5, 1)`,
      [walletId, userId, SOL, have, have - 100n],
    );
    await expect(place('buy', [1_000n, 1_000n, 1_000n])).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
    const proposal = { walletId, asset: SOL, difference: -100n, bookId: null, cause: 'a stolen key', operator: 'one' };
    const compare = async () => ({ assets: [{ asset: SOL, books: have, chain: have - 100n }], slot: 1n });
    await proposeSettlement(database, compare, proposal, { operatorsNeeded: 1 });
    const left = (await balances()).map(({ cash }) => DEPOSIT - cash);
    expect(left.reduce((sum, amount) => sum + amount, 0n)).toBe(100n);
    for (const amount of left) expect([33n, 34n]).toContain(amount);
    await place('buy', [1_000n, 1_000n, 1_000n]);
  });

  it('end where the round failed and its creator has no SOL left for the fee', async () => {
    const [creator, follower] = bookIds as [string, string];
    await postEntries(database, [
      {
        kind: 'external-out',
        reference: `all of ${creator}`,
        postings: [
          { bookId: creator, account: 'cash', asset: SOL, amount: -DEPOSIT },
          { bookId: null, account: 'external', asset: SOL, amount: DEPOSIT },
        ],
      },
      {
        kind: 'deposit',
        reference: `tokens of ${follower}`,
        postings: [
          { bookId: follower, account: 'cash', asset: MINT, amount: 5n },
          { bookId: null, account: 'external', asset: MINT, amount: -5n },
        ],
      },
    ]);
    const id = randomUUID();
    const limits = {
      wantedIn: baseUnits(5n),
      limitedBy: null,
      runUpLamports: lamports(0n),
      costLamports: lamports(0n),
      reason: null,
    };
    const part = {
      ...limits,
      bookId: follower,
      userId,
      followId: follower,
      amountIn: baseUnits(5n),
      freeLamports: lamports(0n),
    };
    const order = { kind: 'exit', side: 'sell', mint: MINT, slippageBps: 100 } as const;
    const round = { ...order, id, walletId, userId, bookId: creator, parts: [part] };
    const options = { feeReserveLamports: FEE, tokenProgram: TOKEN_PROGRAM, now: new Date() };
    await database.transaction((sql) => insertRound(sql, round, options));
    await claim(id);
    const fill = { ...fillOf(0n, 0n), failed: true };
    const settlement = { orderId: id, tokenProgram: TOKEN_PROGRAM, venueFeeBps: 50, at: new Date(), fill };
    await database.transaction((sql) => settleOrders(sql, [settlement]));
    expect(await loadOrders(database, [id])).toMatchObject([{ state: 'failed' }]);
    const left = (await balances()).filter(({ asset }) => asset === SOL);
    expect(left.reduce((sum, { cash }) => sum + cash, 0n)).toBe(2n * DEPOSIT - FEE);
  });

  it('give everything back where the round ends without a trade', async () => {
    const before = await balances();
    const id = await place('buy', [100_000_000n, 30_000_000n, 20_000_000n]);
    await killOrders(database, [{ id, error: 'PRICE_MOVED' }], new Date());
    expect(await balances()).toEqual(before);
  });

  it('set nothing aside where one book cannot pay', async () => {
    const before = await balances();
    await expect(place('buy', [1n, DEPOSIT + 1n, 1n])).rejects.toMatchObject({ errorName: 'INSUFFICIENT_BALANCE' });
    expect(await balances()).toEqual(before);
  });

  const amounts = { in: 150_000_000n, out: 1_500n };
  const placed = [100_000_000n, 30_000_000n, 20_000_000n];
  const confirmed = [`update trade_order set state = 'confirmed' where id = $1`];
  type Change = { before?: string[]; in?: bigint; control?: bigint; shares?: (shares: Buffer) => Buffer | null };

  async function post(id: string, change: Change = {}): Promise<void> {
    const [order] = await loadOrders(database, [id]);
    const fill = fillOf(amounts.in + (change.in ?? 0n), amounts.out);
    const postings = controlLines(order!, { ...fill, tokens: baseUnits(fill.tokens + (change.control ?? 0n)) });
    const parts = (await loadParts(database, [id])).get(id)!;
    const packed = packShares(
      parts.map(({ bookId, amountIn }) => ({
        share: {
          amountIn: lamports(amountIn),
          amountOut: baseUnits(amountIn / 100_000n),
          feeLamports: bookId === bookIds[0] ? FEE : lamports(0n),
        },
      })),
    );
    const shares = change.shares ? change.shares(packed)! : packed;
    await database.transaction(async (sql) => {
      for (const statement of change.before ?? confirmed) await sql.write(statement, [id]);
      const { signature, slot } = fill;
      const chain = { amountIn: fill.lamports, amountOut: fill.tokens, feeLamports: FEE };
      await postRoundFill(sql, { orderId: id, at: new Date(), signature, slot, ...chain, shares, postings });
    });
  }

  it.each<[string, Change]>([
    ['the chain took one lamport more than they say', { in: 1n }],
    ['the control line has one token more than they give', { control: 1n }],
    ['none of them has a fill', { shares: () => null }],
    ['one of them has no fill', { shares: (shares) => shares.subarray(24) }],
    [
      'there is a fill more than there are allocations',
      { shares: (shares) => Buffer.concat([shares, Buffer.alloc(24)]) },
    ],
    [
      'one of them is missing',
      { before: [`delete from allocation where ctid = (select min(ctid) from allocation where order_id = $1)`] },
    ],
    ['all of them are missing', { before: [`delete from allocation where order_id = $1`] }],
    [
      'two of them have the fill of each other',
      { shares: (shares) => Buffer.concat([shares.subarray(24, 48), shares.subarray(0, 24), shares.subarray(48)]) },
    ],
    ['one token moves from the swap to nobody', { shares: (shares) => shares.fill(shares[15]! - 1, 15, 16) }],
  ])('are refused where %s', async (_, change) => {
    const id = await place('buy', placed);
    await claim(id);
    const held = await balances();
    await expect(post(id, change)).rejects.toMatchObject({ constraint: 'round_adds_up' });
    expect(await balances()).toEqual(held);
    await post(id);
    await checkLedger();
  });

  it('are refused where two allocations claim the same fill', async () => {
    const id = await place('buy', [50_000_000n, 50_000_000n, 50_000_000n]);
    await claim(id);
    await database.transaction(async (sql) => {
      await sql.write(`alter table allocation disable trigger allocation_is_posted`);
      await sql.write(`update allocation set place = 1 where order_id = $1`, [id]);
      await sql.write(`alter table allocation enable trigger allocation_is_posted`);
    });
    await expect(post(id)).rejects.toMatchObject({ constraint: 'round_adds_up' });
  });

  it('take amounts that only fit into 64 bits without a sign', async () => {
    await settle(await place('buy', placed), amounts.in, 2n ** 64n - 1n);
    await checkLedger();
    const [held] = await database.query<{ tokens: bigint }>(
      `select sum(filled_out) as tokens from filled_allocation where book_id = any($1::uuid[])`,
      [bookIds],
    );
    expect(held!.tokens).toBe(2n ** 64n - 1n);
  });

  it('are refused to a round that counts as confirmed without them', async () => {
    const id = await place('buy', [100_000_000n, 30_000_000n, 20_000_000n]);
    await claim(id);
    const confirm = database.write(`update trade_order set state = 'confirmed' where id = $1`, [id]);
    await expect(confirm).rejects.toMatchObject({ constraint: 'round_adds_up' });
  });

  it('do not change afterwards', async () => {
    const id = await place('buy', [100_000_000n, 30_000_000n, 20_000_000n]);
    await settle(id, amounts.in, amounts.out);
    for (const change of ['filled_out = 1', 'place = place + 1', 'hold_lamports = hold_lamports + 1']) {
      await expect(database.write(`update allocation set ${change} where order_id = $1`, [id])).rejects.toThrow(
        'a posted allocation does not change',
      );
    }
    for (const change of ['update round_entry set shares = null', 'delete from round_entry', 'truncate round_entry']) {
      await expect(database.write(change)).rejects.toThrow('the journal is insert-only');
    }
  });
});
