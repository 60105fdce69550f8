import { COMPUTE_BUDGET } from '../account-key.ts';
import { deny } from '../denial.ts';
import type { WireTransaction } from './wire-transaction.ts';

const LAMPORTS_PER_SIGNATURE = 5_000n;
const COMPUTE_UNITS_PER_INSTRUCTION = 200_000n;
const COMPUTE_UNITS_MAX = 1_400_000n;
/** A priority fee is a way to burn a wallet, so it has a ceiling where the policy gives none. */
const FEE_LAMPORTS_MAX = 5_000_000n;

/** What the network takes for the transaction. Compute budget instructions are checked here and nowhere else. */
export function networkFee(transaction: WireTransaction): bigint {
  let units: bigint | null = null;
  let microLamportsPerUnit = 0n;
  let others = 0n;
  const seen = new Set<number>();
  for (const { program, data, accounts } of transaction.instructions) {
    if (program !== COMPUTE_BUDGET) {
      others += 1n;
      continue;
    }
    const kind = data[0] ?? -1;
    if (seen.has(kind) || accounts.length > 0) deny('INSTRUCTION', 'compute budget set twice');
    seen.add(kind);
    if (kind === 2 && data.length === 5) units = BigInt(data.readUInt32LE(1));
    else if (kind === 3 && data.length === 9) microLamportsPerUnit = data.readBigUInt64LE(1);
    else if ((kind !== 1 && kind !== 4) || data.length !== 5) deny('INSTRUCTION', 'unknown compute budget instruction');
  }
  const wanted = units ?? others * COMPUTE_UNITS_PER_INSTRUCTION;
  const limit = wanted > COMPUTE_UNITS_MAX ? COMPUTE_UNITS_MAX : wanted;
  const priority = (microLamportsPerUnit * limit + 999_999n) / 1_000_000n;
  return BigInt(transaction.requiredSignatures) * LAMPORTS_PER_SIGNATURE + priority;
}

export function refuseRuinousFee(transaction: WireTransaction): void {
  if (networkFee(transaction) > FEE_LAMPORTS_MAX) deny('AMOUNT', 'the network fee is beyond its ceiling');
}
