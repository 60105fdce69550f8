import { renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * For its owner's eyes only, also where a file of another mode was there. Whole or not at all: one that a kill or a full disk cut off
 * would be taken for the secret at every later start. A link in its place is replaced and not followed.
 */
export function writeSecretFile(file: string, content: string | Buffer): void {
  const draft = `${file}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, content, { mode: 0o600, flush: true, flag: 'wx' });
  renameSync(draft, file);
}
