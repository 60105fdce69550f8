// Account files in the form `solana account --output json` writes.

import { readFileSync } from 'node:fs';
import { decodeAddress, tryDecodeBase58 } from './chain/address-text.ts';
import type { Account } from './chain/chain.ts';
import { zstdDecompressSync } from 'node:zlib';

const U64_MAX = 2n ** 64n - 1n;
const DATA_BYTES_MAX = 10 * 1024 * 1024;

class AccountFileError extends Error {}

// Lamports go beyond what a double holds exactly, so whole numbers are read from their text.
function parseExactly(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && /^\d+$/.test(context.source)
      ? BigInt(context.source)
      : value,
  );
}

function decodeData(value: unknown): Uint8Array | null {
  if (!Array.isArray(value) || typeof value[0] !== 'string') return null;
  const [text, encoding] = value as [string, unknown];
  if (encoding === 'base64') return Buffer.from(text, 'base64');
  if (encoding === 'base58') return tryDecodeBase58(text);
  return encoding === 'base64+zstd' ? zstdDecompressSync(Buffer.from(text, 'base64')) : null;
}

/** `address` may be "-" to take the one that stands in the file. */
export function readAccountFile(address: string, file: string): { address: string; account: Account } {
  const fail = (reason: string): never => {
    throw new AccountFileError(`--account ${address} ${file}: ${reason}`);
  };
  let content: unknown;
  try {
    content = parseExactly(readFileSync(file, 'utf8'));
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
  if (typeof content !== 'object' || content === null || !('account' in content)) {
    return fail('expected an object with "pubkey" and "account", as `solana account --output json` writes it');
  }
  const { pubkey, account } = content as { pubkey?: unknown; account: Record<string, unknown> };
  const wanted = address === '-' ? pubkey : address;
  if (typeof wanted !== 'string' || decodeAddress(wanted) === null) return fail('the address is not a Solana address');
  if (typeof account !== 'object' || account === null) return fail('"account" is not an object');
  const { lamports, owner, executable } = account;
  const data = decodeData(account['data']);
  if (typeof lamports !== 'bigint' || lamports > U64_MAX) return fail('"lamports" is not a whole number of 64 bits');
  if (typeof owner !== 'string' || decodeAddress(owner) === null) return fail('"owner" is not a Solana address');
  if (data === null) return fail('"data" is not a pair of text and encoding (base64, base58 or base64+zstd)');
  if (data.length > DATA_BYTES_MAX) return fail(`"data" is larger than ${DATA_BYTES_MAX} bytes`);
  if (typeof executable !== 'boolean') return fail('"executable" is not true or false');
  if (wanted.startsWith('Sysvar') || owner === 'Sysvar1111111111111111111111111111111111111') {
    return fail('sysvars belong to the chain and cannot be set');
  }
  if (executable) return fail('programs cannot be loaded from account files');
  return { address: wanted, account: { lamports, owner, executable, data: new Uint8Array(data) } };
}
