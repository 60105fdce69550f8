import { isIP } from 'node:net';

/**
 * Refuses requests under a name that is not ours. A page of a stranger whose domain is made to point at this machine (DNS
 * rebinding) could otherwise read what this machine alone may read, such as the local mailbox; it can neither take the
 * name `localhost` nor an address. In production mode any name passes where no PUBLIC_ORIGIN says which is ours.
 */
export function isHostAllowed(
  host: string | undefined,
  { local, publicOrigin }: { local: boolean; publicOrigin: string | undefined },
): boolean {
  if (!local && publicOrigin === undefined) return true;
  const name = hostnameOf(`http://${host ?? ''}`);
  if (name === null) return false;
  if (name === 'localhost' || name.endsWith('.localhost') || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0) return true;
  return publicOrigin !== undefined && name === hostnameOf(publicOrigin);
}

function hostnameOf(url: string): string | null {
  return URL.parse(url)?.hostname ?? null;
}
