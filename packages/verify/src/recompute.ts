import type { Effect } from './effect.ts';

// Average cost, fees included; a round trip opens with the first buy from flat and closes at zero.

export type Holding = { tokens: bigint; costLamports: bigint; tripLamports: bigint };

export type Recomputed = {
  cashLamports: bigint;
  depositLamports: bigint;
  holdings: Map<string, Holding>;
  closedTrips: number;
  wonTrips: number;
  realizedLamports: bigint;
  feeLamports: bigint;
};

export function begin(capitalLamports: bigint): Recomputed {
  return {
    cashLamports: capitalLamports,
    depositLamports: 0n,
    holdings: new Map(),
    closedTrips: 0,
    wonTrips: 0,
    realizedLamports: 0n,
    feeLamports: 0n,
  };
}

/** Applies a transaction of the strategy. `mint` is the token it traded, or null for a deposit that came back. */
export function apply(state: Recomputed, effect: Effect, mint: string | null): void {
  state.cashLamports += effect.swapLamports - effect.feeLamports - effect.depositLamports;
  state.depositLamports += effect.depositLamports;
  state.feeLamports += effect.feeLamports;
  if (mint === null) return;
  const holding = state.holdings.get(mint) ?? { tokens: 0n, costLamports: 0n, tripLamports: 0n };
  state.holdings.set(mint, holding);
  const change = effect.tokens.get(mint)?.change ?? 0n;
  if (change === 0n) {
    // A failed transaction inside a round trip is part of what the trip cost.
    state.realizedLamports -= effect.feeLamports;
    if (holding.tokens > 0n) holding.tripLamports -= effect.feeLamports;
  } else if (change > 0n) {
    if (holding.tokens === 0n) holding.tripLamports = 0n;
    holding.tokens += change;
    holding.costLamports += -effect.swapLamports + effect.feeLamports;
  } else {
    const sold = -change;
    // More than is held, where the record leaves out how it came.
    const cost = sold >= holding.tokens ? holding.costLamports : (holding.costLamports * sold) / holding.tokens;
    const gain = effect.swapLamports - effect.feeLamports - cost;
    holding.tokens -= sold;
    holding.costLamports -= cost;
    holding.tripLamports += gain;
    state.realizedLamports += gain;
    if (holding.tokens === 0n) {
      state.closedTrips += 1;
      if (holding.tripLamports > 0n) state.wonTrips += 1;
    }
  }
}
