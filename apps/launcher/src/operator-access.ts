import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type OperatorAccess = { readonly signerSocket: string; readonly signerToken: string };

/** Lets the operator's commands find the signer of this instance; the token is new at every start unless set by hand. */
export function writeOperatorAccess(dataDirectory: string, access: OperatorAccess): void {
  const file = join(dataDirectory, 'operator.json');
  // Removed first, because an existing file would keep the mode it has.
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(access)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
