import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { imageTypeOf } from './image-format.ts';
import { isPublicAddress, publicLookup } from '../../platform/public-address.ts';

const TIMEOUT_MS = 3_000;
const BYTES_MAX = 1024 * 1024;
const REDIRECTS_MAX = 2;

export type Logo = { type: string; bytes: Uint8Array };

/** Fetches a picture from outside, or null: wrong kind, too large, too slow, private address, anything unusual. */
export async function fetchLogo(address: string, lookup: typeof publicLookup = publicLookup): Promise<Logo | null> {
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  let next: string | null = address;
  for (let hop = 0; next !== null && hop <= REDIRECTS_MAX; hop += 1) {
    const reply: { redirect: string } | { logo: Logo | null } = await request(next, deadline, lookup).catch(() => ({
      logo: null,
    }));
    if ('logo' in reply) return reply.logo;
    next = reply.redirect;
  }
  return null;
}

function request(
  address: string,
  signal: AbortSignal,
  lookup: typeof publicLookup,
): Promise<{ redirect: string } | { logo: Logo | null }> {
  return new Promise((resolve, reject) => {
    const url = URL.canParse(address) ? new URL(address) : null;
    if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return resolve({ logo: null });
    // A literal address is never looked up, so it is checked here.
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !isPublicAddress(host)) return resolve({ logo: null });
    const client = url.protocol === 'https:' ? https : http;
    const outgoing = client.get(
      url,
      { lookup: lookup as never, signal, headers: { accept: 'image/png,image/jpeg,image/webp,image/gif' } },
      (reply) => {
        const { statusCode = 0, headers } = reply;
        if (statusCode >= 300 && statusCode < 400 && headers.location && URL.canParse(headers.location, url)) {
          reply.destroy();
          return resolve({ redirect: new URL(headers.location, url).href });
        }
        if (statusCode !== 200 || Number(headers['content-length'] ?? 0) > BYTES_MAX) {
          reply.destroy();
          return resolve({ logo: null });
        }
        const chunks: Buffer[] = [];
        let size = 0;
        reply.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > BYTES_MAX) {
            reply.destroy();
            resolve({ logo: null });
          } else chunks.push(chunk);
        });
        reply.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const type = imageTypeOf(bytes);
          resolve({ logo: type === null ? null : { type, bytes } });
        });
        reply.on('error', reject);
        return undefined;
      },
    );
    outgoing.on('error', reject);
    return undefined;
  });
}
