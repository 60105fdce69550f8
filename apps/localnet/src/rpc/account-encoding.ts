// Accounts as JSON: base58, base64, compressed or parsed, whole or a slice.

import { zstdCompressSync } from 'node:zlib';
import { encodeBase58 } from '@hunter/solana/base58';
import type { Account } from '../chain/chain.ts';
import { base64 } from './base64.ts';
import { U64_MAX_JSON, jsonInteger } from './json-number.ts';
import { type Config, oneOf, u64Of, wrongType } from './params.ts';
import { parseAccountData } from './parsed-account.ts';
import { RpcError } from './rpc-error.ts';

const ENCODINGS = ['binary', 'base58', 'base64', 'base64+zstd', 'jsonParsed'] as const;
type AccountEncoding = (typeof ENCODINGS)[number];
type DataSlice = { offset: number; length: number };
export type AccountView = { encoding: AccountEncoding; slice: DataSlice | null };

const BASE58_BYTES_MAX = 128;

export function accountViewIn(config: Config, fallback: AccountEncoding = 'binary'): AccountView {
  return { encoding: oneOf(config['encoding'], ENCODINGS, fallback), slice: sliceIn(config) };
}

function sliceIn(config: Config): DataSlice | null {
  const value = config['dataSlice'];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'object' || Array.isArray(value)) throw wrongType(value, 'struct UiDataSliceConfig');
  const { offset, length } = value as Config;
  return { offset: u64Of(offset), length: u64Of(length) };
}

/** What stands in place of data that base58 is not used for. */
type OnTooLarge = () => string;

function refuseTooLarge(): never {
  throw new RpcError(
    -32600,
    'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
  );
}

/** A notification answers no call that could be refused. */
export const tellTooLarge: OnTooLarge = () => 'error: data too large for bs58 encoding';

function encodeData(
  account: Account,
  view: AccountView,
  readAccount: (address: string) => Account | null,
  onTooLarge: OnTooLarge,
): unknown {
  const base58 = (bytes: Uint8Array) => (bytes.length > BASE58_BYTES_MAX ? onTooLarge() : encodeBase58(bytes));
  const { slice } = view;
  const data = slice === null ? account.data : account.data.subarray(slice.offset, slice.offset + slice.length);
  const { encoding } = view;
  if (encoding === 'binary') return base58(data);
  if (encoding === 'base58') return [base58(data), 'base58'];
  if (encoding === 'base64+zstd') return [zstdCompressSync(data).toString('base64'), 'base64+zstd'];
  const parsed = encoding === 'jsonParsed' ? parseAccountData(account, readAccount) : null;
  return parsed ?? [base64(data), 'base64'];
}

export function encodeAccount(
  account: Account,
  view: AccountView,
  readAccount: (address: string) => Account | null,
  onTooLarge: OnTooLarge = refuseTooLarge,
): object {
  return {
    data: encodeData(account, view, readAccount, onTooLarge),
    executable: account.executable,
    lamports: jsonInteger(account.lamports),
    owner: account.owner,
    rentEpoch: U64_MAX_JSON,
    space: account.data.length,
  };
}
