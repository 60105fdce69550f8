import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { spawnSync } from 'node:child_process';
import { bareEnvironment } from '../bare-environment.ts';
import { StartError } from '../start-error.ts';

/**
 * PostgreSQL refuses to run as root. Started by root we hand the server to another user, in this order: the owner of the
 * data folder, `postgres`, `nobody`. Where that user cannot reach the folder or the binaries (a project below a 0700
 * home), a user namespace shows root's own identity to the server as an unprivileged one.
 */
export type RunAs =
  | { readonly kind: 'self' }
  | { readonly kind: 'user'; readonly uid: number; readonly gid: number }
  | { readonly kind: 'namespace' };

export type User = { readonly uid: number; readonly gid: number };

export type RunAsInput = {
  readonly isRoot: boolean;
  readonly folderOwner: User | undefined;
  readonly systemUsers: readonly User[];
  readonly canReach: (user: User) => boolean;
  readonly hasNamespaces: () => boolean;
};

export function decideRunAs(input: RunAsInput): RunAs | 'impossible' {
  if (!input.isRoot) return { kind: 'self' };
  const owner = input.folderOwner !== undefined && input.folderOwner.uid !== 0 ? [input.folderOwner] : [];
  const chosen = [...owner, ...input.systemUsers].find((user) => input.canReach(user));
  if (chosen) return { kind: 'user', ...chosen };
  return input.hasNamespaces() ? { kind: 'namespace' } : 'impossible';
}

/** Whether the permission bits of every folder on the way let the user pass. */
export function canTraverse(path: string, user: User): boolean {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if (existsSync(folder)) {
      const { mode, uid, gid } = statSync(folder);
      const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
      if ((mode & bit) === 0) return false;
    }
    if (folder === dirname(folder)) return true;
  }
}

function systemUser(name: string): User[] {
  const row = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find((fields) => fields[0] === name);
  return row?.[2] !== undefined && row[3] !== undefined ? [{ uid: Number(row[2]), gid: Number(row[3]) }] : [];
}

const unshareArguments = ['--user', '--map-user=65534', '--map-group=65534'];

function namespacesWork(): boolean {
  return spawnSync('unshare', [...unshareArguments, 'true'], { stdio: 'ignore' }).status === 0;
}

/** `folder` is the server's own folder, `binary` its program. */
export function chooseRunAs(folder: string, binary: string): RunAs {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) return { kind: 'self' };
  const parent = dirname(folder);
  const owner = existsSync(folder) ? statSync(folder) : statSync(parent);
  const choice = decideRunAs({
    isRoot,
    folderOwner: { uid: owner.uid, gid: owner.gid },
    systemUsers: [...systemUser('postgres'), ...systemUser('nobody')],
    canReach: (user) => canTraverse(parent, user) && canTraverse(dirname(binary), user),
    hasNamespaces: namespacesWork,
  });
  if (choice === 'impossible') {
    throw new StartError(
      `PostgreSQL cannot run as root, and no other user can reach ${folder}; start as an ordinary user or choose another DATA_DIR`,
    );
  }
  return choice;
}

/** The uid and gid that files of the server must have on disk. */
export function fileOwner(runAs: RunAs): User | undefined {
  if (runAs.kind === 'self') return undefined;
  return runAs.kind === 'user' ? { uid: runAs.uid, gid: runAs.gid } : { uid: 0, gid: 0 };
}

export type Invocation = {
  readonly file: string;
  readonly args: string[];
  /** Whoever has the database's password can read it there, and must not find the signer's operator token. */
  readonly env: Readonly<Record<string, string>>;
  readonly uid?: number;
  readonly gid?: number;
};

/** `unshare` replaces itself by the program, so the process id is the server's own in every case. */
export function invocation(runAs: RunAs, file: string, args: readonly string[]): Invocation {
  const env = bareEnvironment(process.env, 'LD_LIBRARY_PATH');
  if (runAs.kind === 'namespace') return { file: 'unshare', args: [...unshareArguments, file, ...args], env };
  if (runAs.kind === 'user') return { file, args: [...args], env, uid: runAs.uid, gid: runAs.gid };
  return { file, args: [...args], env };
}
