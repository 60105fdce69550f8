import { baseUnits, type BaseUnits } from '@hunter/domain/numbers/base-units';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { SOL, type Asset } from './journal.ts';

/** How an asset counts: SOL in lamports, a token in its base units; plain where only a running server knows which asset it is. */
export type AmountOf<A extends Asset> = Asset extends A ? bigint : A extends typeof SOL ? Lamports : BaseUnits;

/** The door for an amount whose unit the asset decides. */
export function amountOf<A extends Asset>(asset: A, raw: bigint): AmountOf<A> {
  return (asset === SOL ? lamports(raw) : baseUnits(raw)) as AmountOf<A>;
}
