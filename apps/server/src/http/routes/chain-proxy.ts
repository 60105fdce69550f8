import { AppError } from '@hunter/contract/app-error';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Log } from '../../platform/log.ts';
import { readReply } from '../../platform/read-reply.ts';
import type { ChainReadLimit } from '../chain-read-limit.ts';
import { CHAIN_PROXY_PATH } from '../verify-page.ts';

const CALLS_MAX = 25;
const REPLY_BYTES_MAX = 16 * 1024 * 1024;
const TIMEOUT_MS = 15_000;

const address = z.string().min(32).max(44);
const signature = z.string().min(64).max(90);
const commitment = z.enum(['processed', 'confirmed', 'finalized']).optional();
const none = z.tuple([]);

/** What verifying needs, and with which parameters; everything else a node can do stays behind the server. */
const methods = {
  getGenesisHash: none,
  getSignaturesForAddress: z.tuple([
    address,
    z.strictObject({ commitment, limit: z.int().min(1).max(1_000), before: signature.optional() }),
  ]),
  getTransaction: z.tuple([
    signature,
    z.strictObject({ commitment, encoding: z.literal('json'), maxSupportedTransactionVersion: z.literal([0, 1]) }),
  ]),
  getMultipleAccounts: z.tuple([
    z.array(address).max(100),
    z.strictObject({ commitment, encoding: z.literal('base64') }),
  ]),
} as const;

const call = z
  .strictObject({
    jsonrpc: z.literal('2.0'),
    id: z.int().min(0),
    method: z.enum(Object.keys(methods) as [keyof typeof methods]),
    params: z.array(z.unknown()),
  })
  .refine(({ method, params }) => methods[method].safeParse(params).success);
const body = z.union([call, z.array(call).min(1).max(CALLS_MAX)]);

/** Read-only JSON-RPC for those who verify a record and have no node of their own. */
export function registerChainProxy(
  app: FastifyInstance,
  { rpcUrl, limit, log }: { rpcUrl: string; limit: ChainReadLimit; log: Log },
): void {
  app.options(CHAIN_PROXY_PATH, async (_request, reply) =>
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type',
        'access-control-max-age': '600',
      })
      .send(),
  );

  app.post(CHAIN_PROXY_PATH, async (request, reply) => {
    const parsed = body.safeParse(request.body);
    if (!parsed.success) throw new AppError('INVALID_INPUT', { field: 'request', reason: 'format' });
    const cost = Array.isArray(parsed.data) ? parsed.data.length : 1;
    const answer = await limit.run(request.ip, cost, () =>
      ask(rpcUrl, parsed.data).catch((error: unknown) => {
        log.warn({ requestId: request.id, error: String(error) }, 'the node did not answer a verifier');
        throw new AppError('UNAVAILABLE');
      }),
    );
    return reply.type('application/json').header('cache-control', 'no-store').send(answer);
  });
}

/** The node's answer as it is; its address stays unknown to the caller, because it may contain a key. */
async function ask(rpcUrl: string, calls: z.output<typeof body>): Promise<Buffer> {
  const reply = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!reply.ok) throw new Error(`HTTP ${reply.status}`);
  return readReply(reply, REPLY_BYTES_MAX);
}
