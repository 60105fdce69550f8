// The ledger behind the log: accounts, transactions and the indexes to find them by. It is written by one thread and
// read by another; what it does not hold yet is in the log and in memory.

import { DatabaseSync } from 'node:sqlite';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { readTransactionHead } from './record-codec.ts';
import { RecordReader } from './record-reader.ts';
import { decodeRecords } from './record-payload.ts';
import { INDEX_MAX, sequenceOf } from './recent-transactions.ts';

const FORMAT = 1;

const SCHEMA = `
  create table if not exists meta (name text primary key, value any) strict, without rowid;
  create table if not exists tx (sequence integer primary key, body blob not null) strict;
  create table if not exists signature (
    hash integer not null, sequence integer not null, primary key (hash, sequence)
  ) strict, without rowid;
  create table if not exists mention (
    hash integer not null, sequence integer not null, primary key (hash, sequence)
  ) strict, without rowid;
  create table if not exists account (address blob primary key, body blob not null) strict, without rowid;
`;

// Most of a transaction's bytes repeat from one to the next. The dictionary holds what they share; it belongs to the
// format and must not change without raising FORMAT.
const DICTIONARY = Buffer.from(
  [
    'Program log: CreateIdempotent\n',
    'Program log: Please upgrade to SPL Token 2022 for immutable owner support',
    'Program log: Initialize the associated token account',
    'Program log: Instruction: InitializeImmutableOwner',
    'Program log: Instruction: InitializeAccount3',
    'Program log: Instruction: GetAccountDataSize',
    'Program log: Instruction: TransferChecked',
    'Program ComputeBudget111111111111111111111111111111 invoke [1]',
    'Program ComputeBudget111111111111111111111111111111 success',
    'Program ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL invoke [1]',
    'Program ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL consumed 20000 of 400000 compute units',
    'Program ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL success',
    'Program return: TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA pQAAAAAAAAA=',
    'Program TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA invoke [2]',
    'Program TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb invoke [1]',
    'Program TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb success',
    'Program 11111111111111111111111111111111 invoke [2]',
    'Program 11111111111111111111111111111111 invoke [1]',
    'Program 11111111111111111111111111111111 success',
    'Program TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA invoke [1]',
    'Program TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA consumed 6000 of 200000 compute units',
    'Program TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA success',
  ].join('\n'),
);

// With the dictionary a level this low packs into a twentieth more than the default one, in a third of the time. Nearly all
// transactions fit into one piece of this size, and setting aside the usual 16 KiB for each takes a fifth of the time.
const packing = { dictionary: DICTIONARY, chunkSize: 1024, params: { [constants.ZSTD_c_compressionLevel]: -3 } };

export function unpackTransaction(body: Uint8Array): Buffer {
  return zstdDecompressSync(body, { dictionary: DICTIONARY });
}

/** 48 bits are enough to find a row; whoever reads compares the whole signature. */
export function signatureHash(signature: Uint8Array): number {
  return (
    signature[0]! +
    signature[1]! * 2 ** 8 +
    signature[2]! * 2 ** 16 +
    signature[3]! * 2 ** 24 +
    signature[4]! * 2 ** 32 +
    signature[5]! * 2 ** 40
  );
}

/** Over all 32 bytes, because sysvars and programs share long beginnings. */
export function addressHash(address: Uint8Array): number {
  let low = 0x811c_9dc5;
  let high = 0x1234_5678;
  for (let i = 0; i < 32; i += 1) {
    low = Math.imul(low ^ address[i]!, 0x0100_0193);
    high = Math.imul(high ^ address[31 - i]!, 0x85eb_ca6b);
  }
  return (high & 0xf_ffff) * 2 ** 32 + (low >>> 0);
}

export function openDatabase(file: string, readOnly: boolean): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly });
  database.exec('pragma busy_timeout = 10000; pragma cache_size = -16000; pragma mmap_size = 0');
  if (readOnly) return database;
  database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 4000');
  database.exec(SCHEMA);
  const format = readMeta(database, 'format');
  if (format === null) writeMeta(database, 'format', FORMAT);
  else if (format !== FORMAT)
    throw new Error(`The ledger in ${file} has format ${String(format)}; this version reads ${FORMAT}.`);
  return database;
}

export function readMeta(database: DatabaseSync, name: string): string | number | Uint8Array | null {
  const row = database.prepare('select value from meta where name = ?').get(name);
  return (row?.['value'] ?? null) as string | number | Uint8Array | null;
}

export function writeMeta(database: DatabaseSync, name: string, value: string | number | Uint8Array): void {
  database
    .prepare('insert into meta values (?, ?) on conflict (name) do update set value = excluded.value')
    .run(name, value);
}

/** Writes frames of the log into the database, each exactly once. */
export class HistoryWriter {
  readonly #database: DatabaseSync;
  readonly #statements;

