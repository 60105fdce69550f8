// Loaded into a real server before its own code (`node --import`): kills it, as kill -9 does, at the point that CRASH_AT names. The
// points are told from what the server says to its database, its signer and its chain, so that the server itself knows nothing of them.

import { ClientRequest } from 'node:http';
import { Socket } from 'node:net';
import pg from 'pg';
import { crashPoints, type CrashPoint } from './crash-points.ts';

type Method<This> = (this: This, ...args: unknown[]) => unknown;
type AtStatement = Extract<CrashPoint, { at: 'statement' }>;
type AtCall = Exclude<CrashPoint, AtStatement>;

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

function watchStatements({ statement, kind, when }: AtStatement): void {
  const prototype = pg.Client.prototype as unknown as { query: Method<object> };
  const original = prototype.query;
  const inTransaction = new WeakSet<object>();
  prototype.query = function query(this: object, ...args: unknown[]): unknown {
    const [config] = args as [{ text?: string; values?: unknown[] } | string];
    const text = typeof config === 'string' ? config : (config.text ?? '');
    const kinds = typeof config === 'string' ? [] : (config.values?.[0] ?? []);
    const named = text.includes(statement) && (kind === undefined || (Array.isArray(kinds) && kinds.includes(kind)));
    if (named) inTransaction.add(this);
    const ends = when.endsWith('commit') ? text === 'commit' && inTransaction.has(this) : named;
    if (!ends) return original.apply(this, args);
    if (when.startsWith('before')) die();
    // Single statements of a pool bring a callback, those of a transaction give a promise.
    const last = args.at(-1);
    if (typeof last === 'function') {
      return original.apply(this, [...args.slice(0, -1), () => die()]);
    }
    return (original.apply(this, args) as Promise<unknown>).then(die);
  };
}

function watchChain({ method, when }: AtCall): void {
  const prototype = ClientRequest.prototype as unknown as { end: Method<ClientRequest> };
  const original = prototype.end;
  prototype.end = function end(this: ClientRequest, ...args: unknown[]): unknown {
    if (typeof args[0] === 'string' && args[0].includes(`"method":"${method}"`)) {
      if (when === 'before') die();
      this.prependOnceListener('response', die);
    }
    return original.apply(this, args);
  };
}

function watchSigner({ method, when }: AtCall): void {
  const prototype = Socket.prototype as unknown as { write: Method<Socket> };
  const original = prototype.write;
  prototype.write = function write(this: Socket, ...args: unknown[]): unknown {
    if (typeof args[0] === 'string' && args[0].includes(`"method":"${method}"`) && args[0].includes('"token"')) {
      if (when === 'before') die();
      this.prependOnceListener('data', die);
    }
    return original.apply(this, args);
  };
}

const point = crashPoints[process.env['CRASH_AT'] ?? ''];
if (!point) throw new Error(`there is no point ${process.env['CRASH_AT']}`);
if (point.at === 'statement') watchStatements(point);
else if (point.at === 'chain') watchChain(point);
else watchSigner(point);
