import type { Server } from 'node:http';
import { StreamServer } from '../stream/stream-server.ts';
import type { Base } from './base.ts';

/** The live stream on an HTTP server. */
export function startStream({ config, bus, sessions, clock, log, stops }: Base, server: Server): StreamServer {
  const stream = new StreamServer({
    server,
    bus,
    authenticate: (token) => sessions.authenticate(token),
    onSessionEnd: (listener) => sessions.onEnd(listener),
    local: config.local,
    publicOrigin: config.PUBLIC_ORIGIN,
    clock,
    log,
  });
  stream.start();
  stops.push(() => stream.stop());
  return stream;
}
