import { spotPrice, type Pool } from '../market/swap-maths.ts';
import { baseUnits } from '../numbers/base-units.ts';
import { basisPoints } from '../numbers/basis-points.ts';
import { lamports } from '../numbers/lamports.ts';
import type { BuyFollower, BuyRound, PlannedBuy } from './round-plan.ts';

export const sol = (amount: number) => lamports(BigInt(Math.round(amount * 1e9)));

/** Deep enough that no rule binds unless a test makes it. */
export const pool: Pool = {
  solReserve: sol(1_000_000),
  tokenReserve: baseUnits(10n ** 15n),
  virtualSol: lamports(0n),
  virtualTokens: baseUnits(0n),
  feeBps: 0n,
};

export function aFollower(overrides: Partial<BuyFollower> = {}): BuyFollower {
  return {
    followId: 'follow',
    mode: 'sol',
    multiplierBps: 10_000n,
    freeLamports: sol(10),
    spendableLamports: sol(10),
    settings: {
      runUpLimit: basisPoints(300),
      coinCap: basisPoints(5_000),
      capPerTradeLamports: null,
      stopLoss: null,
      takeProfit: null,
    },
    state: aState(),
    ...overrides,
  };
}

export function aState(overrides: Partial<BuyFollower['state']> = {}): BuyFollower['state'] {
  return {
    equityLamports: sol(10),
    coinLamports: sol(0),
    runUpUsedLamports: sol(0),
    runUpUsedTotalLamports: sol(0),
    costHourLamports: sol(0),
    costDayLamports: sol(0),
    ...overrides,
  };
}

export function aRound(overrides: Partial<BuyRound> = {}): BuyRound {
  return {
    creator: { spendLamports: sol(2), freeLamports: sol(20), equityLamports: sol(20) },
    stakeFactor: 10n,
    coin: { ageMs: 30 * 86_400_000, poolLamports: sol(1_000_000) },
    pool,
    reference: spotPrice(pool),
    heldTokens: baseUnits(0n),
    networkFeeLamports: lamports(5_000n),
    followers: [aFollower()],
    ...overrides,
  };
}

export const spends = (planned: PlannedBuy): bigint => (planned.kind === 'copy' ? planned.amountIn : 0n);
