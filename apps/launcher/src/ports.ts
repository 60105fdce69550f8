import { freePort, freePortPair, portFault, whyNoListening } from './free-port.ts';
import { claimPort } from './port-claim.ts';
import { StartError } from './start-error.ts';
import type { Configuration } from './configuration.ts';

export type Ports = {
  readonly web: number;
  readonly rpc: number;
  readonly venue: number;
  /** Lets other instances have the node's port again; called when this one has ended. */
  readonly release?: () => void;
};

/** Ports are fixed before anything starts, so that a part that is restarted comes back where the others look for it. */
export async function choosePorts(
  configuration: Configuration,
  remembered: { readonly rpc?: number; readonly venue?: number } = {},
): Promise<Ports> {
  const { port: web, host, chain } = configuration;
  const refusal = host === undefined ? null : await whyNoListening(host);
  if (refusal !== null) {
    throw new StartError(`HOST ${host} is no address to listen on (${refusal}); set HOST to one of this machine`);
  }
  const fault = await portFault(web);
  // By default the ports below 1024 are root's.
  if (fault === 'forbidden')
    throw new StartError(`PORT ${web} may not be used by this user; set PORT to one above 1023`);
  if (fault !== null) throw new StartError(`PORT ${web} is already in use; set PORT to a free one`);
  if (chain.kind === 'outside') return { web, rpc: 0, venue: 0 };
  if (chain.portIsFixed) {
    for (const port of [chain.port, chain.port + 1]) {
      const taken = port === web ? 'taken' : await portFault(port);
      if (taken !== null) {
        throw new StartError(
          `LOCALNET_PORT ${chain.port} needs ports ${chain.port} and ${chain.port + 1}, but ${port} is ${taken === 'taken' ? 'already in use' : 'not to be used by this user'}`,
        );
      }
    }
  }
  const { port: rpc, release } = chain.portIsFixed
    ? { port: chain.port, release: undefined }
    : await rpcPort(web, [chain.port, remembered.rpc]);
  const taken = new Set([web, rpc, rpc + 1]);
  let venue = await freePort(remembered.venue);
  while (taken.has(venue)) venue = await freePort();
  return { web, rpc, venue, ...(release === undefined ? {} : { release }) };
}

async function rpcPort(
  web: number,
  preferred: readonly (number | undefined)[],
): Promise<{ port: number; release: (() => void) | undefined }> {
  const clashes = (port: number): boolean => port === web || port + 1 === web;
  for (const port of preferred) {
    if (port === undefined || clashes(port)) continue;
    const release = claimPort(port);
    if (release === null) continue;
    if ((await freePortPair(port)) === port) return { port, release };
    release();
  }
  let port = await freePortPair();
  while (clashes(port)) port = await freePortPair();
  return { port, release: undefined };
}
