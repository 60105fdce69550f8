import { spawnSync } from 'node:child_process';
import type { User } from './postgres/run-as.ts';

/** With root's rights, or in a user namespace where the system lets anybody make one. */
function waysFor(user: User | null): readonly (readonly string[])[] {
  const inUserNamespace = ['unshare', '--user', '--net', '--'];
  if (user === null) return [['unshare', '--net', '--'], inUserNamespace];
  const [uid, gid] = [String(user.uid), String(user.gid)];
  return [
    ['unshare', '--net', '--setgid', gid, '--setuid', uid, '--'],
    ['setpriv', '--reuid', uid, '--regid', gid, '--clear-groups', ...inUserNamespace],
  ];
}

/**
 * What to put before a command so that it runs in a network namespace of its own, in which there is nothing to connect to;
 * Unix sockets are files and stay reachable. `unshare` replaces itself by the command, which keeps its process id and runs
 * as the user, where one is given. Null where the system has no such thing.
 */
export function withoutNetwork(
  user: User | null = null,
  platform: NodeJS.Platform = process.platform,
): readonly string[] | null {
  if (platform !== 'linux') return null;
  return waysFor(user).find(([program, ...args]) => spawnSync(program!, [...args, 'true']).status === 0) ?? null;
}
