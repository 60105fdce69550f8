// Checks that a book in a strategy wallet is inside the published sum tree of a snapshot of reserves. Written from docs/decisions,
// without the server's code.

import { addressBytes, base64url, BytesError, hashBytes, joined, numberBytes, uuidBytes } from './bytes.ts';
import { sha256 } from './sha256.ts';
import { amountOf, rootOf, type SumStep } from './sum-path.ts';

export type ReserveProof = {
  snapshotId: string;
  /** `SOL` or a mint. */
  asset: string;
  bookId: string;
  salt: string;
  /** Base units. */
  amount: string;
  index: number;
  path: readonly SumStep[];
};

/** As published for everybody: the root's hash and how much all leaves come to. */
export type ReserveRoot = { root: string; sum: string };

export type ReserveCheck = { ok: true } | { ok: false; problem: 'unreadable-proof' | 'wrong-path' | 'other-root' };

const TAG = new TextEncoder().encode('hunter-reserve-1');
const PATH_LENGTH_MAX = 40;

/** `ok` means: whoever published the root counted this amount for this book among what is owed. */
export function verifyReserve(proof: ReserveProof, published: ReserveRoot): ReserveCheck {
  try {
    return check(proof, published);
  } catch (error) {
    if (error instanceof BytesError) return { ok: false, problem: 'unreadable-proof' };
    throw error;
  }
}

function check(
  { snapshotId, asset, bookId, salt, amount, index, path }: ReserveProof,
  published: ReserveRoot,
): ReserveCheck {
  if (path.length > PATH_LENGTH_MAX || !Number.isSafeInteger(index) || index < 0 || index >= 2 ** path.length) {
    return { ok: false, problem: 'wrong-path' };
  }
  const sum = amountOf(amount);
  const assetBytes = asset === 'SOL' ? new Uint8Array(32) : addressBytes(asset);
  const hash = sha256(
    joined(
      numberBytes(0n, 1),
      TAG,
      uuidBytes(snapshotId),
      assetBytes,
      uuidBytes(bookId),
      hashBytes(salt),
      numberBytes(sum, 8),
    ),
  );
  const root = rootOf({ hash, sum }, index, path);
  if (root === null) return { ok: false, problem: 'wrong-path' };
  const matches = base64url(root.hash) === published.root && root.sum === amountOf(published.sum);
  return matches ? { ok: true } : { ok: false, problem: 'other-root' };
}
