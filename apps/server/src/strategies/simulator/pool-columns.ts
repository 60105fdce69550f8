import { baseUnits } from '@hunter/domain/numbers/base-units';
import { lamports } from '@hunter/domain/numbers/lamports';
import type { Pool } from '@hunter/domain/market/swap-maths';

/** A pool as the simulator's tables keep it. */
export type PoolRow = {
  solReserve: bigint;
  tokenReserve: bigint;
  virtualSol: bigint;
  virtualTokens: bigint;
  feeBps: number;
};

export const POOL_COLUMNS = `sol_reserve as "solReserve", token_reserve as "tokenReserve", virtual_sol as "virtualSol",
  virtual_tokens as "virtualTokens", fee_bps as "feeBps"`;

export function poolOf(row: PoolRow): Pool {
  return {
    solReserve: lamports(row.solReserve),
    tokenReserve: baseUnits(row.tokenReserve),
    virtualSol: lamports(row.virtualSol),
    virtualTokens: baseUnits(row.virtualTokens),
    feeBps: BigInt(row.feeBps),
  };
}
