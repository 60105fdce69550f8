import { baseUnits, type BaseUnits } from '@hunter/domain/numbers/base-units';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { SOL } from './journal.ts';

/** How an asset counts: SOL in lamports, a token in its base units; plain where only a running server knows which asset it is. */
export type AmountOf<Asset extends string> = string extends Asset
  ? bigint
  : Asset extends typeof SOL
    ? Lamports
    : BaseUnits;

/** The door for an amount whose unit the asset decides. */
export function amountOf<Asset extends string>(asset: Asset, raw: bigint): AmountOf<Asset> {
  return (asset === SOL ? lamports(raw) : baseUnits(raw)) as AmountOf<Asset>;
}
