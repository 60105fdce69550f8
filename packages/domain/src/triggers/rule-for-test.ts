import { baseUnits } from '../numbers/base-units.ts';
import { lamports } from '../numbers/lamports.ts';
import type { Pool } from '../market/swap-maths.ts';
import type { PriceScale } from './trigger-price.ts';
import type { TriggerRule } from './trigger.ts';

export const SOL = 1_000_000_000n;
export const scale: PriceScale = { decimals: 6, supply: 10n ** 15n, solUsdMicro: 150_000_000n };
export const aPool = (sol = 100n * SOL, tokens = 10n ** 12n): Pool => ({
  solReserve: lamports(sol),
  tokenReserve: baseUnits(tokens),
  virtualSol: lamports(0n),
  virtualTokens: baseUnits(0n),
  feeBps: 50n,
});
export const aRule = (rule: Partial<TriggerRule> = {}): TriggerRule => ({
  kind: 'stop-loss',
  side: 'sell',
  level: null,
  amount: null,
  trailing: null,
  schedule: null,
  firesAtMs: null,
  expiresAtMs: null,
  ...rule,
});
