import { MEMO_PROGRAM } from '@hunter/solana/program-ids';
import { MEMO_PROGRAM_V1 } from '../chain/program-addresses.ts';
import { addressBytes, tryDecodeBase58 } from '../chain/address-text.ts';
import type { Commitment } from '../chain/chain.ts';
import {
  PACKET_BYTES_MAX,
  parseMessage,
  parseWire,
  sanitizeFault,
  WireError,
  type WireTransaction,
} from '../chain/wire-transaction.ts';
import { jsonInteger } from './json-number.ts';
import {
  addressAt,
  booleanIn,
  type Config,
  configAt,
  type Method,
  oneOf,
  optionalU64In,
  readCommitment,
  requireCount,
  signatureOf,
  stringAt,
  u64At,
  withContext,
  wrongType,
} from './params.ts';
import { invalidParams, RpcError } from './rpc-error.ts';
import { confirmationOf, reaches } from './signature-status.ts';
import { encodeTransaction, statusJson, TRANSACTION_ENCODINGS } from './transaction-encoding.ts';

const SIGNATURES_MAX = 256;
const HISTORY_LIMIT_MAX = 1000;
const BASE64_CHARS_MAX = 1644;
const BASE58_CHARS_MAX = 1683;

export function decodeWire(text: string, config: Config, kind: string): Uint8Array {
  const encoding = oneOf(config['encoding'], ['base58', 'base64', 'binary'] as const, 'base58');
  const isBase64 = encoding === 'base64';
  const charsMax = isBase64 ? BASE64_CHARS_MAX : BASE58_CHARS_MAX;
  if (text.length > charsMax) {
    throw invalidParams(
      `${isBase64 ? 'base64' : 'base58'} encoded ${kind} too large: ${text.length} bytes (max: encoded/raw ${charsMax}/${PACKET_BYTES_MAX})`,
    );
  }
  if (!isBase64) {
    const bytes = tryDecodeBase58(text);
    if (bytes === null) throw invalidParams('invalid base58 encoding: InvalidCharacter');
    return bytes;
  }
  const bytes = Buffer.from(text, 'base64');
  // The decoder skips letters it does not know, which shows in the length.
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  if (text.length % 4 !== 0 || bytes.length !== (text.length / 4) * 3 - padding) {
    throw invalidParams('invalid base64 encoding: InvalidByte');
  }
  return bytes;
}

export function readTransaction(bytes: Uint8Array): WireTransaction {
  const kind = 'solana_transaction::versioned::VersionedTransaction';
  if (bytes.length > PACKET_BYTES_MAX) {
    throw invalidParams(`decoded ${kind} too large: ${bytes.length} bytes (max: ${PACKET_BYTES_MAX} bytes)`);
  }
  try {
    const transaction = parseWire(bytes);
    if (sanitizeFault(transaction) === null) return transaction;
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw invalidParams(`failed to deserialize ${kind}: ${error.message}`);
  }
  throw invalidParams('invalid transaction: Transaction failed to sanitize accounts offsets correctly');
}

export const sendTransaction: Method = async (chain, params) => {
  const text = stringAt(params, 0);
  const config = configAt(params, 1);
  const skipPreflight = booleanIn(config, 'skipPreflight');
  readCommitment(chain, config, 'preflightCommitment');
  optionalU64In(config, 'maxRetries');
  const outcome = await chain.submit(decodeWire(text, config, 'solana_transaction::versioned::VersionedTransaction'), {
    skipPreflight,
  });
  if (outcome.kind === 'accepted') return outcome.transaction.signature;
  if (outcome.kind === 'refused') throw new RpcError(outcome.code, outcome.message, outcome.data);
  if (skipPreflight) return outcome.signature;
  throw new RpcError(-32002, 'Transaction simulation failed: This transaction has already been processed', {
    accounts: null,
    err: 'AlreadyProcessed',
    innerInstructions: null,
    logs: [],
    returnData: null,
    unitsConsumed: 0,
  });
};

export const getSignatureStatuses: Method = (chain, params) => {
  requireCount(params, 1);
  const list = params[0];
  if (!Array.isArray(list)) throw wrongType(list, 'a sequence');
  if (list.length > SIGNATURES_MAX) throw invalidParams(`Too many inputs provided; max ${SIGNATURES_MAX}`);
  const signatures = list.map(signatureOf);
  const searchHistory = booleanIn(configAt(params, 1), 'searchTransactionHistory');
  const tip = Number(chain.slot('processed'));
  const value = signatures.map((signature) => {
    const status = chain.status(signature, searchHistory);
    if (status === null) return null;
    const confirmationStatus = confirmationOf(chain, status.slot);
    return {
      confirmationStatus,
      confirmations: confirmationStatus === 'finalized' ? null : tip - status.slot,
      err: status.err,
      slot: status.slot,
      status: statusJson(status.err),
    };
  });
  return withContext(chain, 'processed', value);
};

