import { Keypair } from '@hunter/solana/keypair';
import { randomUUID } from 'node:crypto';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { parseDecimal } from '@hunter/domain/numbers/decimal';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import type { Address } from '@hunter/solana/address';
import { openBook, type Book } from '../ledger/books.ts';
import { postEntries, SOL, type JournalKind, type Posting } from '../ledger/journal.ts';
import { recordFills } from '../ledger/positions.ts';
import { insertWallet } from '../ledger/wallets.ts';
import { ManualClock } from '../platform/clock-for-test.ts';
import type { Database } from '../platform/postgres.ts';
import type { Trading } from '../trading/trading.ts';

export const ONE = 1_000_000_000n;
export const NETWORK_FEE = 10_000n;
export const DAY_MS = 86_400_000;

export type PortfolioTest = {
  userId: string;
  personal: Book;
  follow: Book;
  clock: ManualClock;
  /** Lamports per base unit; a mint without one cannot be priced. */
  prices: Map<string, bigint>;
  trading: Trading;
};

/** A user with a personal book and one in a followed strategy. */
export async function newPortfolioTest(database: Database): Promise<PortfolioTest> {
  const clock = new ManualClock();
  const prices = new Map([
    ['MintA', 3n],
    ['MintB', 7n],
  ]);
  const pools = {
    values: async (holdings: readonly { mint: Address; tokens: bigint }[]): Promise<(Lamports | null)[]> =>
      holdings.map(({ mint, tokens }) => {
        const price = prices.get(mint);
        return price === undefined ? null : lamports(tokens * price);
      }),
  };
  const tokens = {
    load: async (mints: readonly Address[]) =>
      new Map(mints.map((mint) => [mint, { mint, symbol: `=${mint}`, name: mint, decimals: 0 }])),
  };
  const trading = { database, pools, tokens, clock, solUsd: () => '150' } as unknown as Trading;
  const userId = randomUUID();
  await database.write(
    `insert into users (id, email, email_key, password_hash, display_name) values ($1, $2, $2, '', $2)`,
    [userId, `${userId}@example.com`],
  );
  const walletOf = async (kind: 'personal' | 'strategy') => {
    const id = randomUUID();
    await insertWallet(database, { id, userId, kind, address: Keypair.generate().address, sealedKey: '' });
    return id;
  };
  const personal = await openBook(database, {
    userId,
    walletId: await walletOf('personal'),
    kind: 'personal',
    name: 'Me',
  });
  const follow = await openBook(database, {
    userId,
    walletId: await walletOf('strategy'),
    kind: 'follow',
    name: 'Moon',
  });
  return { userId, personal, follow, clock, prices, trading };
}

/** What tests of the portfolio post, each time for the user that the test has then. */
export function portfolioSteps(
  current: () => Pick<PortfolioTest, 'userId' | 'personal' | 'follow' | 'clock'> & { database: Database },
) {
  async function post(kind: JournalKind, postings: Posting[], reference: string = randomUUID()): Promise<void> {
    await postEntries(current().database, [{ kind, reference, at: new Date(current().clock.nowMs()), postings }]);
  }

  const deposit = (amount: bigint) =>
    post('deposit', [
      { bookId: current().personal.id, account: 'cash', asset: SOL, amount },
      { bookId: null, account: 'external', asset: SOL, amount: -amount },
    ]);

  const commit = (amount: bigint, fee: bigint) =>
    post('commit', [
      { bookId: current().personal.id, account: 'cash', asset: SOL, amount: -amount - fee },
      { bookId: current().follow.id, account: 'cash', asset: SOL, amount },
      { bookId: null, account: 'network-fee', asset: SOL, amount: fee },
    ]);

  /** An order of one book that filled, with its transaction of two signatures and a priority fee on top. */
  async function trade(book: Book, mint: Address, side: 'buy' | 'sell', tokens: bigint, sol: bigint, priority = 0n) {
    const { userId } = current();
    const [orderId, signature] = [randomUUID(), randomUUID()];
    const fee = NETWORK_FEE + priority;
    const signed = side === 'buy' ? 1n : -1n;
    const [into, out] = side === 'buy' ? [sol, tokens] : [tokens, sol];
    await current().database.write(
      `insert into trade_order (id, user_id, book_id, wallet_id, kind, side, mint, amount_in, swap_in, slippage_bps, state, signature,
         filled_in, filled_out, fee_lamports, venue_fee_lamports)
       values ($1, $2, $3, $4, 'trade', $5, $6, $7, $7, 100, 'finalized', $8, $7, $9, $10, $11)`,
      [orderId, userId, book.id, book.walletId, side, mint, into, signature, out, fee, sol / 100n],
    );
    await current().database.write(
      `insert into signed_transaction (signature, purpose, intent_id, attempt, wallet_address, wire, last_valid_block_height, sender)
       values ($1, 'order', $2, 1, 'w', '\\x0200', 1, '')`,
      [signature, orderId],
    );
    await post(
      'order-fill',
      [
        { bookId: book.id, account: 'cash', asset: SOL, amount: -signed * sol - fee },
        { bookId: book.id, account: 'cash', asset: mint, amount: signed * tokens },
        { bookId: null, account: 'network-fee', asset: SOL, amount: fee },
        { bookId: null, account: 'venue', asset: SOL, amount: signed * sol },
        { bookId: null, account: 'venue', asset: mint, amount: -signed * tokens },
      ],
      orderId,
    );
    const fill = { kind: side, tokens: baseUnits(tokens), lamports: lamports(sol), feeLamports: lamports(fee) };
    const at = new Date(current().clock.nowMs());
    await recordFills(current().database, [
      { reference: orderId, userId, bookId: book.id, mint, fill, at, orderId, signature },
    ]);
  }

  return { post, deposit, commit, trade };
}

export const lamportsOf = (text: string | null): bigint => parseDecimal(text!, 9);
