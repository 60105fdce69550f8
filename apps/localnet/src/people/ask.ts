import { Agent, request as httpRequest } from 'node:http';
import type { Call } from '@hunter/contract/call';
import { calls, type CallName } from '@hunter/contract/calls';

// A client of a running product: it speaks the contract's calls over plain HTTP, like any stranger.

export type Answer = { status: number; code: number; msg: string; data: Record<string, unknown> };
export type Asking = {
  token?: string | undefined;
  /** An API key. */
  bearer?: string | undefined;
  idempotencyKey?: string | undefined;
  timeoutMs?: number;
  /** The address to call from, so that many people on one machine are counted one by one. */
  localAddress?: string | undefined;
};

const agent = new Agent({ keepAlive: true });

/** Throws only where there is no answer at all. */
export function ask(web: string, name: CallName, request: object = {}, asking: Asking = {}): Promise<Answer> {
  const { method, path } = calls[name] as Call;
  const isPost = method === 'POST';
  const url = new URL(path, web);
  if (!isPost) for (const [key, value] of Object.entries(request)) url.searchParams.set(key, String(value));
  const headers = {
    ...(isPost ? { 'content-type': 'application/json' } : {}),
    ...(asking.token === undefined ? {} : { token: asking.token }),
    ...(asking.bearer === undefined ? {} : { authorization: `Bearer ${asking.bearer}` }),
    ...(asking.idempotencyKey === undefined ? {} : { 'idempotency-key': asking.idempotencyKey }),
  };
  const { timeoutMs = 30_000 } = asking;
  const signal = AbortSignal.timeout(timeoutMs);
  // Nobody reaches an address of IPv6 from one of IPv4.
  const localAddress = url.hostname.startsWith('[') ? undefined : asking.localAddress;
  const options = { agent, method, headers, signal, ...(localAddress === undefined ? {} : { localAddress }) };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        try {
          const { code, msg, data } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Omit<Answer, 'status'>;
          resolve({ status: response.statusCode ?? 0, code, msg, data });
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
    sent.on('error', reject);
    sent.end(isPost ? JSON.stringify(request) : undefined);
  });
}
