import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../http/metrics.ts';
import { startApi } from './api.ts';
import { serveOps } from './ops.ts';

const stopAtOnce = (reason: string): never => {
  throw new Error(reason);
};
/** Set aside for documentation: no machine has it. */
const nowhere = '203.0.113.1';

describe('a server that cannot listen where it is told to', () => {
  it('names HOST and PORT', async () => {
    const base = {
      config: { HOST: nowhere, PORT: 3000, WEB_DIR: '/nonexistent' },
      keeper: null,
      stops: [],
      stopAtOnce,
    };
    const areas = { accounts: { hasher: { ready: () => Promise.resolve() } } };
    await expect(startApi(base as never, areas as never, fastify())).rejects.toThrow(
      `cannot listen on HOST=${nowhere} PORT=3000: listen EADDRNOTAVAIL`,
    );
  });

  it('names OPS_HOST and OPS_PORT', async () => {
    const base = { config: { OPS_HOST: nowhere, OPS_PORT: 9090 }, metrics: createMetrics(), stops: [], stopAtOnce };
    await expect(serveOps(base as never, () => Promise.resolve({} as never))).rejects.toThrow(
      `cannot listen on OPS_HOST=${nowhere} OPS_PORT=9090: listen EADDRNOTAVAIL`,
    );
  });
});
