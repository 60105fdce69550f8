import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lchownSync, lstatSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { User } from './postgres/run-as.ts';
import { StartError } from './start-error.ts';

/** Numbers that no distribution gives to anybody; a user needs no name to own files. */
const IDS = { localnet: 61_101, signer: 61_102, server: 61_103 } as const;
type PartName = keyof typeof IDS;
export type OwnUsers = Readonly<Record<PartName, User>>;

/** What every part reads before anything else, and fails without. */
const NEEDED = [
  'package.json',
  'apps/localnet/dist/main.js',
  'apps/server/dist/main.js',
  'apps/signer/src/main.ts',
  'node_modules',
];

/** Exit code 2: the folder cannot be entered; 1: a file cannot be read, or Node not run. A shell starts ten times faster than Node. */
const PROBE = `
test -x "$1" || exit 2
test -x "$2" || exit 1
shift 2
for file; do test -r "$file" || exit 1; done
`;

/**
 * Started by root, each part runs under a user of its own, so that a server that was taken over cannot read what the signer
 * keeps. Null where that cannot be, after saying why and what it means.
 */
export function chooseUsers(
  project: string,
  dataDirectory: string,
  report: (line: string) => void,
  isRoot: boolean = process.getuid?.() === 0,
): OwnUsers | null {
  const reason = isRoot ? whyUnreachable(project, dataDirectory) : 'only root can give each part a user of its own';
  if (reason === null) return { localnet: user('localnet'), signer: user('signer'), server: user('server') };
  report(`signer    runs under the same user as the server, which could read its keys: ${reason}`);
  return null;
}

const SYSTEM_PORTS = '/proc/sys/net/ipv4/ip_unprivileged_port_start';

/** Root could listen there, and so the port is found free: the server's own user could not, which would end the start at its very end. */
export function refuseSystemPort(port: number): void {
  const first = existsSync(SYSTEM_PORTS) ? Number(readFileSync(SYSTEM_PORTS, 'utf8')) : 1024;
  if (port >= first) return;
  throw new StartError(
    `PORT ${port} is for root alone, and the server runs as a user of its own; set PORT to one above ${first - 1}, with a proxy before it`,
  );
}

/** Tried by a process of such a user, because permission bits do not tell everything. */
function whyUnreachable(project: string, dataDirectory: string): string | null {
  mkdirSync(dataDirectory, { recursive: true });
  // Passing through is enough: what is inside has owners of its own.
  chmodSync(dataDirectory, 0o711);
  const paths = [dataDirectory, process.execPath, ...NEEDED.map((name) => join(project, name))];
  const { status } = spawnSync('/bin/sh', ['-c', PROBE, 'sh', ...paths], {
    ...user('server'),
    cwd: '/',
    env: {},
    stdio: 'ignore',
  });
  if (status === 0) return null;
  return status === 2 ? `other users cannot enter ${dataDirectory}` : `other users cannot read ${project}`;
}

function user(name: PartName): User {
  return { uid: IDS[name], gid: IDS[name] };
}

/**
 * Makes a folder that is not yet a user's own so, with everything in it, the folder itself last: nobody but root enters it before. One
 * that was given stays untouched. Its user may be an intruder by now, and put a link to another part's folder in the place of one of
 * his while root walks through it.
 */
export function giveFolder(folder: string, { uid, gid }: User, mode = 0o700): void {
  mkdirSync(folder, { recursive: true, mode });
  const before = lstatSync(folder);
  if (before.uid === uid && before.gid === gid) return;
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    giveFile(join(entry.parentPath, entry.name), { uid, gid });
  }
  giveFile(folder, { uid, gid });
  chmodSync(folder, mode);
}

export function giveFile(path: string, { uid, gid }: User): void {
  const before = lstatSync(path, { throwIfNoEntry: false });
  if (before !== undefined && (before.uid !== uid || before.gid !== gid)) lchownSync(path, uid, gid);
}
