import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Lets the operator's commands find the signer of this instance, whose token is new at every start. Only in local mode:
 * in production the operator holds a token that the server does not have.
 */
export function writeOperatorAccess(
  dataDirectory: string,
  access: { signerSocket: string; signerToken: string },
): void {
  const path = join(dataDirectory, 'operator.json');
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(access)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}
