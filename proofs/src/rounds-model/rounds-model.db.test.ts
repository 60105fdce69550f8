import { describe, expect, it } from 'vitest';
import { useTestDatabase } from '../../../apps/server/src/platform/postgres-for-test.ts';
import type { Database } from '../../../apps/server/src/platform/postgres.ts';
import { DatabaseLedger } from './database-ledger.ts';
import { playRounds } from './play-rounds.ts';
import { PureLedger } from './round-ledger.ts';

let database: Database;
useTestDatabase((opened) => {
  database = opened;
});

describe('the books of a strategy’s wallet in PostgreSQL', () => {
  it('are what the pure rules say, after every step', async () => {
    const ledger = new DatabaseLedger(database);
    await ledger.begin();
    const { filled } = await playRounds('short', 40, [new PureLedger(), ledger]);
    expect(filled).toBeGreaterThan(3);
  });
});
