// Finds transactions in the database, from the thread that answers calls.

import type { DatabaseSync } from 'node:sqlite';
import { addressBytes, encodeAddress, encodeAndRemember, tryDecodeBase58 } from './address-text.ts';
import { RecordReader } from './record-reader.ts';
import type { Account, LedgerTransaction, ListedTransaction } from './chain.ts';
import { addressHash, signatureHash, unpackTransaction } from './history-database.ts';
import { headSignature, readTransaction, readTransactionHead, type TransactionHead } from './record-codec.ts';
import { INDEX_MAX, sequenceOf } from './recent-transactions.ts';
import type { SignatureStatus } from './ledger-chain.ts';

type Row = { sequence: number; body: Uint8Array };

export class HistoryReader {
  readonly #statements;
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#statements = {
      bySignature: database.prepare(
        'select t.sequence, t.body from signature s join tx t using (sequence) where s.hash = ?',
      ),
      byAddress: database.prepare(
        'select t.sequence, t.body from mention m join tx t using (sequence) where m.hash = ? and m.sequence between ? and ? order by m.sequence desc limit ?',
      ),
      between: database.prepare('select sequence, body from tx where sequence between ? and ? order by sequence'),
      first: database.prepare('select min(sequence) as sequence from tx'),
      last: database.prepare('select max(sequence) as sequence from tx'),
    };
  }

  #bodyOf(signature: string): Buffer | null {
    const bytes = tryDecodeBase58(signature);
    if (bytes === null || bytes.length !== 64) return null;
    for (const row of this.#statements.bySignature.all(signatureHash(bytes)) as unknown as Row[]) {
      const body = unpackTransaction(row.body);
      if (Buffer.compare(readTransactionHead(new RecordReader(body)).signature, bytes) === 0) return body;
    }
    return null;
  }

  transaction(signature: string): LedgerTransaction | null {
    const body = this.#bodyOf(signature);
    return body === null ? null : readTransaction(new RecordReader(body));
  }

  status(signature: string): SignatureStatus | null {
    const body = this.#bodyOf(signature);
    if (body === null) return null;
    const { slot, index, err, blockTime } = readTransactionHead(new RecordReader(body));
    return { slot, index, err, blockTime };
  }

  /** Newest first, both ends included. */
  mentioning(address: string, from: number, to: number, limit: number): LedgerTransaction[] {
    return this.#mentions(address, from, to, limit).map(({ body }) => readTransaction(new RecordReader(body)));
  }

  /** The same without taking them apart, which is most of the work. */
  listing(address: string, from: number, to: number, limit: number): ListedTransaction[] {
    return this.#mentions(address, from, to, limit).map(({ head }) => {
      const { slot, index, blockTime, err, wire } = head;
      return { signature: headSignature(head), slot: BigInt(slot), index, blockTime, err, wire };
    });
  }

  #mentions(address: string, from: number, to: number, limit: number): { body: Buffer; head: TransactionHead }[] {
    if (from > to || limit <= 0) return [];
    const key = addressBytes(address);
    const rows = this.#statements.byAddress.all(addressHash(key), from, to, limit) as unknown as Row[];
    return rows
      .map((row) => {
        const body = unpackTransaction(row.body);
        return { body, head: readTransactionHead(new RecordReader(body)) };
      })
      .filter(({ head }) => head.keys.some((mentioned) => Buffer.compare(mentioned, key) === 0));
  }

  inSlot(slot: number): LedgerTransaction[] {
    const rows = this.#statements.between.all(sequenceOf(slot, 0), sequenceOf(slot, INDEX_MAX)) as unknown as Row[];
    return rows.map(({ body }) => readTransaction(new RecordReader(unpackTransaction(body))));
  }

  statusesSince(slot: number): Map<string, SignatureStatus> {
    const statuses = new Map<string, SignatureStatus>();
    for (const row of this.#statements.between.iterate(sequenceOf(slot, 0), Number.MAX_SAFE_INTEGER)) {
      const head = readTransactionHead(new RecordReader(unpackTransaction((row as unknown as Row).body)));
      statuses.set(headSignature(head), {
        slot: head.slot,
        index: head.index,
        err: head.err,
        blockTime: head.blockTime,
      });
    }
    return statuses;
  }

  #edge(which: 'first' | 'last'): number | null {
    const row = this.#statements[which].get();
    const sequence = row?.['sequence'] as number | null | undefined;
    return sequence === null || sequence === undefined ? null : Math.floor(sequence / (INDEX_MAX + 1));
  }

  firstSlot(): number | null {
    return this.#edge('first');
  }

  lastSlot(): number | null {
    return this.#edge('last');
  }

  *accounts(): Generator<[string, Account]> {
    for (const row of this.#database.prepare('select address, body from account').iterate()) {
      const body = row['body'] as Uint8Array;
      const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
      yield [
        encodeAndRemember(row['address'] as Uint8Array),
        {
          lamports: view.getBigUint64(0, true),
          executable: body[8] === 1,
          owner: encodeAddress(body.subarray(9, 41)),
          data: body.slice(41),
        },
      ];
    }
  }

  close(): void {
    this.#database.close();
  }
}
