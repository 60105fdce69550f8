import { AppError } from '@hunter/contract/app-error';
import type { BaseUnits } from '@hunter/domain/numbers/base-units';
import type { Lamports } from '@hunter/domain/numbers/lamports';
import { FLAT, takeOut } from '@hunter/domain/record/position';
import type { Address } from '@hunter/solana/address';
import { violates, type Sql } from '../platform/postgres.ts';
import { loadCash, lockCashOf } from './balances.ts';
import { depositBookOf, type BookKind } from './books.ts';
import { postEntries, SOL } from './journal.ts';
import { lockPositionsAt, recordFills, type FillRow } from './positions.ts';
import { WALLET_MINIMUM_LAMPORTS } from './wallet-minimum.ts';

export type BookRef = { id: string; userId: string; kind: BookKind };

/**
 * Moves free SOL between two books of one user; nothing moves on chain. `reference` names the cause: repeating it moves
 * nothing twice. Refused with INSUFFICIENT_BALANCE; a personal book keeps what the wallet needs to stay alive.
 */
export async function moveSol(
  sql: Sql,
  from: BookRef,
  to: BookRef,
  lamports: Lamports,
  reference: string,
): Promise<boolean> {
  await requireOneWallet(sql, from, to);
  if (from.kind === 'personal') {
    const left = (await lockCashOf(sql, from.id, SOL)) - lamports;
    const moved = await sql.query(`select 1 from journal_entry where kind = 'move-sol' and reference = $1`, [
      reference,
    ]);
    if (moved.length === 0 && left < WALLET_MINIMUM_LAMPORTS) throw new AppError('INSUFFICIENT_BALANCE');
  }
  return refusingOverdraft(async () => {
    const [fresh] = await postEntries(sql, [
      {
        kind: 'move-sol',
        reference,
        postings: [
          { bookId: from.id, account: 'cash', asset: SOL, amount: -lamports },
          { bookId: to.id, account: 'cash', asset: SOL, amount: lamports },
        ],
      },
    ]);
    return fresh!;
  });
}

/** Hands free SOL that is not worth sending to the unclaimed book of its wallet: a book that closes holds nothing. */
export async function dropDust(sql: Sql, bookId: string, walletId: string): Promise<void> {
  const dust = await loadCash(sql, bookId, SOL);
  if (dust === 0n) return;
  const unclaimed = await depositBookOf(sql, walletId);
  await postEntries(sql, [
    {
      kind: 'move-sol',
      reference: `dust:${bookId}`,
      postings: [
        { bookId, account: 'cash', asset: SOL, amount: -dust },
        { bookId: unclaimed.id, account: 'cash', asset: SOL, amount: dust },
      ],
    },
  ]);
}

/** Moves free tokens between two books of one user, in kind: their cost moves along and nothing is realized. */
export async function moveTokens(
  sql: Sql,
  from: BookRef,
  to: BookRef,
  mint: Address,
  tokens: BaseUnits,
  reference: string,
  at: Date,
): Promise<boolean> {
  await requireOneWallet(sql, from, to);
  return refusingOverdraft(async () => {
    const [fresh] = await postEntries(sql, [
      {
        kind: 'move-tokens',
        reference,
        at,
        postings: [
          { bookId: from.id, account: 'cash', asset: mint, amount: -tokens },
          { bookId: to.id, account: 'cash', asset: mint, amount: tokens },
        ],
      },
    ]);
    if (fresh) await moveCosts(sql, [{ reference, from, to, mint, tokens, at }]);
    return fresh!;
  });
}

export type CostMove = {
  reference: string;
  from: Pick<BookRef, 'id' | 'userId'>;
  to: Pick<BookRef, 'id' | 'userId'>;
  mint: Address;
  tokens: BaseUnits;
  at: Date;
  signature?: string;
  slot?: bigint;
};

/** After the posting that moves tokens in kind: their cost moves along, and positions and round trips of both books follow. */
export async function moveCosts(sql: Sql, moves: readonly CostMove[]): Promise<void> {
  const keys = moves.flatMap(({ from, to, mint }) => [
    { bookId: from.id, mint },
    { bookId: to.id, mint },
  ]);
  // Locked in the order everyone takes them; recordFills finds them locked already.
  const positions = await lockPositionsAt(sql, keys);
  const fills = moves.flatMap(({ from, to, reference, ...row }): FillRow[] => {
    const { mint, tokens } = row;
    const source = `${from.id} ${mint}`;
    const { taken, left } = takeOut(positions.get(source) ?? FLAT, tokens);
    positions.set(source, left);
    const out = { ...row, userId: from.userId, bookId: from.id, reference: `${reference}:out` };
    const into = { ...row, userId: to.userId, bookId: to.id, reference: `${reference}:in` };
    return [
      { ...out, fill: { kind: 'moved-out', tokens } },
      { ...into, fill: { kind: 'moved-in', ...taken } },
    ];
  });
  await recordFills(sql, fills);
}

/** Between wallets money moves on chain, by a transfer. */
async function requireOneWallet(sql: Sql, from: BookRef, to: BookRef): Promise<void> {
  const rows = await sql.query(`select distinct user_id, wallet_id from book where id = any($1::uuid[])`, [
    [from.id, to.id],
  ]);
  if (rows.length !== 1) throw new Error('money moves between books of one user in one wallet only');
}

async function refusingOverdraft<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    if (violates(cause, 'balance_not_negative')) throw new AppError('INSUFFICIENT_BALANCE', undefined, { cause });
    throw cause;
  }
}
