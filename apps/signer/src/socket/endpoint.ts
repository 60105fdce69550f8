import { X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';

// Where signers listen: a Unix socket, or TLS in which both sides show a certificate of the one authority that the operator made for
// them. Its files are in the signer's own folder, the only one it can read: `tls/cert.pem`, `tls/key.pem`, `tls/ca.pem`.

export type Endpoint = { path: string } | { host: string; port: number };

/** Nobody takes a place for long without a certificate. */
const HANDSHAKE_MS = 10_000;

/** `tls://host:port`, `unix:/path` or a path; null where it is none of them. */
export function readEndpoint(text: string): Endpoint | null {
  if (!text.startsWith('tls://')) return { path: text.replace(/^unix:/, '') };
  const url = URL.parse(text);
  if (url === null || url.port === '') return null;
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port) };
}

function certificates(folder: string): { cert: Buffer; key: Buffer; ca: Buffer; minVersion: 'TLSv1.3' } {
  const read = (file: string): Buffer => readFileSync(join(folder, 'tls', file));
  return { cert: read('cert.pem'), key: read('key.pem'), ca: read('ca.pem'), minVersion: 'TLSv1.3' };
}

export function createListener(endpoint: Endpoint, folder: string, accept: (socket: Socket) => void): Server {
  if ('path' in endpoint) return createServer(accept);
  const { validToDate } = new X509Certificate(certificates(folder).cert);
  // Nobody would connect to it.
  if (validToDate.getTime() < Date.now()) {
    throw new Error(
      `${join(folder, 'tls', 'cert.pem')} expired on ${validToDate.toISOString()}: put a new certificate and its key there`,
    );
  }
  const options = { requestCert: true, rejectUnauthorized: true, handshakeTimeout: HANDSHAKE_MS };
  return createTlsServer({ ...certificates(folder), ...options }, accept);
}

/** `isShared`: the folder of the socket says who may connect. */
export async function listenAt(server: Server, endpoint: Endpoint, isShared: boolean): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // The system's error has the address alone.
  server.once('error', (error) => reject(new Error(`SIGNER_SOCKET: ${error.message}`)));
  if ('port' in endpoint) {
    server.listen(endpoint.port, endpoint.host, resolve);
    return promise;
  }
  const { path } = endpoint;
  if (existsSync(path)) {
    if (await isAnswering(path)) throw new Error(`SIGNER_SOCKET: another signer answers on ${path}`);
    unlinkSync(path);
  }
  const previousMask = process.umask(0o177);
  server.listen(path, resolve);
  await promise.finally(() => process.umask(previousMask));
  chmodSync(path, isShared ? 0o666 : 0o600);
}

export function connectTo(endpoint: Endpoint, folder: string): Socket {
  if ('path' in endpoint) return connect(endpoint.path);
  return connectTls({ ...certificates(folder), host: endpoint.host, port: endpoint.port });
}

function isAnswering(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(path);
  socket.on('connect', () => {
    socket.destroy();
    resolve(true);
  });
  socket.on('error', () => resolve(false));
  return promise;
}
