import { createMetrics } from '../../apps/server/src/http/metrics.ts';
import { buildServer } from '../../apps/server/src/http/build-server.ts';
import type { Handlers } from '../../apps/server/src/http/handlers.ts';
import { onlyHandlers } from '../../apps/server/src/http/handlers-for-test.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';

/** The product's own HTTP stack with the given handlers, listening on a free port. */
export async function startBenchServer(
  handlers: Partial<Handlers>,
  { userId = 'bench' }: { userId?: string } = {},
): Promise<{ url: string; close(): Promise<void> }> {
  const session = { sessionId: 'bench', userId, email: 'bench@example.com' };
  const app = buildServer({
    local: true,
    handlers: onlyHandlers(handlers),
    authenticate: (token) => (token === 'bench' ? session : null),
    readiness: async () => ({}),
    idempotently: (_name, _caller, _request, run) => run(),
    clock: systemClock,
    log: createLog('silent'),
    metrics: createMetrics(),
    rateLimitPerSecond: 1_000_000,
    trustProxy: false,
    publicOrigin: undefined,
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { url, close: () => app.close() };
}
