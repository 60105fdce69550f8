import type { Instruction } from './instruction.ts';
import { COMPUTE_BUDGET_PROGRAM } from './program-ids.ts';
import { writeU64 } from './u64.ts';

export function setComputeUnitLimit(units: number): Instruction {
  const data = new Uint8Array(5);
  data[0] = 2;
  new DataView(data.buffer).setUint32(1, units, true);
  return { program: COMPUTE_BUDGET_PROGRAM, accounts: [], data };
}

/** The priority fee: micro-lamports for each compute unit of the limit. */
export function setComputeUnitPrice(microLamports: bigint): Instruction {
  const data = new Uint8Array(9);
  data[0] = 3;
  writeU64(data, 1, microLamports);
  return { program: COMPUTE_BUDGET_PROGRAM, accounts: [], data };
}
