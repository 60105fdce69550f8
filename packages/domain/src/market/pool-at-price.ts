import { baseUnits } from '../numbers/base-units.ts';
import { lamports } from '../numbers/lamports.ts';
import { larger, smaller, squareRoot } from '../numbers/rounding.ts';
import type { Pool } from './swap-maths.ts';

/** No reserve is empty, and none is above 64 bits: a coin that fell to nothing has a price all the same. */
const inRange = (reserve: bigint): bigint => larger(1n, smaller(reserve, 2n ** 64n - 1n));

/** The pool as deep as it is, at a price of SOL per token with 18 decimals. */
export function poolAtPrice(pool: Pool, decimals: number, priceSol: bigint): Pool {
  const product = (pool.solReserve + pool.virtualSol) * (pool.tokenReserve + pool.virtualTokens);
  const solReserve = inRange(squareRoot((product * priceSol) / 10n ** BigInt(9 + decimals)));
  return {
    ...pool,
    solReserve: lamports(solReserve),
    tokenReserve: baseUnits(inRange(product / solReserve)),
    virtualSol: lamports(0n),
    virtualTokens: baseUnits(0n),
  };
}
