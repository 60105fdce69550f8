// Durable nonces: an account whose value stands in the place of a blockhash and moves on with every use. The machine
// counts blockhashes of its own, which begin anew at every start, so the values are set from the ledger's blockhashes:
// a value that was used up must never come back.

import { createHash } from 'node:crypto';
import { SYSTEM_PROGRAM } from '@hunter/solana/program-ids';
import type { Account } from './chain.ts';
import type { WireTransaction } from './wire-transaction.ts';

const ADVANCE_NONCE = 4;
const INITIALIZE_NONCE = 6;
const NONCE_BYTES = 80;
const VALUE_AT = 40;
const STATE_INITIALIZED = 1;

export function isNonce(account: Account): boolean {
  return (
    account.owner === SYSTEM_PROGRAM && account.data.length === NONCE_BYTES && account.data[4] === STATE_INITIALIZED
  );
}

export function nonceValue(account: Account): Uint8Array {
  return account.data.subarray(VALUE_AT, VALUE_AT + 32);
}

/** The value that a nonce takes on when it is used while this is the newest blockhash. */
export function nextNonceValue(blockhash: Uint8Array): Uint8Array {
  return createHash('sha256').update('DURABLE_NONCE').update(blockhash).digest();
}

export function withNonceValue(account: Account, value: Uint8Array): Account {
  const data = Uint8Array.from(account.data);
  data.set(value, VALUE_AT);
  return { ...account, data };
}

/** The account that a transaction names as its nonce: the first one of its first instruction, where that advances. */
export function namedNonce(transaction: WireTransaction): string | null {
  const first = transaction.instructions[0];
  if (first === undefined || transaction.staticKeys[first.programIdIndex] !== SYSTEM_PROGRAM) return null;
  if (first.data.length < 4 || first.data[0] !== ADVANCE_NONCE || first.data[1] !== 0) return null;
  return transaction.staticKeys[first.accounts[0] ?? 255] ?? null;
}

/** Whether a System instruction gives the nonce in its first account a new value. */
export function setsNonce(data: Uint8Array): boolean {
  return data[0] === ADVANCE_NONCE || data[0] === INITIALIZE_NONCE;
}
