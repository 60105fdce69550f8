// All accounts of a transaction in Solana's order: the message's own, then the looked-up writable ones, then the
// looked-up read-only ones.

import { encodeAddress } from './address-text.ts';
import type { Account } from './chain.ts';
import { LOOKUP_TABLE_PROGRAM } from './program-addresses.ts';
import { isWritableStatic, type WireTransaction } from './wire-transaction.ts';

const TABLE_HEAD_BYTES = 56;

export type ResolvedKeys = { keys: string[]; writable: boolean[] };

/** The second form names Solana's error for a lookup that cannot be followed. */
export function resolveKeys(
  transaction: WireTransaction,
  read: (address: string) => Account | null,
): ResolvedKeys | { fault: string } {
  const keys = [...transaction.staticKeys];
  const writable = keys.map((_, index) => isWritableStatic(transaction, index));
  const loadedReadonly: string[] = [];
  for (const lookup of transaction.lookups) {
    const table = read(lookup.table);
    if (table === null) return { fault: 'AddressLookupTableNotFound' };
    if (table.owner !== LOOKUP_TABLE_PROGRAM) return { fault: 'InvalidAddressLookupTableOwner' };
    if (table.data.length < TABLE_HEAD_BYTES || table.data[0] !== 1) return { fault: 'InvalidAddressLookupTableData' };
    const count = Math.floor((table.data.length - TABLE_HEAD_BYTES) / 32);
    const at = (index: number): string =>
      encodeAddress(table.data.subarray(TABLE_HEAD_BYTES + index * 32, TABLE_HEAD_BYTES + index * 32 + 32));
    for (const index of lookup.writable) {
      if (index >= count) return { fault: 'InvalidAddressLookupTableIndex' };
      keys.push(at(index));
      writable.push(true);
    }
    for (const index of lookup.readonly) {
      if (index >= count) return { fault: 'InvalidAddressLookupTableIndex' };
      loadedReadonly.push(at(index));
    }
  }
  for (const key of loadedReadonly) {
    keys.push(key);
    writable.push(false);
  }
  return { keys, writable };
}
