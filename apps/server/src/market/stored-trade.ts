import type { Address } from '@hunter/solana/address';
import type { PricedTrade } from './candle-batch.ts';
import type { HolderTrade } from './holder-batch.ts';

/** A trade as it is stored, with what followers of the store need of it. */
export type StoredTrade = PricedTrade &
  HolderTrade & {
    mint: Address;
    wallet: string;
    signature: string;
    priceSol: bigint;
    solUsdMicro: bigint;
    poolLamportsAfter: bigint | null;
    poolUnitsAfter: bigint | null;
    feeLamports: bigint | null;
  };
