import type { BaseUnits } from '../numbers/base-units.ts';
import { BASIS_POINTS_WHOLE } from '../numbers/basis-points.ts';
import { lamports, type Lamports } from '../numbers/lamports.ts';
import { smaller } from '../numbers/rounding.ts';
import type { AmountIn, AmountOut, Side } from '../market/swap-maths.ts';

/** A follower bears at most this much of a round's network costs, of what the part moves: 0.05 %. */
const FOLLOWER_FEE_MAX_BPS = 5n;

/** The parts of a round by their places: a large one has thousands, and an object for each took a third of sharing it out. */
export type RoundParts = {
  /** What each puts into the swap: lamports of a buy, base units of a sell. */
  readonly amountsIn: readonly bigint[];
  /** The creator's own part of an order of his, who bears what followers do not; null where there is none. */
  readonly creator: number | null;
  /**
   * Break ties, so that nobody is favored by the order of rows: for each part a hash of round and book, different from all others. Asked
   * for only where there are ties.
   */
  readonly tieKeys: () => ArrayLike<number>;
};

export type RoundFill = {
  readonly side: Side;
  /** What the chain says the swap took and gave. */
  readonly amountIn: AmountIn;
  readonly amountOut: AmountOut;
  readonly feeLamports: Lamports;
};

export type Allocation = Omit<RoundFill, 'side'>;

/**
 * What each part gives to and gets from one swap: pro rata to the base unit, so that all have one price. Inputs, outputs and
 * fees each add up to exactly what the chain says. In an order of the creator, he bears the costs above a follower's bound; in
 * a round of joins or exits, which has no creator's part, those who take part share them.
 */
export function allocateRound(parts: RoundParts, fill: RoundFill): Allocation[] {
  const { amountsIn, tieKeys } = parts;
  const inputs = shareOut(fill.amountIn, amountsIn, tieKeys);
  const outputs = shareOut(fill.amountOut, amountsIn, tieKeys);
  // The side says that these are lamports; a door for each of thousands would say no more.
  const moved = (fill.side === 'buy' ? inputs : outputs) as Lamports[];
  const fees = shareFees(fill.feeLamports, parts, moved);
  return inputs.map((amountIn, place) => ({ amountIn, amountOut: outputs[place]!, feeLamports: fees[place]! }));
}

/** The most that a follower's part of a buy may pay for the network; set aside beside its input. */
export function followerFeeMax(moved: Lamports): Lamports;
export function followerFeeMax(moved: bigint): bigint;
export function followerFeeMax(moved: bigint): bigint {
  // No part moves less than nothing, so this rounds down; `divFloor` would ask for the sign of each of thousands.
  return (moved * FOLLOWER_FEE_MAX_BPS) / BASIS_POINTS_WHOLE;
}

function shareFees(fee: Lamports, { amountsIn, creator, tieKeys }: RoundParts, moved: readonly Lamports[]): Lamports[] {
  const fees = shareOut(fee, amountsIn, tieKeys);
  if (creator === null) return fees;
  let rest: bigint = fee;
  for (let place = 0; place < fees.length; place += 1) {
    if (place === creator) continue;
    const borne = smaller(fees[place]!, followerFeeMax(moved[place]!));
    fees[place] = borne;
    rest -= borne;
  }
  fees[creator] = lamports(rest);
  return fees;
}

const WORD = 2n ** 64n;

/**
 * Largest remainder: everybody gets the floor, and what is left goes to the largest remainders, one unit each. Shares count in the unit
 * of the total, and none is more.
 */
export function shareOut<Amount extends Lamports | BaseUnits>(
  total: Amount,
  weights: readonly bigint[],
  tieKeys: () => ArrayLike<number>,
): Amount[];
export function shareOut(total: bigint, weights: readonly bigint[], tieKeys: () => ArrayLike<number>): bigint[];
export function shareOut(total: bigint, weights: readonly bigint[], tieKeys: () => ArrayLike<number>): bigint[] {
  let whole = 0n;
  for (let index = 0; index < weights.length; index += 1) whole += weights[index]!;
  if (whole === 0n) return weights.map(() => 0n);
  if (whole === total) return [...weights];
  const count = weights.length;
  const shares = [...weights];
  // A typed array sorts without a comparison in JavaScript; what no chain has would not fit.
  const remainders = whole > WORD ? [...weights] : new BigUint64Array(count);
  let rest = total;
  for (let index = 0; index < count; index += 1) {
    const product = total * weights[index]!;
    const share = product / whole;
    shares[index] = share;
    remainders[index] = product - share * whole;
    rest -= share;
  }
  let left = Number(rest);
  if (left === 0) return shares;
  // The least remainder that still gets a unit; only those who have exactly that one need their ties broken.
  const least = sorted(remainders)[count - left]!;
  const tied: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const remainder = remainders[index]!;
    if (remainder === least) tied.push(index);
    if (remainder <= least) continue;
    shares[index]! += 1n;
    left -= 1;
  }
  const all = tieKeys();
  const keys = new Float64Array(tied.length);
  for (let place = 0; place < tied.length; place += 1) keys[place] = all[tied[place]!]!;
  const last = keys.toSorted()[left - 1]!;
  for (let place = 0; place < tied.length && left > 0; place += 1) {
    // Two equal keys are as good as impossible, but the shares add up even then.
    if (keys[place]! > last) continue;
    shares[tied[place]!]! += 1n;
    left -= 1;
  }
  return shares;
}

function sorted(values: bigint[] | BigUint64Array): ArrayLike<bigint> {
  if (values instanceof BigUint64Array) return values.toSorted();
  return values.toSorted((one, other) => Number(one - other));
}
