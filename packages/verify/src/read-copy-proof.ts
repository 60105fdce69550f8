import type { CopyProof } from './verify-copy.ts';

const texts = ['wallet', 'roundId', 'mint', 'followId', 'salt', 'amountIn', 'txHash'] as const;
const numbers = ['attempt', 'reason', 'count', 'index'] as const;
const PATH_LENGTH_MAX = 32;

/** A proof as a receipt offers it, in JSON; the name of the first field that is missing or wrong otherwise. */
export function readCopyProof(text: string): { proof: CopyProof } | { wrong: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { wrong: 'JSON' };
  }
  if (typeof value !== 'object' || value === null) return { wrong: 'JSON' };
  const given = value as Record<string, unknown>;
  const wrong =
    texts.find((name) => typeof given[name] !== 'string') ?? numbers.find((name) => !Number.isSafeInteger(given[name]));
  if (wrong !== undefined) return { wrong };
  if (given['side'] !== 'buy' && given['side'] !== 'sell') return { wrong: 'side' };
  const path = given['path'];
  if (!Array.isArray(path) || path.length > PATH_LENGTH_MAX || !path.every(isStep)) return { wrong: 'path' };
  return { proof: given as CopyProof };
}

function isStep(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { hash, sum, side } = value as Record<string, unknown>;
  return typeof hash === 'string' && typeof sum === 'string' && (side === 'left' || side === 'right');
}
