import type { Address } from '@hunter/domain/address';
import { shareOut } from '@hunter/domain/copying/allocation';
import { printDecimal } from '@hunter/domain/numbers/decimal';
import { holdingValue, type Holdings, type Pools } from '../book-holdings.ts';

const WHOLE_HUNDREDTHS = 10_000n;

/**
 * Each coin's share of the equity in percent points, the heaviest first. With what is left as SOL they add up to 100. A coin whose pool
 * cannot be read has no share that anybody knows, and is left out.
 */
export function weightsOf(book: Holdings, pools: Pools, equity: bigint): { mint: Address; weight: string }[] {
  if (equity <= 0n) return [];
  const coins = [...book.tokens]
    .flatMap(([mint, tokens]) => {
      const value = holdingValue(pools, mint, tokens);
      return value === null ? [] : [{ mint, value }];
    })
    .sort((left, right) => (left.value > right.value ? -1 : 1));
  const rest = coins.reduce((left, { value }) => left - value, equity);
  // An equity of an earlier moment, where a pool cannot be read now, may be less than the coins are worth by now.
  const parts = [...coins.map(({ value }) => value), rest > 0n ? rest : 0n];
  const shares = shareOut(WHOLE_HUNDREDTHS, parts, () => [...parts.keys()]);
  return coins.map(({ mint }, index) => ({ mint, weight: printDecimal(shares[index]!, 2) }));
}
