import { renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * For its owner's eyes only, also where a file of another mode was there. Whole or not at all: a key that a kill or a full disk cut off
 * would be taken for the key at every later start. A link in its place is replaced and not followed: the folder may be that of a part,
 * and whoever has taken the part over would choose what root writes to.
 */
export function writeOwnFile(file: string, content: string | Buffer): void {
  const draft = `${file}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, content, { mode: 0o600, flush: true, flag: 'wx' });
  renameSync(draft, file);
}
