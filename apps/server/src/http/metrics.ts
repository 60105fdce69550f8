import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The figures at /metrics. Areas register their own gauges on `registry`. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
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
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
