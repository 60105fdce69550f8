import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { loopRuns, type LoopRun } from '../platform/loop.ts';
import { passedOver, type PassedOver } from '../platform/read-transactions.ts';

/** The figures at /metrics; those of the process as a whole are in `figures.ts`. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  countLoopRuns(registry);
  countPassedOver(registry);
  return {
    registry,
    requests: new Counter({
      name: 'hunter_requests_total',
      help: 'Answered calls by name and envelope code.',
      labelNames: ['call', 'code'],
      registers: [registry],
    }),
    requestSeconds: new Histogram({
      name: 'hunter_request_seconds',
      help: 'Time to answer a call.',
      labelNames: ['call'],
      buckets: [0.002, 0.01, 0.05, 0.2, 1, 5, 15],
      registers: [registry],
    }),
    unexplainedLamports: new Gauge({
      name: 'hunter_unexplained_lamports',
      help: 'Difference between the books and the chain that nothing explains. Must be 0.',
      registers: [registry],
    }),
    unreadableTransactions: new Gauge({
      name: 'hunter_unreadable_transactions',
      help: 'Transactions of our wallets that could not be read and were passed over.',
      registers: [registry],
    }),
    unexplainedDifferences: new Gauge({
      name: 'hunter_unexplained_differences',
      help: 'Wallets and assets, SOL and tokens, whose books differ from the chain and nothing explains it. Must be 0.',
      registers: [registry],
    }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

function countLoopRuns(registry: Registry): void {
  const labelNames = ['loop'];
  const registers = [registry];
  const runs = new Counter({ name: 'hunter_loop_runs_total', help: 'Runs of a loop.', labelNames, registers });
  const failures = new Counter({
    name: 'hunter_loop_failures_total',
    help: 'Runs of a loop that failed.',
    labelNames,
    registers,
  });
  const seconds = new Gauge({
    name: 'hunter_loop_last_seconds',
    help: 'How long the last run of a loop took.',
    labelNames,
    registers,
  });
  loopRuns.subscribe((message) => {
    const { loop, durationMs, failed } = message as LoopRun;
    runs.inc({ loop });
    if (failed) failures.inc({ loop });
    seconds.set({ loop }, durationMs / 1000);
  });
}

function countPassedOver(registry: Registry): void {
  const counter = new Counter({
    name: 'hunter_passed_over_transactions_total',
    help: 'Transactions of the market that could not be read, or whose price cannot be stored, and were passed over.',
    labelNames: ['reader'],
    registers: [registry],
  });
  passedOver.subscribe((message) => counter.inc({ reader: (message as PassedOver).reader }));
}
