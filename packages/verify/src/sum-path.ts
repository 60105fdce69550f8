import { BytesError, hashBytes, joined, numberBytes } from './bytes.ts';
import { sha256 } from './sha256.ts';

/** One step from a leaf to the root; `side` is where the sibling stands. Bytes are base64url, amounts base units. */
export type SumStep = { hash: string; sum: string; side: 'left' | 'right' };
export type SumNode = { hash: Uint8Array; sum: bigint };

/** The root that a leaf's path leads to; null where the path is not that of the leaf's place. */
export function rootOf(leaf: SumNode, index: number, path: readonly SumStep[]): SumNode | null {
  let node = leaf;
  let place = index;
  for (const step of path) {
    if ((place % 2 === 1) !== (step.side === 'left')) return null;
    const sibling = { hash: hashBytes(step.hash), sum: amountOf(step.sum) };
    const [left, right] = step.side === 'left' ? [sibling, node] : [node, sibling];
    const hash = sha256(
      joined(numberBytes(1n, 1), left.hash, numberBytes(left.sum, 8), right.hash, numberBytes(right.sum, 8)),
    );
    node = { hash, sum: left.sum + right.sum };
    place = Math.floor(place / 2);
  }
  return node;
}

export function amountOf(text: string): bigint {
  if (!/^\d{1,20}$/.test(text)) throw new BytesError(`not an amount in base units: ${text.slice(0, 60)}`);
  return BigInt(text);
}
