import { SOL } from '../../ledger/journal.ts';
import type { Leg } from './transfer.ts';

/** One signature, no priority fee. */
export const TRANSFER_FEE_LAMPORTS = 5_000n;
/** The most that a token account of either program locks up. */
export const TOKEN_ACCOUNT_RENT_MAX_LAMPORTS = 2_500_000n;

// The bytes of a transaction with one signature, and what each leg adds to it at most.
const TRANSACTION_BYTES_MAX = 1_232;
const FRAME_BYTES = 168;
const SOL_LEG_BYTES = 49;
const TOKEN_PROGRAMS_BYTES = 96;
const TOKEN_LEG_BYTES = 155;

/** How many SOL legs fit one return transaction. */
export const RETURN_LEGS_MAX = Math.floor((TRANSACTION_BYTES_MAX - FRAME_BYTES) / SOL_LEG_BYTES);

type CostLeg = Pick<Leg, 'line' | 'asset' | 'amount'> & { to: { bookId: string } };

export function fitsTransaction(legs: readonly CostLeg[]): boolean {
  const tokens = legs.filter(({ asset }) => asset !== SOL).length;
  const tokenBytes = tokens === 0 ? 0 : TOKEN_PROGRAMS_BYTES + tokens * TOKEN_LEG_BYTES;
  return FRAME_BYTES + (legs.length - tokens) * SOL_LEG_BYTES + tokenBytes <= TRANSACTION_BYTES_MAX;
}

/** The SOL leg that pays for new token accounts of the same receiver, if there is one that can. */
function payerOf(legs: readonly CostLeg[], token: CostLeg): CostLeg | undefined {
  const same = legs.filter(({ to }) => to.bookId === token.to.bookId);
  const accounts = BigInt(same.filter(({ asset }) => asset !== SOL).length);
  const costs = TRANSFER_FEE_LAMPORTS + accounts * TOKEN_ACCOUNT_RENT_MAX_LAMPORTS;
  return same.find(({ asset, amount }) => asset === SOL && amount > costs);
}

/** What a leg's book sets aside in SOL: its amount, and on top what no SOL of the transfer pays for. */
export function heldLamports(kind: 'commit' | 'return', legs: readonly CostLeg[], leg: CostLeg): bigint {
  if (kind === 'commit') return leg.amount + TRANSFER_FEE_LAMPORTS;
  if (leg.asset === SOL) return leg.amount;
  const fee = shareFee(kind, legs, TRANSFER_FEE_LAMPORTS).get(leg.line) ?? 0n;
  return fee + (payerOf(legs, leg) === undefined ? TOKEN_ACCOUNT_RENT_MAX_LAMPORTS : 0n);
}

/** The network fee by line: shared by the SOL legs, or by all where there is none; rounded down, the rest on the first. */
export function shareFee(kind: 'commit' | 'return', legs: readonly CostLeg[], fee: bigint): Map<number, bigint> {
  const sol = legs.filter(({ asset }) => asset === SOL);
  const payers = kind === 'commit' || sol.length === 0 ? legs : sol;
  const each = fee / BigInt(payers.length);
  const rest = fee % BigInt(payers.length);
  return new Map(payers.map(({ line }, index) => [line, each + (BigInt(index) < rest ? 1n : 0n)]));
}

/** The rents of new token accounts by the line that pays them. `rentOf` answers for token legs. */
export function shareRents(legs: readonly CostLeg[], rentOf: (leg: CostLeg) => bigint): Map<number, bigint> {
  const shares = new Map<number, bigint>();
  for (const leg of legs) {
    if (leg.asset === SOL) continue;
    const { line } = payerOf(legs, leg) ?? leg;
    shares.set(line, (shares.get(line) ?? 0n) + rentOf(leg));
  }
  return shares;
}

/** What the receiver of each SOL leg is sent. */
export function sentLamports(
  kind: 'commit' | 'return',
  legs: readonly CostLeg[],
  fee: bigint,
  rentOf: (leg: CostLeg) => bigint,
): Map<number, bigint> {
  const sol = legs.filter(({ asset }) => asset === SOL);
  if (kind === 'commit') return new Map(sol.map(({ line, amount }) => [line, amount]));
  const fees = shareFee(kind, legs, fee);
  const rents = shareRents(legs, rentOf);
  return new Map(sol.map(({ line, amount }) => [line, amount - (fees.get(line) ?? 0n) - (rents.get(line) ?? 0n)]));
}
