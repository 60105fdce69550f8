import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

type PortFault = 'taken' | 'forbidden';

function faultAt(port: number, host: string): Promise<PortFault | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', ({ code }: NodeJS.ErrnoException) => {
      // A machine without IPv6 refuses the address itself, which says nothing about the port.
      if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') resolve(null);
      else resolve(code === 'EACCES' ? 'forbidden' : 'taken');
    });
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(null)));
  });
}

/** Why nothing can listen on an address or a name, whatever the port; null where it can. */
export function whyNoListening(host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error) => resolve(error.message));
    probe.listen({ port: 0, host, exclusive: true }, () => probe.close(() => resolve(null)));
  });
}

/** Null where it is free on every address, so that a listener on one interface only is noticed too. */
export async function portFault(port: number): Promise<PortFault | null> {
  for (const host of ['127.0.0.1', '0.0.0.0', '::']) {
    const fault = await faultAt(port, host);
    if (fault !== null) return fault;
  }
  return null;
}

async function isPortFree(port: number): Promise<boolean> {
  return (await portFault(port)) === null;
}

/**
 * Below the ports that a system hands out by itself: one of those may be taken, by any outgoing connection, between the moment
 * it was found free and the moment it is used, or used again after a restart.
 */
function anyPort(): number {
  return randomInt(20_000, 32_000);
}

const ATTEMPTS_MAX = 50;

/** The preferred port where it is free, else any that is. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isPortFree(preferred))) return preferred;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const port = anyPort();
    if (await isPortFree(port)) return port;
  }
  throw new Error('no free port found');
}

/** Two neighbouring ports: a Solana node's WebSocket listens on the port after its HTTP one. */
export async function freePortPair(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isPortFree(preferred)) && (await isPortFree(preferred + 1))) return preferred;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const port = anyPort();
    if ((await isPortFree(port)) && (await isPortFree(port + 1))) return port;
  }
  throw new Error('no free pair of ports found');
}
