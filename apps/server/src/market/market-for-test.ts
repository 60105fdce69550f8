import type { MarketToken, MarketTrade } from './market-source.ts';

export function aToken(overrides: Partial<MarketToken> = {}): MarketToken {
  return {
    mint: 'MintA',
    name: 'Frog',
    symbol: 'FROG',
    decimals: 6,
    tokenProgram: 'Token',
    logoUrl: null,
    creator: null,
    pool: 'PoolA',
    supply: 1_000_000_000_000_000n,
    createdAtMs: 1_700_000_000_000,
    ...overrides,
  };
}

export const START_MS = 1_790_000_000_000;

export function aTrade(overrides: Partial<MarketTrade> = {}): MarketTrade {
  return {
    mint: 'MintA',
    seq: 1n,
    atMs: START_MS,
    isBuy: true,
    lamports: 1_000_000_000n,
    baseUnits: 5_000_000n,
    wallet: 'W1',
    signature: `S${overrides.seq ?? 1n}`,
    walletUnitsAfter: null,
    poolLamportsAfter: 50_000_000_000n,
    poolUnitsAfter: 900_000_000_000n,
    solUsdMicro: 150_000_000n,
    ...overrides,
  };
}
