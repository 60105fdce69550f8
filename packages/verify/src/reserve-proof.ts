// Checks that a book in a strategy wallet is inside the published sum tree of a snapshot of reserves. Written from docs/decisions,
// without the server's code.

import { addressBytes, base64url, BytesError, hashBytes, joined, numberBytes, uuidBytes } from './bytes.ts';
import { sha256 } from './sha256.ts';

export type ReserveProof = {
  snapshotId: string;
  /** `SOL` or a mint. */
  asset: string;
  bookId: string;
  salt: string;
  /** Base units. */
  amount: string;
  index: number;
  path: readonly { hash: string; sum: string; side: 'left' | 'right' }[];
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
  let sum = amountOf(amount);
  const assetBytes = asset === 'SOL' ? new Uint8Array(32) : addressBytes(asset);
  let hash = sha256(
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
  let place = index;
  for (const step of path) {
    if ((place % 2 === 1) !== (step.side === 'left')) return { ok: false, problem: 'wrong-path' };
    const sibling = { hash: hashBytes(step.hash), sum: amountOf(step.sum) };
    const [left, right] = step.side === 'left' ? [sibling, { hash, sum }] : [{ hash, sum }, sibling];
    hash = sha256(
      joined(numberBytes(1n, 1), left.hash, numberBytes(left.sum, 8), right.hash, numberBytes(right.sum, 8)),
    );
    sum = left.sum + right.sum;
    place = Math.floor(place / 2);
  }
  const matches = base64url(hash) === published.root && sum === amountOf(published.sum);
  return matches ? { ok: true } : { ok: false, problem: 'other-root' };
}

function amountOf(text: string): bigint {
  if (!/^\d{1,20}$/.test(text)) throw new BytesError(`not an amount in base units: ${text.slice(0, 60)}`);
  return BigInt(text);
}
