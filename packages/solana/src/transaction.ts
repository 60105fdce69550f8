import type { Address } from './address.ts';
import { encodeBase58 } from './base58.ts';
import { ByteReader, encodeCompactU16 } from './byte-reader.ts';
import { type Keypair, verifySignature } from './keypair.ts';
import { decodeMessage, encodeMessage, type Message } from './message.ts';
import { SolanaError } from './solana-error.ts';
import { V1_FIRST_BYTE } from './wire-message-v1.ts';

/** A transaction as it travels: one 64-byte slot per required signer (zeros until signed) and the signed bytes. */
export type Transaction = { signatures: Uint8Array[]; message: Message; messageBytes: Uint8Array };

export function transactionFromMessage(message: Message): Transaction {
  const signatures = Array.from({ length: message.header.requiredSignatures }, () => new Uint8Array(64));
  return { signatures, message, messageBytes: encodeMessage(message) };
}

export function encodeTransaction(transaction: Transaction): Uint8Array {
  return Buffer.concat([
    Uint8Array.from(encodeCompactU16(transaction.signatures.length)),
    ...transaction.signatures,
    transaction.messageBytes,
  ]);
}

export function decodeTransaction(wire: Uint8Array): Transaction {
  if (wire[0] === V1_FIRST_BYTE) return decodeTransactionV1(wire);
  const reader = new ByteReader(wire);
  const count = reader.compactU16();
  const signatures: Uint8Array[] = [];
  for (let index = 0; index < count; index += 1) signatures.push(Uint8Array.from(reader.take(64)));
  const messageBytes = Uint8Array.from(reader.rest());
  const message = decodeMessage(messageBytes);
  if (count !== message.header.requiredSignatures) {
    throw new SolanaError('TRANSACTION_INVALID', { reason: 'signature count differs from the header' });
  }
  return { signatures, message, messageBytes };
}

/** Its signatures follow the message, whose header says how many there are. */
function decodeTransactionV1(wire: Uint8Array): Transaction {
  const count = wire[1] ?? 0;
  const end = wire.length - 64 * count;
  if (end < 0) throw new SolanaError('TRANSACTION_INVALID', { reason: 'fewer signatures than the header says' });
  const messageBytes = Uint8Array.from(wire.subarray(0, end));
  const reader = new ByteReader(wire, end);
  const signatures = Array.from({ length: count }, () => Uint8Array.from(reader.take(64)));
  return { signatures, message: decodeMessage(messageBytes), messageBytes };
}

export function encodeTransactionBase64(transaction: Transaction): string {
  return Buffer.from(encodeTransaction(transaction)).toString('base64');
}

export function decodeTransactionBase64(text: string): Transaction {
  return decodeTransaction(Buffer.from(text, 'base64'));
}

/** Fills the slots of the given keys and leaves the others as they are. */
export function signTransaction(transaction: Transaction, keypairs: readonly Keypair[]): Transaction {
  const signatures = [...transaction.signatures];
  for (const keypair of keypairs) {
    const index = transaction.message.staticAccounts.indexOf(keypair.address);
    if (index < 0 || index >= signatures.length) {
      throw new SolanaError('TRANSACTION_INVALID', { reason: `${keypair.address} is not a signer` });
    }
    signatures[index] = keypair.sign(transaction.messageBytes);
  }
  return { ...transaction, signatures };
}

/** The first signature, which is the transaction's id on chain, or null while the fee payer has not signed. */
export function transactionId(transaction: Transaction): string | null {
  const first = transaction.signatures[0];
  return first === undefined || isEmptySignature(first) ? null : encodeBase58(first);
}

export function missingSigners(transaction: Transaction): Address[] {
  return transaction.message.staticAccounts.filter(
    (_, index) => index < transaction.signatures.length && isEmptySignature(transaction.signatures[index]!),
  );
}

export function hasValidSignatures(transaction: Transaction): boolean {
  return transaction.signatures.every((signature, index) =>
    verifySignature(transaction.message.staticAccounts[index]!, transaction.messageBytes, signature),
  );
}

function isEmptySignature(signature: Uint8Array): boolean {
  return signature.every((byte) => byte === 0);
}
