import { lamports, type Lamports } from '../numbers/lamports.ts';
import type { MintExtension } from './token-safety.ts';

/** What the network wants set aside for each byte of an account, and for the account itself as if it were so many bytes more. */
const LAMPORTS_PER_BYTE = 6_960;
const ACCOUNT_BYTES = 128;
/** What the Token program keeps for a holder; Token-2022 adds one byte for the kind of account, and extensions. */
const TOKEN_BYTES = 165;
const KIND_BYTES = 1;
/** Type and length of an extension. */
const HEAD_BYTES = 4;

export const TOKEN_ACCOUNT_RENT_LAMPORTS = rentOf(TOKEN_BYTES);

/**
 * What an associated account of a Token-2022 mint locks up; null where it cannot be known. Some extensions of a mint have a part in
 * each of its accounts, and each associated account says that its owner never changes.
 */
export function token2022AccountRent(extensions: readonly MintExtension[] | undefined): Lamports | null {
  let bytes = TOKEN_BYTES + KIND_BYTES + HEAD_BYTES;
  if (extensions === undefined) return null;
  for (const extension of extensions) {
    const added = accountBytes(extension);
    if (added === null) return null;
    bytes += added;
  }
  return rentOf(bytes);
}

function accountBytes({ kind }: MintExtension): number | null {
  switch (kind) {
    // What was kept back of transfers.
    case 'transfer-fee':
      return HEAD_BYTES + 8;
    // Whether it is being transferred.
    case 'transfer-hook':
      return HEAD_BYTES + 1;
    case 'non-transferable':
    case 'pausable':
      return HEAD_BYTES;
    case 'permanent-delegate':
    case 'default-frozen':
    case 'harmless':
      return 0;
    case 'unreadable':
      return null;
    default:
      return kind satisfies never;
  }
}

function rentOf(bytes: number): Lamports {
  return lamports(BigInt((bytes + ACCOUNT_BYTES) * LAMPORTS_PER_BYTE));
}
