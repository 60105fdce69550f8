import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import type { TrustedProxies } from './build-server.ts';

/** Who sends a request, behind proxies that are believed; for connections that fastify does not see. */
export function clientAddress(request: IncomingMessage, trusted: TrustedProxies): string {
  const trust =
    typeof trusted === 'number' ? (_address: string, hop: number) => hop < trusted : trusted === false ? [] : trusted;
  return proxyAddress(request, trust);
}
