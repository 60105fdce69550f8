import type { TransactionStatus } from '@hunter/solana/transaction-status';
import { describe, expect, it } from 'vitest';
import { decideStep, type Step } from './decide-step.ts';

describe('decideStep', () => {
  const rows: [TransactionStatus, Step, Step][] = [
    [{ kind: 'finalized', slot: 1n }, 'post', 'post'],
    [{ kind: 'confirmed', slot: 1n }, 'post', 'note-confirmed'],
    [{ kind: 'failed', slot: 1n, err: {}, finalized: true }, 'post', 'post'],
    [{ kind: 'failed', slot: 1n, err: {}, finalized: false }, 'post', 'wait'],
    [{ kind: 'expired-proven' }, 'release', 'release'],
    [{ kind: 'unknown', reason: 'still-valid' }, 'send-again', 'send-again'],
    [{ kind: 'unknown', reason: 'node-behind' }, 'wait', 'wait'],
    [{ kind: 'unknown', reason: 'processed-only' }, 'wait', 'wait'],
    [{ kind: 'unknown', reason: 'history-not-searched' }, 'wait', 'wait'],
  ];
  it.each(rows)('answers for %o what posting at confirmed and at finalized needs', (status, confirmed, finalized) => {
    expect(decideStep(status, 'confirmed')).toBe(confirmed);
    expect(decideStep(status, 'finalized')).toBe(finalized);
  });
});
