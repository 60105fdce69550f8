import { BASIS_POINTS_WHOLE } from '../numbers/basis-points.ts';
import { mulDiv, smaller } from '../numbers/rounding.ts';
import type { Side } from '../market/swap-maths.ts';

export type TriggerKind =
  | 'limit'
  | 'stop-loss'
  | 'take-profit'
  | 'trailing-stop'
  | 'dca'
  | 'creator-sells'
  | 'graduates'
  | 'after-time';

/** SOL per token, dollars per token, or dollars for the whole supply. */
export type LevelUnit = 'sol' | 'usd' | 'market-cap';
/** The value has 18 decimals. */
export type Bound = { readonly unit: LevelUnit; readonly value: bigint };
export type Level = Bound & { readonly when: 'below' | 'above' };

export const LEVEL_DECIMALS = 18;

export type TriggerAmount =
  | { readonly unit: 'sol'; readonly value: bigint }
  | { readonly unit: 'tokens'; readonly value: bigint }
  /** In basis points of what the book holds when it fires. */
  | { readonly unit: 'percent-held'; readonly value: bigint }
  /** In basis points of what it held when the trigger was placed or armed: the shares of a ladder do not shrink as it sells. */
  | { readonly unit: 'percent-bought'; readonly value: bigint; readonly ofUnits: bigint };

export type Trailing = {
  readonly bps: bigint;
  readonly activation: Bound | null;
  readonly isActive: boolean;
  /** SOL per token with 18 decimals, for the size of the order; null before it is active. */
  readonly high: bigint | null;
};

export type Schedule = {
  readonly intervalMs: number;
  readonly count: number;
  readonly done: number;
  readonly nextAtMs: number;
  readonly lowest: Bound | null;
  readonly highest: Bound | null;
};

/** What decides when a trigger fires and how much it trades. */
export type TriggerRule = {
  readonly kind: TriggerKind;
  readonly side: Side;
  readonly level: Level | null;
  /** Null sells everything held. */
  readonly amount: TriggerAmount | null;
  readonly trailing: Trailing | null;
  readonly schedule: Schedule | null;
  /** For `after-time`. */
  readonly firesAtMs: number | null;
  readonly expiresAtMs: number | null;
};

export const TRIGGERS_PER_USER_MAX = 100;
/** Those that have ended are kept: without a limit, whoever places and cancels without end fills the database. */
export const TRIGGERS_PER_DAY_MAX = 5_000;
export const EXPIRY_MS_DEFAULT = 7 * 86_400_000;
/** A stop that does not sell because its slippage is tight protects nobody. */
export const STOP_SLIPPAGE_BPS_DEFAULT = 2_000;

/** These end a position whatever the price has become: they retry, do not expire unasked and may sell into a broken pool. */
export function isStop(kind: TriggerKind): boolean {
  return kind !== 'limit' && kind !== 'take-profit' && kind !== 'dca';
}

/** Those belong to the position that is open when they are placed, and end with it. A DCA that sells does not: it winds down. */
export function isBoundToPosition({ kind, side }: Pick<TriggerRule, 'kind' | 'side'>): boolean {
  return side === 'sell' && kind !== 'dca';
}

/** Lamports of a buy, base units of a sell; never more than is held. Zero where there is nothing to sell. */
export function sizeOf({ side, amount }: Pick<TriggerRule, 'side' | 'amount'>, heldUnits: bigint): bigint {
  if (side === 'buy') return amount?.value ?? 0n;
  if (amount === null) return heldUnits;
  const { unit, value } = amount;
  if (unit === 'percent-held') return mulDiv(heldUnits, value, BASIS_POINTS_WHOLE, 'floor');
  const wanted = unit === 'percent-bought' ? mulDiv(amount.ofUnits, value, BASIS_POINTS_WHOLE, 'floor') : value;
  return smaller(heldUnits, wanted);
}

/** The shares of a ladder may leave something over, never sell more than there is. */
export function isLadderPossible(amounts: readonly (TriggerAmount | null)[]): boolean {
  const shares = amounts.map((amount) =>
    amount?.unit === 'percent-bought' || amount?.unit === 'percent-held' ? amount.value : 0n,
  );
  return shares.reduce((sum, share) => sum + share, 0n) <= BASIS_POINTS_WHOLE;
}
