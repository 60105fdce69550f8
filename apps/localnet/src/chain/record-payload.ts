// What one frame of the log carries: transactions with the accounts they changed, or accounts set from outside.

import type { AccountWrite } from './bank.ts';
import { RecordReader } from './record-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import type { LedgerTransaction } from './chain.ts';
import { readAccount, writeAccount, writeTransaction } from './record-codec.ts';

const writer = new ByteWriter();
const body = new ByteWriter();

export function encodeRecord(transaction: LedgerTransaction | null, writes: AccountWrite[]): Buffer {
  writer.reset();
  body.reset();
  if (transaction !== null) writeTransaction(body, transaction);
  writer.u32(body.length);
  writer.bytes(body.view());
  writer.count(writes.length);
  for (const write of writes) writeAccount(writer, write);
  return writer.copy();
}

type StoredRecord = {
  /** The transaction as `readTransaction` reads it, or null for accounts alone. */
  transaction: Buffer | null;
  writes: ReturnType<typeof readAccount>[];
};

export function* decodeRecords(payload: Buffer): Generator<StoredRecord> {
  const reader = new RecordReader(payload);
  while (reader.left > 0) {
    const length = reader.u32();
    const transaction = length === 0 ? null : reader.take(length);
    const writes = Array.from({ length: reader.count() }, () => readAccount(reader));
    yield { transaction, writes };
  }
}
