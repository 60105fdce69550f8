import { baseUnits } from '@hunter/domain/numbers/base-units';
import { lamports } from '@hunter/domain/numbers/lamports';
import { lamportDelta, tokenDelta, type BalanceChanges } from '@hunter/solana/balance-changes';
import { TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import type { BookInWallet } from '../../ledger/books.ts';
import {
  SOL,
  type BookAccount,
  type EntryName,
  type JournalEntry,
  type Posting,
  type Asset,
} from '../../ledger/journal.ts';
import type { FillRow } from '../../ledger/positions.ts';
import type { CostMove } from '../../ledger/transfers.ts';
import type { NewTokenAccount } from '../../trading/token-accounts.ts';
import type { Leg, Transfer } from './transfer.ts';
import { heldLamports, sentLamports, shareFee, shareRents } from './transfer-costs.ts';

const inBook = ({ bookId }: BookInWallet, account: BookAccount, asset: Asset, amount: bigint): Posting => ({
  bookId,
  account,
  asset,
  amount,
});
const networkFee = (amount: bigint): Posting => ({ bookId: null, account: 'network-fee', asset: SOL, amount });

/** Sets the money of all legs aside. */
export function holdEntry({ id, kind, legs }: Pick<Transfer, 'id' | 'kind' | 'legs'>, at: Date): JournalEntry {
  const postings = legs.flatMap((leg) => {
    const sol = heldLamports(kind, legs, leg);
    const tokens = leg.asset === SOL ? 0n : leg.amount;
    return [
      inBook(leg.from, 'cash', SOL, -sol),
      inBook(leg.from, 'held', SOL, sol),
      inBook(leg.from, 'cash', leg.asset, -tokens),
      inBook(leg.from, 'held', leg.asset, tokens),
    ];
  });
  return { kind: 'transfer-hold', reference: id, at, postings };
}

/** Nothing happened and nothing will: all of it is free again. */
export function releaseEntry(transfer: Transfer, at: Date): JournalEntry {
  const held = holdEntry(transfer, at).postings;
  return {
    kind: 'transfer-release',
    reference: transfer.id,
    at,
    postings: held.map((posting) => ({ ...posting, amount: -posting.amount })),
  };
}

/** It failed on chain: the fee is gone, the rest is free again. */
export function failedEntry(transfer: Transfer, changes: BalanceChanges, at: Date): JournalEntry {
  const { kind, legs } = transfer;
  const fees = shareFee(kind, legs, changes.fee);
  const postings = legs.flatMap((leg) => [inBook(leg.from, 'cash', SOL, -(fees.get(leg.line) ?? 0n))]);
  return {
    ...releaseEntry(transfer, at),
    kind: 'transfer-failed',
    signature: changes.signature,
    slot: changes.slot,
    postings: [...releaseEntry(transfer, at).postings, ...postings, networkFee(changes.fee)],
  };
}

/** The names of what a transfer may have posted, entries and fills. */
export function postedNames({ id, kind, legs }: Transfer): { entries: EntryName[]; fills: string[] } {
  const lines = legs.map(({ line }) => `${id}:${line}`);
  return {
    entries: [
      { kind, reference: id },
      { kind: 'transfer-failed', reference: id },
      ...lines.map((reference) => ({ kind: 'deposit' as const, reference })),
    ],
    fills: lines.flatMap((line) => [line, `${line}:out`, `${line}:in`, `${line}:lost`]),
  };
}

export type TransferPosting = {
  entries: JournalEntry[];
  moves: CostMove[];
  /** Of tokens that nobody had claimed, and of those that a token kept for itself. */
  fills: FillRow[];
  /** By line. */
  received: Map<number, bigint>;
  accounts: NewTokenAccount[];
};

/** What the chain says that it did. Whatever was set aside and not spent is free again. */
export function settledPosting(transfer: Transfer, changes: BalanceChanges, at: Date): TransferPosting {
  const { id, kind, legs } = transfer;
  const { signature, slot } = changes;
  const created = newAccounts(legs, changes);
  const rentOf = ({ line }: Pick<Leg, 'line'>): bigint => created.get(line)?.rentLamports ?? 0n;
  const fees = shareFee(kind, legs, changes.fee);
  const rents = shareRents(legs, rentOf);
  const received = receivedBy(transfer, changes, rentOf);
  const cause = { at, signature, slot };

  const postings: Posting[] = [networkFee(changes.fee)];
  const result: TransferPosting = {
    entries: [{ ...cause, kind, reference: id, postings }],
    moves: [],
    fills: [],
    received,
    accounts: [...created.values()],
  };
  for (const leg of legs) {
    const { line, from, to, asset, amount } = leg;
    const got = received.get(line)!;
    const held = heldLamports(kind, legs, leg);
    const spent = (asset === SOL ? got : 0n) + (fees.get(line) ?? 0n) + (rents.get(line) ?? 0n);
    postings.push(inBook(from, 'held', SOL, -held), inBook(from, 'cash', SOL, held - spent));
    postings.push(inBook(to, 'rent', SOL, rentOf(leg)));
    if (asset !== SOL) {
      // What a token keeps for itself of every transfer is gone.
      postings.push(inBook(from, 'held', asset, -amount));
      postings.push({ bookId: null, account: 'external', asset, amount: amount - got });
    }
    if (from.kind !== 'unclaimed') postings.push(inBook(to, 'cash', asset, got));
    else {
      // Nobody's before: to whoever gets it, it comes from outside.
      postings.push({ bookId: null, account: 'external', asset, amount: got });
      const outside: Posting[] = [
        { bookId: null, account: 'external', asset, amount: -got },
        inBook(to, 'cash', asset, got),
      ];
      result.entries.push({ ...cause, kind: 'deposit', reference: `${id}:${line}`, postings: outside });
    }
    if (asset === SOL) continue;
    const reference = `${id}:${line}`;
    const tokens = baseUnits(got);
    const [source, target] = [from, to].map(({ bookId, userId }) => ({ id: bookId, userId }));
    if (from.kind !== 'unclaimed') {
      if (got > 0n) result.moves.push({ ...cause, reference, from: source!, to: target!, mint: asset, tokens });
      const lost = { ...cause, reference: `${reference}:lost`, userId: from.userId, bookId: from.bookId, mint: asset };
      if (amount > got) result.fills.push({ ...lost, fill: { kind: 'sent', tokens: baseUnits(amount - got) } });
    } else if (got > 0n) {
      const row = { ...cause, reference, userId: to.userId, bookId: to.bookId, mint: asset };
      result.fills.push({ ...row, fill: { kind: 'received', tokens } });
    }
  }
  return result;
}

/** The token accounts of receivers that the transaction made, by the line of the first leg that needed one. */
function newAccounts(legs: readonly Leg[], changes: BalanceChanges): Map<number, NewTokenAccount> {
  const created = new Map<number, NewTokenAccount>();
  for (const { account, owner, mint, rentLamports } of changes.tokenAccountsCreated) {
    const leg = legs.find(({ to, asset }) => to.address === owner && asset === mint);
    if (!leg) throw new Error(`transaction ${changes.signature} made a token account for ${owner} that no leg needs`);
    const { walletId, bookId } = leg.to;
    const moved = changes.tokenDeltas.find((delta) => delta.owner === owner && delta.mint === mint);
    const tokenProgram = moved?.tokenProgram ?? TOKEN_PROGRAM;
    created.set(leg.line, {
      walletId,
      bookId,
      mint,
      address: account,
      tokenProgram,
      rentLamports: lamports(rentLamports),
    });
  }
  return created;
}

/**
 * What each leg brought, by the balances of the receivers. Where legs share a receiver and less came than was left to send,
 * because a token account cost less than its ceiling, the first of them bears it.
 */
function receivedBy(
  { kind, legs }: Transfer,
  changes: BalanceChanges,
  rentOf: (leg: Pick<Leg, 'line'>) => bigint,
): Map<number, bigint> {
  const received = sentLamports(kind, legs, changes.fee, rentOf);
  for (const { line, asset, amount } of legs) if (asset !== SOL) received.set(line, amount);
  const groups = Map.groupBy(legs, ({ to, asset }) => `${to.address} ${asset}`);
  for (const group of groups.values()) {
    const { asset, to, line } = group[0]!;
    const came = asset === SOL ? lamportDelta(changes, to.address) : tokenDelta(changes, to.address, asset);
    const most = group.reduce((sum, leg) => sum + received.get(leg.line)!, 0n);
    const first = received.get(line)! - (most - came);
    if (came > most || first < 0n) {
      throw new Error(
        `${came} of ${asset} came to ${to.address} by ${changes.signature}, and at most ${most} was sent`,
      );
    }
    received.set(line, first);
  }
  return received;
}
