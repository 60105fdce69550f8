import { describe, expect, it } from 'vitest';
import { COMPUTE_BUDGET, SYSTEM } from '../account-key.ts';
import { networkFee, refuseRuinousFee } from './network-fee.ts';
import type { WireTransaction } from './wire-transaction.ts';

const u32 = (kind: number, value: number): Buffer => {
  const data = Buffer.alloc(5);
  data[0] = kind;
  data.writeUInt32LE(value, 1);
  return data;
};
const u64 = (kind: number, value: bigint): Buffer => {
  const data = Buffer.alloc(9);
  data[0] = kind;
  data.writeBigUInt64LE(value, 1);
  return data;
};
const budget = (data: Buffer, accounts: string[] = []) => ({ program: COMPUTE_BUDGET, data, accounts });
const other = { program: SYSTEM, data: Buffer.alloc(0), accounts: [] };

function aTransaction(instructions: object[], requiredSignatures = 1): WireTransaction {
  return { instructions, requiredSignatures } as unknown as WireTransaction;
}

describe('the fee of a transaction', () => {
  it('is paid per signature, and for compute units at their price, rounded up', () => {
    expect(networkFee(aTransaction([other], 2))).toBe(10_000n);
    expect(networkFee(aTransaction([other, budget(u32(2, 1_000)), budget(u64(3, 1_000n))]))).toBe(5_001n);
    expect(networkFee(aTransaction([other, budget(u32(2, 1_000)), budget(u64(3, 1_001n))]))).toBe(5_002n);
  });

  it('counts 200 000 units for each other instruction where no limit is set, and 1.4 million at most', () => {
    const dear = budget(u64(3, 1_000_000n));
    expect(networkFee(aTransaction([other, other, dear]))).toBe(5_000n + 400_000n);
    expect(networkFee(aTransaction([...Array.from({ length: 8 }, () => other), dear]))).toBe(5_000n + 1_400_000n);
    expect(networkFee(aTransaction([other, dear, budget(u32(2, 2_000_000))]))).toBe(5_000n + 1_400_000n);
  });

  it('knows the other settings of the budget and refuses what it does not know', () => {
    expect(networkFee(aTransaction([budget(u32(1, 5)), budget(u32(4, 5))]))).toBe(5_000n);
    const unknown = [u32(0, 1), u32(5, 1), Buffer.alloc(0), u64(2, 1n), u32(3, 1), u64(1, 1n), u64(4, 1n)];
    for (const data of unknown) {
      expect(() => networkFee(aTransaction([budget(data)]))).toThrow('unknown compute budget instruction');
    }
  });

  it('refuses a budget that is set twice or names accounts', () => {
    expect(() => networkFee(aTransaction([budget(u32(2, 1)), budget(u32(2, 1))]))).toThrow('compute budget set twice');
    expect(() => networkFee(aTransaction([budget(u32(2, 1), ['account'])]))).toThrow('compute budget set twice');
  });

  it('is refused beyond its ceiling', () => {
    const priced = (microLamports: bigint) => aTransaction([budget(u32(2, 1_000_000)), budget(u64(3, microLamports))]);
    expect(() => refuseRuinousFee(priced(4_995_000n))).not.toThrow();
    expect(() => refuseRuinousFee(priced(4_995_001n))).toThrow('beyond its ceiling');
  });
});
