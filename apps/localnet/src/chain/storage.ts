// Opens the data folder: takes the lock, brings the database up to the end of the log, and starts the thread that
// keeps it there.

import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { lockDataFolder } from './data-lock.ts';
import { DiskJournal } from './disk-journal.ts';
import type { Account } from './chain.ts';
import { HistoryReader } from './history-reader.ts';
import { HistoryWriter, openDatabase, readMeta, writeMeta } from './history-database.ts';
import type { Journal } from './journal.ts';
import type { SignatureStatus } from './ledger-chain.ts';
import { HISTORY_GB, type Retention, retentionOf } from './retention.ts';
import { LedgerDamagedError, listSegments, readLog, removeSegment, segmentPath, syncDirectory } from './log-files.ts';

type StoredAnchor = { slot: number; timeMs: number; slotMs: number };

export type Storage = {
  ledgerId: Uint8Array;
  isNew: boolean;
  anchor: StoredAnchor;
  lastSlot: number;
  accounts(): Iterable<[string, Account]>;
  statusesSince(slot: number): Map<string, SignatureStatus>;
  setAnchor(anchor: StoredAnchor): void;
  /** Starts the thread; what is read above must be read before. */
  start(): Journal;
  close(): void;
};

const APPLY_FRAMES_MAX = 512;

type Recovered = { applied: number; lastSegment: number };

/** Applies what the log holds beyond the database. Afterwards the log is not needed and is removed. */
function recover(writer: HistoryWriter, applied: number, logDirectory: string): Recovered {
  let newest = applied;
  let batch: { number: number; payload: Buffer }[] = [];
  let isFirst = true;
  for (const { segment, frame } of readLog(logDirectory)) {
    if (isFirst && frame.number > applied + 1) throw new LedgerDamagedError(segmentPath(logDirectory, segment), 0);
    isFirst = false;
    if (frame.number <= applied) continue;
    batch.push(frame);
    newest = frame.number;
    if (batch.length >= APPLY_FRAMES_MAX) {
      writer.apply(batch);
      batch = [];
    }
  }
  if (batch.length > 0) writer.apply(batch);
  const segments = listSegments(logDirectory);
  if (writer.checkpoint()) for (const segment of segments) removeSegment(logDirectory, segment);
  syncDirectory(logDirectory);
  return { applied: newest, lastSegment: segments.at(-1) ?? 0 };
}

export type FilingOptions = {
  retention?: Retention;
  /** For whoever waits until the history is filed, as a new market does; otherwise filing gives way to everything else. */
  isFilingAwaited?: boolean;
  /**
   * When the disk takes no more: from then on every transaction is refused, and what is in memory may be ahead of what the next start
   * finds. Whoever runs the chain ends the process.
   */
  onFailure?: (error: Error) => void;
};

export async function openStorage(
  dataDir: string,
  { retention = retentionOf(HISTORY_GB), isFilingAwaited = false, onFailure = () => undefined }: FilingOptions = {},
): Promise<Storage> {
  const logDirectory = join(dataDir, 'log');
  mkdirSync(logDirectory, { recursive: true });
  const lock = lockDataFolder(dataDir);
  try {
    const databaseFile = join(dataDir, 'history.sqlite');
    const database = openDatabase(databaseFile, false);
    const writer = new HistoryWriter(database);
    const knownId = readMeta(database, 'ledger');
    const ledgerId = knownId === null ? randomBytes(32) : Buffer.from(knownId as Uint8Array);
    if (knownId === null) writeMeta(database, 'ledger', ledgerId);
    const recovered = recover(writer, Number(readMeta(database, 'frame') ?? 0), logDirectory);
    const reader = new HistoryReader(openDatabase(databaseFile, true));
    const anchorText = readMeta(database, 'anchor');
    const anchor = JSON.parse(String(anchorText ?? '{"slot":0,"timeMs":0,"slotMs":400}')) as StoredAnchor;
    return {
      ledgerId,
      isNew: anchorText === null,
      anchor,
      lastSlot: reader.lastSlot() ?? 0,
      accounts: () => reader.accounts(),
      statusesSince: (slot) => reader.statusesSince(slot),
      setAnchor: (value) => writeMeta(database, 'anchor', JSON.stringify(value)),
      start: () => {
        const count = Number(readMeta(database, 'count') ?? 0);
        database.close();
        return new DiskJournal({
          databaseFile,
          logDirectory,
          segment: recovered.lastSegment + 1,
          nextFrame: recovered.applied + 1,
          reader,
          count,
          retention,
          isFilingAwaited,
          onFailure,
          release: () => lock.release(),
        });
      },
      close: () => {
        reader.close();
        if (database.isOpen) database.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
