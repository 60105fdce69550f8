import { fromBase58 } from './base58.ts';

/** 32 key bytes as a latin1 string: comparable with ===, usable in sets, cheap to cut out of a transaction. */
export type AccountKey = string & { readonly brand: 'AccountKey' };

export function accountKey(bytes: Buffer, start = 0): AccountKey {
  return bytes.toString('latin1', start, start + 32) as AccountKey;
}

const known = new Map<string, AccountKey>();
const KNOWN_MAX = 20_000;

/** Null for text that is no address. Mints and pools repeat within a burst, so the reading is remembered. */
export function accountKeyFromBase58(text: string): AccountKey | null {
  const remembered = known.get(text);
  if (remembered !== undefined) return remembered;
  const bytes = fromBase58(text, 32);
  if (bytes === null) return null;
  if (known.size >= KNOWN_MAX) known.clear();
  const key = accountKey(bytes);
  known.set(text, key);
  return key;
}

export function keyBytes(key: AccountKey): Buffer {
  return Buffer.from(key, 'latin1');
}

function program(text: string): AccountKey {
  const key = accountKeyFromBase58(text);
  if (key === null) throw new Error(`${text} is no address`);
  return key;
}

export const SYSTEM = program('11111111111111111111111111111111');
export const TOKEN = program('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const TOKEN_2022 = program('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
export const ASSOCIATED_TOKEN = program('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
export const COMPUTE_BUDGET = program('ComputeBudget111111111111111111111111111111');
export const WRAPPED_SOL = program('So11111111111111111111111111111111111111112');
export const MEMO_PROGRAMS: ReadonlySet<AccountKey> = new Set([
  program('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
  program('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo'),
]);

const RESERVED: ReadonlySet<AccountKey> = new Set([TOKEN, TOKEN_2022, ASSOCIATED_TOKEN, WRAPPED_SOL, ...MEMO_PROGRAMS]);

/**
 * Programs, sysvars and the incinerator: what is sent there is lost. Native addresses are chosen to end in a row of ones,
 * which no generated key does.
 */
export function isReserved(key: AccountKey, text: string): boolean {
  return RESERVED.has(key) || /1{8}$/.test(text);
}
