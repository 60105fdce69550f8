// Transactions and their metadata as JSON, in the encodings of getTransaction and getBlock.

import { encodeBase58 } from '@hunter/solana/base58';
import type { InnerInstruction, LedgerTransaction, TokenBalance } from '../chain/chain.ts';
import { wireHead } from '../chain/record-codec.ts';
import { isWritableStatic, parseWire, signaturesOf, type WireTransaction } from '../chain/wire-transaction.ts';
import { base64 } from './base64.ts';
import { jsonInteger } from './json-number.ts';
import { parseInstruction } from './parsed-instruction.ts';
import { uiTokenAmount } from './token-amount.ts';

export const TRANSACTION_ENCODINGS = ['json', 'base64', 'base58', 'binary', 'jsonParsed'] as const;
type TransactionEncoding = (typeof TRANSACTION_ENCODINGS)[number];

export function tokenBalanceJson(balance: TokenBalance): object {
  return {
    accountIndex: balance.accountIndex,
    mint: balance.mint,
    owner: balance.owner,
    programId: balance.programId,
    uiTokenAmount: uiTokenAmount(balance.amount, balance.decimals),
  };
}

export function loadedWritableCount(wire: WireTransaction): number {
  return wire.lookups.reduce((count, lookup) => count + lookup.writable.length, 0);
}

function loadedAddresses(transaction: LedgerTransaction): { writable: string[]; readonly: string[] } {
  const wire = parseWire(transaction.wire);
  const first = wire.staticKeys.length;
  const middle = first + loadedWritableCount(wire);
  return { writable: transaction.accountKeys.slice(first, middle), readonly: transaction.accountKeys.slice(middle) };
}

function innerInstructionJson(instruction: InnerInstruction): object {
  return {
    accounts: instruction.accounts,
    data: encodeBase58(instruction.data),
    programIdIndex: instruction.programIdIndex,
    stackHeight: instruction.stackHeight,
  };
}

export function statusJson(err: unknown): object {
  return err === null ? { Ok: null } : { Err: err };
}

export function returnDataJson(returned: { programId: string; data: Uint8Array } | null | undefined): object | null {
  return returned === null || returned === undefined
    ? null
    : { programId: returned.programId, data: [base64(returned.data), 'base64'] };
}

function metaJson(transaction: LedgerTransaction, staticCount: number, isParsed: boolean): object {
  const hasLoaded = transaction.accountKeys.length > staticCount;
  const returned = returnDataJson(transaction.returnData);
  return {
    computeUnitsConsumed: jsonInteger(transaction.computeUnitsConsumed),
    err: transaction.err,
    fee: jsonInteger(transaction.fee),
    innerInstructions: transaction.innerInstructions.map(({ index, instructions }) => ({
      index,
      instructions: instructions.map((instruction) =>
        isParsed
          ? parseInstruction(instruction, transaction.accountKeys, instruction.stackHeight)
          : innerInstructionJson(instruction),
      ),
    })),
    ...(isParsed ? {} : { loadedAddresses: hasLoaded ? loadedAddresses(transaction) : { writable: [], readonly: [] } }),
    logMessages: transaction.logMessages,
    postBalances: transaction.postBalances.map(jsonInteger),
    postTokenBalances: transaction.postTokenBalances.map(tokenBalanceJson),
    preBalances: transaction.preBalances.map(jsonInteger),
    preTokenBalances: transaction.preTokenBalances.map(tokenBalanceJson),
    ...(returned === null ? {} : { returnData: returned }),
    rewards: [],
    status: statusJson(transaction.err),
  };
}

function accountKeysJson(transaction: LedgerTransaction, wire: WireTransaction): object[] {
  const statics = wire.staticKeys.length;
  const writableEnd = statics + loadedWritableCount(wire);
  return transaction.accountKeys.map((pubkey, index) => ({
    pubkey,
    signer: index < wire.numRequiredSignatures,
    source: index < statics ? 'transaction' : 'lookupTable',
    writable: index < statics ? isWritableStatic(wire, index) : index < writableEnd,
  }));
}

function messageJson(transaction: LedgerTransaction, wire: WireTransaction, isParsed: boolean): object {
  const lookups = wire.lookups.map((lookup) => ({
    accountKey: lookup.table,
    readonlyIndexes: [...lookup.readonly],
    writableIndexes: [...lookup.writable],
  }));
  if (isParsed) {
    return {
      accountKeys: accountKeysJson(transaction, wire),
      ...(wire.version === 'legacy' ? {} : { addressTableLookups: lookups }),
      instructions: wire.instructions.map((instruction) => parseInstruction(instruction, transaction.accountKeys, 1)),
      recentBlockhash: wire.blockhash,
    };
  }
  return {
    accountKeys: wire.staticKeys,
    ...(wire.version === 'legacy' ? {} : { addressTableLookups: lookups }),
    header: {
      numReadonlySignedAccounts: wire.numReadonlySigned,
      numReadonlyUnsignedAccounts: wire.numReadonlyUnsigned,
      numRequiredSignatures: wire.numRequiredSignatures,
    },
    instructions: wire.instructions.map((instruction) => ({
      accounts: [...instruction.accounts],
      data: encodeBase58(instruction.data),
      programIdIndex: instruction.programIdIndex,
      stackHeight: 1,
    })),
    recentBlockhash: wire.blockhash,
  };
}

function transactionJson(transaction: LedgerTransaction, encoding: TransactionEncoding): unknown {
  if (encoding === 'binary') return encodeBase58(transaction.wire);
  if (encoding === 'base58') return [encodeBase58(transaction.wire), 'base58'];
  if (encoding === 'base64') return [base64(transaction.wire), 'base64'];
  const wire = parseWire(transaction.wire);
  return { message: messageJson(transaction, wire, encoding === 'jsonParsed'), signatures: signaturesOf(wire) };
}

/**
 * Null where the caller cannot read the transaction's version. The bytes are taken apart only for answers that show what is in
 * them: it would be most of the work.
 */
export function encodeTransaction(
  transaction: LedgerTransaction,
  encoding: TransactionEncoding,
  maxVersion: number | null,
): { meta: object; transaction: unknown; version?: 'legacy' | 0 } | null {
  const { version, staticCount } = wireHead(transaction.wire);
  if (version === 0 && maxVersion === null) return null;
  return {
    meta: metaJson(transaction, staticCount, encoding === 'jsonParsed'),
    transaction: transactionJson(transaction, encoding),
    ...(maxVersion === null ? {} : { version }),
  };
}

/** The short form of getBlock with `transactionDetails: "accounts"`. */
export function encodeTransactionAccounts(transaction: LedgerTransaction, maxVersion: number | null): object | null {
  const wire = parseWire(transaction.wire);
  if (wire.version === 0 && maxVersion === null) return null;
  return {
    meta: {
      err: transaction.err,
      fee: jsonInteger(transaction.fee),
      postBalances: transaction.postBalances.map(jsonInteger),
      postTokenBalances: transaction.postTokenBalances.map(tokenBalanceJson),
      preBalances: transaction.preBalances.map(jsonInteger),
      preTokenBalances: transaction.preTokenBalances.map(tokenBalanceJson),
      status: statusJson(transaction.err),
    },
    transaction: { accountKeys: accountKeysJson(transaction, wire), signatures: signaturesOf(wire) },
    ...(maxVersion === null ? {} : { version: wire.version }),
  };
}