/** History is told of confirmed and finalized transactions only. */
function historyCommitment(chain: Parameters<Method>[0], config: Config): Commitment {
  const commitment = readCommitment(chain, config);
  if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`');
  return commitment;
}

const MEMO_PROGRAMS: readonly string[] = [MEMO_PROGRAM, MEMO_PROGRAM_V1];
const MEMO_KEYS = MEMO_PROGRAMS.map(addressBytes);

/** The programs that a transaction calls stand in its wire bytes, never in a lookup table. */
function memoOf(wire: Uint8Array): string | null {
  const bytes = Buffer.from(wire.buffer, wire.byteOffset, wire.length);
  if (!MEMO_KEYS.some((key) => bytes.includes(key))) return null;
  const { staticKeys, instructions } = parseWire(wire);
  const memos = instructions
    .filter(({ programIdIndex }) => MEMO_PROGRAMS.includes(staticKeys[programIdIndex]!))
    .map(({ data }) => `[${data.length}] ${Buffer.from(data).toString('utf8')}`);
  return memos.length === 0 ? null : memos.join('; ');
}

export const getSignaturesForAddress: Method = (chain, params) => {
  const address = addressAt(params, 0);
  const config = configAt(params, 1);
  const commitment = historyCommitment(chain, config);
  const limit = optionalU64In(config, 'limit') ?? HISTORY_LIMIT_MAX;
  if (limit === 0 || limit > HISTORY_LIMIT_MAX) throw invalidParams(`Invalid limit; max ${HISTORY_LIMIT_MAX}`);
  const edge = (name: string): string | null =>
    config[name] === undefined || config[name] === null ? null : signatureOf(config[name]);
  const before = edge('before');
  const until = edge('until');
  const newestSlot = chain.slot(commitment);
  return chain.listFor(address, { before, until, limit, newestSlot }).map((transaction) => ({
    blockTime: transaction.blockTime,
    confirmationStatus: confirmationOf(chain, Number(transaction.slot)),
    err: transaction.err,
    memo: memoOf(transaction.wire),
    signature: transaction.signature,
    slot: Number(transaction.slot),
  }));
};

export const getTransaction: Method = (chain, params) => {
  const signature = signatureOf(stringAt(params, 0));
  // The second parameter may be the bare name of the encoding.
  const config = typeof params[1] === 'string' ? { encoding: params[1] } : configAt(params, 1);
  const encoding = oneOf(config['encoding'], TRANSACTION_ENCODINGS, 'json');
  const commitment = historyCommitment(chain, config);
  const maxVersion = optionalU64In(config, 'maxSupportedTransactionVersion');
  const transaction = chain.transaction(signature);
  if (transaction === null || !reaches(chain, Number(transaction.slot), commitment)) return null;
  const encoded = encodeTransaction(transaction, encoding, maxVersion);
  if (encoded === null) throw unsupportedVersion();
  return { blockTime: transaction.blockTime, slot: Number(transaction.slot), ...encoded };
};

export function unsupportedVersion(): RpcError {
  return new RpcError(
    -32015,
    'Transaction version (0) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 0',
  );
}

export const getFeeForMessage: Method = (chain, params) => {
  const bytes = decodeWire(stringAt(params, 0), { encoding: 'base64' }, 'solana_message::versions::VersionedMessage');
  const commitment = readCommitment(chain, configAt(params, 1));
  let message: WireTransaction;
  try {
    message = parseMessage(bytes);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw invalidParams(`failed to deserialize solana_message::versions::VersionedMessage: ${error.message}`);
  }
  const unsigned = { ...message, signatureCount: message.numRequiredSignatures };
  if (sanitizeFault(unsigned) !== null) {
    throw invalidParams('invalid transaction message: index out of bounds');
  }
  const fee = chain.feeFor(message);
  return withContext(chain, commitment, fee === null ? null : jsonInteger(fee));
};

export const requestAirdrop: Method = async (chain, params) => {
  const address = addressAt(params, 0);
  const lamports = u64At(params, 1);
  const outcome = await chain.airdrop(address, BigInt(lamports));
  if (outcome.kind === 'accepted') return outcome.transaction.signature;
  const reason = outcome.kind === 'refused' ? outcome.message : 'already processed';
  throw new RpcError(-32603, `Internal error: airdrop request failed: ${reason}`);
};
