import { spawnSync } from 'node:child_process';

/** With root's rights, or in a user namespace where the system lets anybody make one. */
const WAYS: readonly (readonly string[])[] = [
  ['unshare', '--net', '--'],
  ['unshare', '--user', '--net', '--'],
];

/**
 * What to put before a command so that it runs in a network namespace of its own, in which there is nothing to connect to;
 * Unix sockets are files and stay reachable. `unshare` replaces itself by the command, which keeps its process id. Null
 * where the system has no such thing.
 */
export function withoutNetwork(platform: NodeJS.Platform = process.platform): readonly string[] | null {
  if (platform !== 'linux') return null;
  return WAYS.find(([program, ...args]) => spawnSync(program!, [...args, 'true']).status === 0) ?? null;
}