  constructor(database: DatabaseSync) {
    this.#database = database;
    const prepare = (sql: string) => database.prepare(sql);
    this.#statements = {
      begin: prepare('begin immediate'),
      commit: prepare('commit'),
      rollback: prepare('rollback'),
      transaction: prepare('insert or ignore into tx values (?, ?)'),
      signature: prepare('insert or ignore into signature values (?, ?)'),
      mention: prepare('insert or ignore into mention values (?, ?)'),
      setAccount: prepare('insert into account values (?, ?) on conflict (address) do update set body = excluded.body'),
      dropAccount: prepare('delete from account where address = ?'),
      meta: prepare('insert into meta values (?, ?) on conflict (name) do update set value = excluded.value'),
    };
  }

  /** Returns the sequence of the newest transaction among them, or null. */
  apply(frames: { number: number; payload: Buffer }[]): { newest: number | null; count: number } {
    const { begin, commit, rollback, meta } = this.#statements;
    begin.run();
    try {
      let newest: number | null = null;
      let count = Number(readMeta(this.#database, 'count') ?? 0);
      for (const { payload } of frames) {
        for (const record of decodeRecords(payload)) {
          if (record.transaction !== null) {
            newest = this.#addTransaction(record.transaction);
            count += 1;
          }
          for (const { address, account } of record.writes) this.#writeAccount(address, account);
        }
      }
      meta.run('count', count);
      meta.run('frame', frames.at(-1)!.number);
      commit.run();
      return { newest, count };
    } catch (error) {
      rollback.run();
      throw error;
    }
  }

  #addTransaction(record: Buffer): number {
    const head = readTransactionHead(new RecordReader(record));
    const sequence = sequenceOf(head.slot, head.index);
    this.#statements.transaction.run(sequence, zstdCompressSync(record, packing));
    this.#statements.signature.run(signatureHash(head.signature), sequence);
    for (const key of head.keys) this.#statements.mention.run(addressHash(key), sequence);
    return sequence;
  }

  #writeAccount(
    address: Buffer,
    account: { executable: boolean; lamports: bigint; owner: Buffer; data: Uint8Array } | null,
  ): void {
    if (account === null) {
      this.#statements.dropAccount.run(address);
      return;
    }
    const body = Buffer.allocUnsafe(41 + account.data.length);
    body.writeBigUInt64LE(account.lamports, 0);
    body[8] = account.executable ? 1 : 0;
    body.set(account.owner, 9);
    body.set(account.data, 41);
    this.#statements.setAccount.run(address, body);
  }

  /** What transactions, indexes and accounts take up; pages that were given back wait for what comes next. */
  usedBytes(): number {
    const number = (name: string): number => Number(this.#database.prepare(`pragma ${name}`).get()?.[name] ?? 0);
    return (number('page_count') - number('freelist_count')) * number('page_size');
  }

  /**
   * Forgets about `count` of the oldest transactions, whole slots at a time and none at or after `endSlot`. Answers with
   * the first slot that is still whole, or null where nothing could be forgotten.
   */
  prune(count: number, endSlot: number): number | null {
    const slotAt = (offset: number): number | null => {
      const row = this.#database.prepare('select sequence from tx order by sequence limit 1 offset ?').get(offset);
      return row === undefined ? null : Math.floor((row['sequence'] as number) / (INDEX_MAX + 1));
    };
    const oldest = slotAt(0);
    if (oldest === null) return null;
    const first = Math.min(Math.max(slotAt(count) ?? endSlot, oldest + 1), endSlot);
    if (first <= oldest) return null;
    const { begin, commit, rollback } = this.#statements;
    const last = sequenceOf(first, 0) - 1;
    begin.run();
    try {
      this.#forget(last);
      commit.run();
    } catch (error) {
      rollback.run();
      throw error;
    }
    return first;
  }

  // The indexes lead from a hash to a transaction and not back, so each transaction says itself where it stands.
  #forget(last: number): void {
    const prepare = (sql: string) => this.#database.prepare(sql);
    const signature = prepare('delete from signature where hash = ? and sequence = ?');
    const mention = prepare('delete from mention where hash = ? and sequence = ?');
    for (const row of prepare('select sequence, body from tx where sequence <= ?').all(last)) {
      const sequence = row['sequence'] as number;
      const head = readTransactionHead(new RecordReader(unpackTransaction(row['body'] as Uint8Array)));
      signature.run(signatureHash(head.signature), sequence);
      for (const key of head.keys) mention.run(addressHash(key), sequence);
    }
    prepare('delete from tx where sequence <= ?').run(last);
  }

  /** After this, frames that were applied are not needed in the log any more. False where a reader was in the way. */
  checkpoint(): boolean {
    const row = this.#database.prepare('pragma wal_checkpoint(truncate)').get();
    return row?.['busy'] === 0;
  }
}
