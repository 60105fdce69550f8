import { readDecimal } from '@hunter/domain/numbers/decimal';

const DECIMALS = 18;

export type PriceDirection = 'above' | 'below' | null;

/** Whether a price must rise or fall to get to the target; null where it is there, or one of them is not known. */
export function directionOf(target: string, price: string | null): PriceDirection {
  const wanted = readDecimal(target, DECIMALS);
  const current = readDecimal(price ?? '', DECIMALS);
  if (!wanted.ok || !current.ok || wanted.raw <= 0n || current.raw <= 0n || wanted.raw === current.raw) return null;
  return wanted.raw > current.raw ? 'above' : 'below';
}
