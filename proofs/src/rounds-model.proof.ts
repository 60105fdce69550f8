/**
 * A strategy's wallet through random joins, trades, failures, exits, gifts and thefts: after each step books are the chain, nobody
 * is below zero and positions are what books hold, by the pure rules and, in fewer runs, in PostgreSQL beside them. Arguments: runs,
 * commands of each, runs on PostgreSQL, seed.
 */
import type { Figures } from '../../scripts/run-named.ts';
import { withDatabase } from '../../scripts/temporary-database.ts';
import { DatabaseLedger } from './rounds-model/database-ledger.ts';
import { playRounds, type Played } from './rounds-model/play-rounds.ts';
import { PureLedger } from './rounds-model/round-ledger.ts';

export default async function proveRoundsModel([
  runs = '10000',
  commands = '100',
  onDatabase = '300',
  seed = '1',
]: readonly string[]): Promise<Figures> {
  const startedMs = performance.now();
  const pure = await many('pure', Number(runs), (run) =>
    playRounds(`${seed}:${run}`, Number(commands), [new PureLedger()]),
  );
  const stored = await withDatabase((database) =>
    many('on PostgreSQL', Number(onDatabase), async (run) => {
      const ledger = new DatabaseLedger(database);
      await ledger.begin();
      return playRounds(`${seed}:database:${run}`, Number(commands), [new PureLedger(), ledger]);
    }),
  );
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  return { ok: true, seed, runs: Number(runs), pure, onDatabase: Number(onDatabase), stored, seconds };
}

async function many(name: string, runs: number, play: (run: number) => Promise<Played>): Promise<Played> {
  const sum: Played = { commands: 0, filled: 0, failed: 0, released: 0, refused: 0 };
  for (let run = 0; run < runs; run += 1) {
    const played = await play(run);
    for (const key of Object.keys(sum) as (keyof Played)[]) sum[key] += played[key];
    if ((run + 1) % Math.max(1, Math.floor(runs / 20)) === 0) {
      process.stderr.write(`${name}: ${run + 1} of ${runs} runs\n`);
    }
  }
  return sum;
}
