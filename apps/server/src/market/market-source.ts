import type { Address } from '@hunter/solana/address';
import type { VenueToken } from '../venue/venue.ts';

/** One swap as every source reports it. Amounts are what the pool gained and gave. */
export type MarketTrade = {
  mint: Address;
  /** Slot * 65536 + place in the slot: the order of all trades, the same however often and late they arrive. */
  seq: bigint;
  atMs: number;
  isBuy: boolean;
  lamports: bigint;
  baseUnits: bigint;
  /** What of a purchase came into the wallet, which is less where the token takes a tax; of a sale, all that the pool gained. */
  arrivedUnits: bigint;
  wallet: string;
  signature: string;
  /** What the wallet and the pool held right after it; null where the source does not say. */
  walletUnitsAfter: bigint | null;
  poolLamportsAfter: bigint | null;
  poolUnitsAfter: bigint | null;
  /** What the wallet paid to the network for it; null where the source does not say. */
  feeLamports: bigint | null;
  /** Dollars per SOL at that time, to the millionth. */
  solUsdMicro: bigint;
};

/** What a pool held after liquidity was added or taken; `seq` is that of a trade in its place. */
export type MarketPool = {
  mint: Address;
  pool: string;
  seq: bigint;
  lamports: bigint;
  units: bigint;
  /** Null where nobody knows: then the value in dollars stays what it was. */
  solUsdMicro: bigint | null;
};

export type MarketToken = VenueToken;

/** What a source writes into. Each call is one transaction together with the source's cursor: exactly once. */
export interface MarketSink {
  loadCursor(source: string): Promise<unknown>;
  storeTokens(tokens: readonly MarketToken[]): Promise<void>;
  /**
   * `after` is the cursor from which the trades were read. Where the store has another, it throws `CursorMoved` and stores
   * nothing: the database may have lost in a crash what it had acknowledged, or stored it and lost the answer. Read on from
   * what `loadCursor` says then. Of a pool that was traded in later, `pools` changes nothing.
   */
  storeTrades(
    trades: readonly MarketTrade[],
    source: string,
    cursor: unknown,
    after?: unknown,
    pools?: readonly MarketPool[],
  ): Promise<void>;
}

export class CursorMoved extends Error {
  constructor(source: string) {
    super(`the store of ${source} is not where its reader believes it to be`);
    this.name = 'CursorMoved';
  }
}

/** Fills the market store. `chain` reads swaps from the chain; an outside provider can fill the same store. */
export interface MarketSource {
  /** Everything of a start that can fail; nothing is begun by it. */
  prepare(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
  /** Milliseconds since the store was last known to be complete; null before anything was stored. */
  lagMs(): number | null;
}
