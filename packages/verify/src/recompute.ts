import type { Effect } from './effect.ts';

// Average cost, fees included; a round trip opens with the first buy from flat and closes at zero. The win rate counts those that
// are closed, and open ones whose sales have lost money.

export type Holding = { tokens: bigint; costLamports: bigint; tripLamports: bigint; hasSold: boolean };

export type Recomputed = {
  cashLamports: bigint;
  depositLamports: bigint;
  holdings: Map<string, Holding>;
  /** Without the open ones, see `countTrips`. */
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
  const holding = state.holdings.get(mint) ?? { tokens: 0n, costLamports: 0n, tripLamports: 0n, hasSold: false };
  state.holdings.set(mint, holding);
  const change = effect.tokens.get(mint)?.change ?? 0n;
  if (change === 0n) {
    // A failed transaction inside a round trip is part of what the trip cost.
    state.realizedLamports -= effect.feeLamports;
    if (holding.tokens > 0n) holding.tripLamports -= effect.feeLamports;
  } else if (change > 0n) {
    if (holding.tokens === 0n) Object.assign(holding, { tripLamports: 0n, hasSold: false });
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
    holding.hasSold = true;
    state.realizedLamports += gain;
    if (holding.tokens === 0n) {
      state.closedTrips += 1;
      if (holding.tripLamports > 0n) state.wonTrips += 1;
    }
  }
}

/** An open trip whose sales have lost money: what is left unsold must not hide that. */
export function hasLost({ tokens, tripLamports, hasSold }: Holding): boolean {
  return tokens > 0n && hasSold && tripLamports < 0n;
}

/** An open trip that the win rate does not count and that would end with a loss if its rest brought this much. */
export function isUnsoldAtLoss(holding: Holding, valueLamports: bigint): boolean {
  return holding.tokens > 0n && !hasLost(holding) && holding.tripLamports + valueLamports < holding.costLamports;
}

/** The trips that the win rate counts. */
export function countTrips({ closedTrips, holdings }: Recomputed): number {
  return closedTrips + [...holdings.values()].filter(hasLost).length;
}
