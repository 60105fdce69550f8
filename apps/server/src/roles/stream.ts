import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { clientAddress } from '../http/client-address.ts';
import { watchStream } from '../http/figures.ts';
import { refuse, StreamServer } from '../stream/stream-server.ts';
import { addressRefused } from './address-refused.ts';
import type { Base } from './base.ts';

/** The live stream on an HTTP server. */
export function startStream({ config, bus, sessions, metrics, clock, log, stops }: Base, server: Server): void {
  const stream = new StreamServer({
    server,
    bus,
    authenticate: (token) => sessions.authenticate(token),
    onSessionEnd: (listener) => sessions.onEnd(listener),
    local: config.local,
    // On one machine everybody comes from one address.
    ...(config.local
      ? {}
      : {
          perAddress: {
            max: config.SOCKETS_PER_ADDRESS,
            addressOf: (request: IncomingMessage) => clientAddress(request, config.TRUST_PROXY),
          },
        }),
    publicOrigin: config.PUBLIC_ORIGIN,
    clock,
    log,
  });
  watchStream(metrics.registry, stream);
  stream.start();
  stops.push(() => stream.stop());
}

/** A process of this role alone: nothing but the stream. Several may listen on one port. */
export async function serveStream(base: Base): Promise<void> {
  const { HOST, PORT } = base.config;
  const server = createServer((_request, response) => {
    response.writeHead(404).end();
  });
  startStream(base, server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: PORT, host: HOST, reusePort: true }, resolve);
  }).catch(addressRefused(base.stopAtOnce, { HOST, PORT }));
  base.stops.push(() => void server.close());
}

/** An API process without the stream passes its connections on, where it knows to whom. */
export function passStreamOn({ config, log }: Base, server: Server): void {
  const { STREAM_URL } = config;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (STREAM_URL === undefined) return refuse(socket, '404 Not Found');
    const { hostname, port } = new URL(STREAM_URL);
    const from = clientAddress(request, config.TRUST_PROXY);
    const upstream = connect(Number(port || 80), hostname, () => {
      upstream.write(`${request.method} ${request.url} HTTP/1.1\r\n${headersOf(request, from)}\r\n\r\n`);
      upstream.write(head);
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on('error', (error) => {
      log.warn({ err: error }, 'passing a connection on to the live stream failed');
      socket.destroy();
    });
    socket.on('close', () => upstream.destroy());
    upstream.on('close', () => socket.destroy());
    return undefined;
  });
}

/** As they came, but for who sent them: the stream's process believes this one. */
function headersOf({ rawHeaders: raw }: IncomingMessage, from: string): string {
  const lines = [`X-Forwarded-For: ${from}`];
  for (let at = 0; at < raw.length; at += 2) {
    if (raw[at]!.toLowerCase() !== 'x-forwarded-for') lines.push(`${raw[at]}: ${raw[at + 1]}`);
  }
  return lines.join('\r\n');
}
