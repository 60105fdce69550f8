import { closeSync, constants, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

// Node's permission model, under which the signer runs, refuses every form of fsync. Files are therefore opened so that each
// write returns when it is on disk, and a folder is synced by SQLite, which syncs the one of its journal.

/** For `openSync`: a write returns once it survives a power cut. */
export const WRITE_THROUGH = constants.O_WRONLY | constants.O_CREAT | constants.O_SYNC;

/** Replaces a file so that after any crash either the old or the new content is there, readable by us alone. */
export function replaceFile(path: string, content: string): void {
  putInPlace(writeDraft(path, content), path);
}

/** The first half: where it fails, as on a full disk, the file is as it was, and the draft takes no room that others need. */
export function writeDraft(path: string, content: string): string {
  const draft = `${path}.new`;
  const file = openSync(draft, WRITE_THROUGH | constants.O_TRUNC, 0o600);
  try {
    const bytes = Buffer.from(content, 'utf8');
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return draft;
}

/** The second half: where it fails, nobody knows which of the two a crash would leave. */
export function putInPlace(draft: string, path: string): void {
  renameSync(draft, path);
  syncFolder(dirname(path));
}

/** `extra` syncs the folder each time a journal is made or removed in it, and with it the rename. */
function syncFolder(folder: string): void {
  const database = new DatabaseSync(join(folder, 'folder-sync.sqlite'));
  try {
    database.exec(`pragma journal_mode = delete; pragma synchronous = extra;
      create table if not exists synced (times integer); delete from synced; insert into synced values (1)`);
  } finally {
    database.close();
  }
}
