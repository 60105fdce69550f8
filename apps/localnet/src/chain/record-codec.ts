// Transactions and accounts as bytes, for the log and for the history. Keys that stand in the wire bytes are not
// written a second time.

import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { encodeBase58 } from '@hunter/solana/base58';
import type { AccountWrite } from './bank.ts';
import { RecordReader } from './record-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import type { Account, LedgerTransaction, TokenBalance } from './chain.ts';
import { parseWire } from './wire-transaction.ts';

function writeTokenBalances(writer: ByteWriter, balances: TokenBalance[]): void {
  writer.count(balances.length);
  for (const balance of balances) {
    writer.u8(balance.accountIndex);
    writer.u8(balance.programId === TOKEN_2022_PROGRAM ? 1 : 0);
    writer.u8(balance.decimals);
    writer.u64(balance.amount);
    writer.address(balance.mint);
    writer.address(balance.owner);
  }
}

function readTokenBalances(reader: RecordReader): TokenBalance[] {
  return Array.from({ length: reader.count() }, () => {
    const accountIndex = reader.u8();
    const programId = reader.u8() === 1 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM;
    const decimals = reader.u8();
    const amount = reader.u64();
    return { accountIndex, mint: reader.address(), owner: reader.address(), programId, amount, decimals };
  });
}

export function writeTransaction(writer: ByteWriter, transaction: LedgerTransaction): void {
  const { accountKeys: keys } = transaction;
  const staticCount = staticKeyCount(transaction.wire);
  writer.u64(transaction.slot);
  writer.u32(transaction.index);
  writer.u32(transaction.blockTime);
  writer.text(transaction.err === null ? '' : JSON.stringify(transaction.err));
  writer.sized(transaction.wire);
  writer.count(keys.length - staticCount);
  for (let i = staticCount; i < keys.length; i += 1) writer.address(keys[i]!);
  writer.u64(transaction.fee);
  for (const balance of transaction.preBalances) writer.u64(balance);
  for (const balance of transaction.postBalances) writer.u64(balance);
  writeTokenBalances(writer, transaction.preTokenBalances);
  writeTokenBalances(writer, transaction.postTokenBalances);
  writer.count(transaction.innerInstructions.length);
  for (const { index, instructions } of transaction.innerInstructions) {
    writer.u8(index);
    writer.count(instructions.length);
    for (const instruction of instructions) {
      writer.u8(instruction.programIdIndex);
      writer.u8(instruction.stackHeight);
      writer.sized(Uint8Array.from(instruction.accounts));
      writer.sized(instruction.data);
    }
  }
  writer.count(transaction.logMessages.length);
  for (const line of transaction.logMessages) writer.text(line);
  writer.u64(transaction.computeUnitsConsumed);
  const { returnData } = transaction;
  writer.u8(returnData === undefined ? 0 : 1);
  if (returnData !== undefined) {
    writer.address(returnData.programId);
    writer.sized(returnData.data);
  }
}

export function readTransaction(reader: RecordReader): LedgerTransaction {
  const slot = reader.u64();
  const index = reader.u32();
  const blockTime = reader.u32();
  const errText = reader.text();
  const wire = new Uint8Array(reader.sized());
  const parsed = parseWire(wire);
  const accountKeys = [...parsed.staticKeys];
  for (let rest = reader.count(); rest > 0; rest -= 1) accountKeys.push(reader.address());
  const fee = reader.u64();
  const preBalances = accountKeys.map(() => reader.u64());
  const postBalances = accountKeys.map(() => reader.u64());
  const preTokenBalances = readTokenBalances(reader);
  const postTokenBalances = readTokenBalances(reader);
  const innerInstructions = Array.from({ length: reader.count() }, () => ({
    index: reader.u8(),
    instructions: Array.from({ length: reader.count() }, () => ({
      programIdIndex: reader.u8(),
      stackHeight: reader.u8(),
      accounts: [...reader.sized()],
      data: new Uint8Array(reader.sized()),
    })),
  }));
  const logMessages = Array.from({ length: reader.count() }, () => reader.text());
  const computeUnitsConsumed = reader.u64();
  const hasReturn = reader.u8() === 1;
  const returnData = hasReturn ? { programId: reader.address(), data: new Uint8Array(reader.sized()) } : undefined;
  return {
    signature: parsed.signature,
    slot,
    index,
    blockTime,
    wire,
    err: errText === '' ? null : (JSON.parse(errText) as unknown),
    fee,
    accountKeys,
    preBalances,
    postBalances,
    preTokenBalances,
    postTokenBalances,
    innerInstructions,
    logMessages,
    computeUnitsConsumed,
    ...(returnData === undefined ? {} : { returnData }),
  };
}

function readLength(wire: Uint8Array, at: number): { value: number; next: number } {
  const first = wire[at]!;
  if (first < 0x80) return { value: first, next: at + 1 };
  const second = wire[at + 1]!;
  return { value: (first & 0x7f) | (second << 7), next: at + 2 };
}

type WireHead = { signature: Uint8Array; version: 'legacy' | 0; keysAt: number; staticCount: number };

/** The parts of a transaction that indexes and most answers need, found without taking all of it apart. */
export function wireHead(wire: Uint8Array): WireHead {
  const signatures = readLength(wire, 0);
  const message = signatures.next + signatures.value * 64;
  const version = wire[message]! >= 0x80 ? 0 : 'legacy';
  const header = version === 0 ? message + 1 : message;
  const keys = readLength(wire, header + 3);
  const signature = wire.subarray(signatures.next, signatures.next + 64);
  return { signature, version, keysAt: keys.next, staticCount: keys.value };
}

function staticKeyCount(wire: Uint8Array): number {
  return wireHead(wire).staticCount;
}

export type TransactionHead = {
  slot: number;
  index: number;
  blockTime: number;
  err: unknown;
  wire: Uint8Array;
  signature: Uint8Array;
  keys: Uint8Array[];
};

/** Reads a transaction's head and leaves the reader somewhere inside the record. */
export function readTransactionHead(reader: RecordReader): TransactionHead {
  const slot = Number(reader.u64());
  const index = reader.u32();
  const blockTime = reader.u32();
  const errText = reader.text();
  const wire = reader.sized();
  const { signature, keysAt, staticCount } = wireHead(wire);
  const keys: Uint8Array[] = [];
  for (let i = 0; i < staticCount; i += 1) keys.push(wire.subarray(keysAt + i * 32, keysAt + i * 32 + 32));
  for (let rest = reader.count(); rest > 0; rest -= 1) keys.push(reader.take(32));
  const err = errText === '' ? null : (JSON.parse(errText) as unknown);
  return { slot, index, blockTime, err, wire, signature, keys };
}

export function headSignature(head: TransactionHead): string {
  return encodeBase58(head.signature);
}

export function writeAccount(writer: ByteWriter, { address, account }: AccountWrite): void {
  writer.address(address);
  writer.u8(account === null ? 0 : account.executable ? 2 : 1);
  if (account === null) return;
  writer.u64(account.lamports);
  writer.address(account.owner);
  writer.sized(account.data);
}

/** Raw keys, because the reader of the log stores them as bytes. */
export function readAccount(reader: RecordReader): {
  address: Buffer;
  account: (Omit<Account, 'owner'> & { owner: Buffer }) | null;
} {
  const address = reader.take(32);
  const kind = reader.u8();
  if (kind === 0) return { address, account: null };
  return {
    address,
    account: { executable: kind === 2, lamports: reader.u64(), owner: reader.take(32), data: reader.sized() },
  };
}
