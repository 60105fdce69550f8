// The page `/verify` runs under a policy of its own: it may ask any node that the visitor enters, and in return has no
// access to the session. Its sandbox gives it an opaque origin, so it sees neither storage nor cookies of the product, and
// its requests arrive with the origin `null`. All that it needs is one document, with script and style inside.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';

/** JSON-RPC for the page, read-only. */
export const CHAIN_PROXY_PATH = '/api/verify/rpc';

/** Reads without a session that an opaque origin may see. A `token` header would need a permission that nobody gives. */
const OPEN_TO_THE_PAGE = new Set([
  CHAIN_PROXY_PATH,
  '/api/strategy/getStrategyDetail',
  '/api/strategy/getStrategyTrades',
  '/api/token/getTokenPools',
]);

export function allowVerifyPage(request: FastifyRequest, reply: FastifyReply): void {
  if (request.headers.origin !== 'null' || !OPEN_TO_THE_PAGE.has(request.url.split('?')[0] ?? '')) return;
  reply.header('access-control-allow-origin', 'null').header('access-control-expose-headers', 'retry-after');
  reply.header('vary', 'origin');
}

/** Headers of the document; scripts and styles are allowed by their hashes, nothing else. */
export function verifyPageHeaders(html: string): Record<string, string> {
  const hashes = (tag: 'script' | 'style'): string =>
    [...html.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))]
      .map(([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`)
      .join(' ');
  return {
    'content-security-policy': [
      'sandbox allow-scripts allow-forms',
      "default-src 'none'",
      `script-src ${hashes('script')}`,
      `style-src ${hashes('style')}`,
      'worker-src blob:',
      'img-src data:',
      "connect-src 'self' https: http://localhost:*",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    // A sandboxed document and an isolated opener group exclude each other; browsers refuse the combination.
    'cross-origin-opener-policy': 'unsafe-none',
  };
}
