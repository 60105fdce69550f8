import { printDecimal } from '@hunter/domain/numbers/decimal';
import { printSol, type Lamports } from '@hunter/domain/numbers/lamports';
import type { HoldReason } from '@hunter/signer-client/signer-error';
import type { Address } from '@hunter/solana/address';
import type { CallReply } from '@hunter/contract/calls';
import type { ErrorName } from '@hunter/contract/error-catalogue';
import { SOL, type Asset } from '../ledger/journal.ts';
import { isRentMaximum } from '../trading/order-limits.ts';
import { symbolOf } from './wallet-movements.ts';

export type WithdrawalState =
  | 'requested'
  | 'delayed'
  | 'approved'
  | 'sent'
  | 'confirmed'
  | 'finalized'
  | 'failed'
  | 'refused'
  | 'cancelled';

/** The lifecycle as a table; migrations/0006-treasury.sql says what each state means. */
export const nextWithdrawalStates = {
  requested: ['sent', 'delayed', 'refused'],
  // Its owner has seen it: where the signer refuses it in the end, it stays in his list.
  delayed: ['sent', 'failed', 'cancelled'],
  approved: ['sent', 'delayed', 'failed'],
  sent: ['confirmed', 'finalized', 'failed', 'approved'],
  // A confirmed transaction may still vanish with its fork and then expire.
  confirmed: ['finalized', 'failed', 'approved'],
  finalized: [],
  failed: [],
  refused: [],
  cancelled: [],
} as const satisfies Record<WithdrawalState, readonly WithdrawalState[]>;

export type Withdrawal = {
  id: string;
  userId: string;
  bookId: string;
  fromAddress: Address;
  toAddress: Address;
  /** 'SOL' or a mint address. */
  asset: Asset;
  /** Lamports, or base units of the token. */
  amount: bigint;
  decimals: number;
  /** Null for SOL. */
  tokenProgram: Address | null;
  feeLamports: Lamports;
  /** Set aside for the destination's token account; zero where it has one. */
  rentLamports: Lamports;
  state: WithdrawalState;
  heldUntil: Date | null;
  holdReason: HoldReason | null;
  signature: string | null;
  error: ErrorName | null;
  createdAt: Date;
};

/** SOL that is set aside for it. */
export function heldLamports(row: Pick<Withdrawal, 'asset' | 'amount' | 'feeLamports' | 'rentLamports'>): bigint {
  return row.feeLamports + row.rentLamports + (row.asset === SOL ? row.amount : 0n);
}

const shownStatus = {
  requested: 'requested',
  delayed: 'held',
  approved: 'resending',
  sent: 'sent',
  confirmed: 'confirmed',
  finalized: 'finalized',
  failed: 'failed',
  refused: 'failed',
  cancelled: 'cancelled',
} as const satisfies Record<WithdrawalState, string>;

/** Names that the row does not hold. */
export type WithdrawalNames = { symbols: ReadonlyMap<string, string>; labels: ReadonlyMap<string, string> };

export function withdrawalView(row: Withdrawal, { symbols, labels }: WithdrawalNames): CallReply<'withdrawal'> {
  const delayed = row.state === 'delayed';
  return {
    id: row.id,
    status: shownStatus[row.state],
    toWallet: row.toAddress,
    label: labels.get(row.toAddress) ?? null,
    tokenContractAddress: row.asset === SOL ? null : row.asset,
    tokenSymbol: symbolOf(row.asset, symbols),
    amount: printDecimal(row.amount, row.decimals),
    txHash: delayed ? null : row.signature,
    gasFee: printSol(row.feeLamports),
    accountRent: row.rentLamports === 0n ? null : printSol(row.rentLamports),
    accountRentIsMaximum: isRentMaximum(row.rentLamports),
    createdAt: row.createdAt.getTime(),
    heldUntil: delayed ? (row.heldUntil?.getTime() ?? null) : null,
    holdReason: delayed ? row.holdReason : null,
  };
}

export function isSettled(state: WithdrawalState): boolean {
  return nextWithdrawalStates[state].length === 0;
}
