import http from 'node:http';
import https from 'node:https';

const TIMEOUT_MS = 10_000;
/** Of the answer; it is only read for a log line. */
const CHARACTERS_MAX = 300;

export type Outgoing = { readonly headers: Readonly<Record<string, string | number>>; readonly body: Uint8Array };
export type OutsideReply = { readonly status: number; readonly text: string };
/** Like `dns.lookup`, called for every connection, so that it can refuse addresses. */
export type Lookup = (hostname: string, options: { all?: boolean }, callback: (...result: never[]) => void) => void;

/** Posts to an address that somebody outside chose: no redirects, one deadline for all of it, a short answer. */
export function postOutside(url: URL, { headers, body }: Outgoing, lookup: Lookup): Promise<OutsideReply> {
  return new Promise((resolve, reject) => {
    const client = url.protocol === 'https:' ? https : http;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const outgoing = client.request(url, { method: 'POST', headers, lookup, signal, agent: false }, (reply) => {
      let text = '';
      reply.setEncoding('utf8');
      reply.on('data', (chunk: string) => {
        text = (text + chunk).slice(0, CHARACTERS_MAX);
      });
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text }));
      reply.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
