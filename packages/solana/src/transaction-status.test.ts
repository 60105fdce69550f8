import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SignatureStatus } from './rpc-replies.ts';
import { decideTransactionStatus } from './transaction-status.ts';

const dead = {
  status: null,
  statusContextSlot: 1001n,
  searchedHistory: true,
  lastValidBlockHeight: 500n,
  finalized: { slot: 1000n, blockHeight: 501n },
};
const aStatus = (overrides: Partial<SignatureStatus> = {}): SignatureStatus => ({
  slot: 44n,
  confirmations: 1,
  err: null,
  confirmationStatus: 'confirmed',
  ...overrides,
});

describe('transaction status', () => {
  it('calls a transaction expired only with all of the proof', () => {
    expect(decideTransactionStatus(dead)).toEqual({ kind: 'expired-proven' });
    expect(decideTransactionStatus({ ...dead, finalized: { slot: 1000n, blockHeight: 500n } })).toEqual({
      kind: 'unknown',
      reason: 'still-valid',
    });
    expect(decideTransactionStatus({ ...dead, searchedHistory: false })).toEqual({
      kind: 'unknown',
      reason: 'history-not-searched',
    });
    expect(decideTransactionStatus({ ...dead, statusContextSlot: 1000n })).toEqual({
      kind: 'unknown',
      reason: 'node-behind',
    });
  });

  it('never calls a transaction expired that has a status', () => {
    const commitments = fc.constantFrom('processed' as const, 'confirmed' as const, 'finalized' as const);
    fc.assert(
      fc.property(commitments, fc.boolean(), fc.bigInt(0n, 2000n), (confirmationStatus, failed, blockHeight) => {
        const status = aStatus({ confirmationStatus, err: failed ? { InstructionError: [0, 'Custom'] } : null });
        const decided = decideTransactionStatus({ ...dead, status, finalized: { slot: 1n, blockHeight } });
        expect(decided.kind).not.toBe('expired-proven');
        if (confirmationStatus === 'processed') expect(decided.kind).toBe('unknown');
        else expect(decided.kind).toBe(failed ? 'failed' : confirmationStatus);
      }),
    );
  });
});
