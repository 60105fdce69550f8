import type { Address } from '../address.ts';
import { InvariantError } from '../invariant-error.ts';
import { baseUnits, type BaseUnits } from '../numbers/base-units.ts';
import { lamports, type Lamports } from '../numbers/lamports.ts';
import { divCeil, divFloor, larger, smaller } from '../numbers/rounding.ts';
import { WEIGHT_WHOLE } from './weights.ts';

export type RebalanceInput = {
  readonly freeLamports: Lamports;
  readonly positions: readonly {
    readonly mint: Address;
    readonly tokens: BaseUnits;
    readonly liquidationLamports: Lamports;
  }[];
  /** From `readWeights`; whatever is held and not named here is sold. */
  readonly targets: readonly { readonly mint: Address; readonly weight: bigint }[];
  /** Differences smaller than this are left alone: correcting them would cost more than they matter. */
  readonly dustLamports: Lamports;
  readonly feeLamports: Lamports;
};

export type RebalancePlan = {
  /** Carried out first: they pay for the buys. */
  readonly sells: readonly {
    readonly mint: Address;
    readonly tokens: BaseUnits;
    readonly expectedLamports: Lamports;
  }[];
  readonly buys: readonly { readonly mint: Address; readonly spendLamports: Lamports }[];
  readonly equityLamports: Lamports;
};

/** The trades that bring a book from what it holds to its target weights. A strategy's first purchases are the same from SOL alone. */
export function planRebalance(input: RebalanceInput): RebalancePlan {
  const { positions, targets, dustLamports } = input;
  const weightSum = targets.reduce((sum, { weight }) => sum + weight, 0n);
  if (weightSum > WEIGHT_WHOLE) throw new InvariantError('WEIGHTS_INVALID', { problem: 'sum over 100' });
  const equityLamports = positions.reduce<bigint>(
    (sum, { liquidationLamports }) => sum + liquidationLamports,
    input.freeLamports,
  );
  const targetOf = new Map(targets.map(({ mint, weight }) => [mint, divFloor(equityLamports * weight, WEIGHT_WHOLE)]));

  const sells: { mint: Address; tokens: BaseUnits; expectedLamports: Lamports }[] = [];
  for (const { mint, tokens, liquidationLamports } of positions) {
    const target = targetOf.get(mint) ?? 0n;
    const surplus = liquidationLamports - target;
    if (target === 0n) {
      // A coin that was dropped goes completely, dust or not, as long as selling it returns anything.
      if (tokens > 0n && liquidationLamports > 0n) sells.push({ mint, tokens, expectedLamports: liquidationLamports });
    } else if (surplus > 0n && surplus >= dustLamports) {
      const part = smaller<bigint>(tokens, divCeil(tokens * surplus, liquidationLamports));
      sells.push({ mint, tokens: baseUnits(part), expectedLamports: lamports(surplus) });
    }
  }

  const heldLamports = new Map(positions.map(({ mint, liquidationLamports }) => [mint, liquidationLamports]));
  const wanted = targets.flatMap(({ mint }) => {
    const missing = (targetOf.get(mint) ?? 0n) - (heldLamports.get(mint) ?? 0n);
    return missing > 0n && missing >= dustLamports ? [{ mint, spendLamports: missing }] : [];
  });
  const costs = BigInt(sells.length + wanted.length) * input.feeLamports;
  const proceeds = sells.reduce((sum, { expectedLamports }) => sum + expectedLamports, 0n);
  const spendable = larger(0n, input.freeLamports + proceeds - costs);
  const wantedSum = wanted.reduce((sum, { spendLamports }) => sum + spendLamports, 0n);
  const buys = wanted
    .map(({ mint, spendLamports }) => ({
      mint,
      spendLamports: lamports(wantedSum <= spendable ? spendLamports : divFloor(spendLamports * spendable, wantedSum)),
    }))
    .filter(({ spendLamports }) => spendLamports > 0n && spendLamports >= dustLamports);
  return { sells, buys, equityLamports: lamports(equityLamports) };
}
