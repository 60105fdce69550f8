import { describe, expect, it } from 'vitest';
import { playRounds } from './play-rounds.ts';
import { PureLedger } from './round-ledger.ts';

describe('the books of a strategy’s wallet', () => {
  it('are the chain after every join, trade, failure, exit, gift and theft', async () => {
    let filled = 0;
    for (let run = 0; run < 60; run += 1) filled += (await playRounds(`short:${run}`, 60, [new PureLedger()])).filled;
    expect(filled).toBeGreaterThan(300);
  });
});
