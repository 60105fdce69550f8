import { join } from 'node:path';
import { writeOwnFile } from './own-file.ts';

export type OperatorAccess = { readonly signerSocket: string; readonly signerToken: string };

/** Lets the operator's commands find the signer of this instance; the token is new at every start unless set by hand. */
export function writeOperatorAccess(dataDirectory: string, access: OperatorAccess): void {
  writeOwnFile(join(dataDirectory, 'operator.json'), `${JSON.stringify(access)}\n`);
}
