import { InvariantError } from '../invariant-error.ts';
import { baseUnits, type BaseUnits } from '../numbers/base-units.ts';
import { lamports, type Lamports } from '../numbers/lamports.ts';
import { divFloor, smaller } from '../numbers/rounding.ts';

/**
 * What happened to one token in one book, as the chain says. Amounts are what really moved: `lamports` of a buy left the book
 * for the swap itself, those of a sell came in from it. `feeLamports` is everything paid besides (network, priority, platform).
 * The rent deposit of a token account is no fee: it comes back when the account closes, and is booked apart.
 */
export type Fill =
  | { readonly kind: 'buy'; readonly tokens: BaseUnits; readonly lamports: Lamports; readonly feeLamports: Lamports }
  | { readonly kind: 'sell'; readonly tokens: BaseUnits; readonly lamports: Lamports; readonly feeLamports: Lamports }
  /** A failed transaction still pays its fee. */
  | { readonly kind: 'failed'; readonly feeLamports: Lamports }
  /** Tokens from outside have no known cost. */
  | { readonly kind: 'received'; readonly tokens: BaseUnits }
  | { readonly kind: 'sent'; readonly tokens: BaseUnits }
  /** Between two books of one user, in kind: the cost moves along and nothing is realized. */
  | {
      readonly kind: 'moved-in';
      readonly tokens: BaseUnits;
      readonly costLamports: Lamports;
      readonly uncostedTokens: BaseUnits;
    }
  | { readonly kind: 'moved-out'; readonly tokens: BaseUnits };

export type Position = {
  /** Tokens bought here, whose cost is known. */
  readonly quantity: BaseUnits;
  /** What `quantity` cost, fees included. The average cost is never stored: it is this ÷ quantity, without rounding. */
  readonly costLamports: Lamports;
  /** Tokens from outside. They stay out of profit and loss. */
  readonly uncostedTokens: BaseUnits;
  readonly realizedLamports: bigint;
  /** Net proceeds of tokens from outside: money that came in, but no profit. */
  readonly outsideProceedsLamports: bigint;
};

export const FLAT: Position = {
  quantity: baseUnits(0n),
  costLamports: lamports(0n),
  uncostedTokens: baseUnits(0n),
  realizedLamports: 0n,
  outsideProceedsLamports: 0n,
};

export function positionAfter(position: Position, fill: Fill): Position {
  requireFill(fill);
  switch (fill.kind) {
    case 'buy':
      return {
        ...position,
        quantity: baseUnits(position.quantity + fill.tokens),
        costLamports: lamports(position.costLamports + fill.lamports + fill.feeLamports),
      };
    case 'sell':
      return positionAfterSale(position, splitSale(position, fill));
    case 'failed':
      return { ...position, realizedLamports: position.realizedLamports - fill.feeLamports };
    case 'received':
      return { ...position, uncostedTokens: baseUnits(position.uncostedTokens + fill.tokens) };
    case 'moved-in':
      return {
        ...position,
        quantity: baseUnits(position.quantity + fill.tokens),
        costLamports: lamports(position.costLamports + fill.costLamports),
        uncostedTokens: baseUnits(position.uncostedTokens + fill.uncostedTokens),
      };
    case 'sent':
    case 'moved-out':
      return takeOut(position, fill.tokens).left;
    default:
      return fill satisfies never;
  }
}

/** Tokens that leave without having been seen to arrive came from outside: the chain moved them, so they were there. */
export function withUnseen(position: Position, fill: Fill): Position {
  if (fill.kind !== 'sell' && fill.kind !== 'sent' && fill.kind !== 'moved-out') return position;
  const unseen = fill.tokens - heldTokens(position);
  return unseen > 0n ? positionAfter(position, { kind: 'received', tokens: baseUnits(unseen) }) : position;
}

export function heldTokens(position: Pick<Position, 'quantity' | 'uncostedTokens'>): BaseUnits {
  return baseUnits(position.quantity + position.uncostedTokens);
}

/**
 * The cost that leaves with `tokens` of known cost. The last token takes whatever is left, so that all releases together are
 * exactly the cost, to the lamport.
 */
function releasedCost(position: Pick<Position, 'quantity' | 'costLamports'>, tokens: BaseUnits): Lamports {
  if (tokens === position.quantity) return position.costLamports;
  return lamports(divFloor(position.costLamports * tokens, position.quantity));
}

export type SaleParts = {
  readonly tokens: BaseUnits;
  readonly costLamports: Lamports;
  /** Net of the fee. */
  readonly proceedsLamports: bigint;
  readonly outsideTokens: BaseUnits;
  readonly outsideProceedsLamports: bigint;
};

/** Sells use up tokens of known cost first. Proceeds and fee are shared by quantity, and the two parts add up exactly. */
export function splitSale(
  position: Pick<Position, 'quantity' | 'costLamports' | 'uncostedTokens'>,
  fill: { readonly tokens: BaseUnits; readonly lamports: Lamports; readonly feeLamports: Lamports },
): SaleParts {
  const held = heldTokens(position);
  if (fill.tokens > held) throw new InvariantError('FILL_EXCEEDS_POSITION', { held, sold: fill.tokens });
  const tokens = smaller(fill.tokens, position.quantity);
  const net = fill.lamports - fill.feeLamports;
  const proceedsLamports = tokens === fill.tokens ? net : divFloor(net * tokens, fill.tokens);
  return {
    tokens,
    costLamports: releasedCost(position, tokens),
    proceedsLamports,
    outsideTokens: baseUnits(fill.tokens - tokens),
    outsideProceedsLamports: net - proceedsLamports,
  };
}

/** The position once `sale`, its own part of a fill, has happened. */
export function positionAfterSale(position: Position, sale: SaleParts): Position {
  return {
    quantity: baseUnits(position.quantity - sale.tokens),
    costLamports: lamports(position.costLamports - sale.costLamports),
    uncostedTokens: baseUnits(position.uncostedTokens - sale.outsideTokens),
    realizedLamports: position.realizedLamports + sale.proceedsLamports - sale.costLamports,
    outsideProceedsLamports: position.outsideProceedsLamports + sale.outsideProceedsLamports,
  };
}

/** Takes tokens out without selling them. `taken` is what a `moved-in` of the other book needs. */
export function takeOut(
  position: Position,
  tokens: BaseUnits,
): { left: Position; taken: { tokens: BaseUnits; costLamports: Lamports; uncostedTokens: BaseUnits } } {
  const held = heldTokens(position);
  if (tokens > held) throw new InvariantError('FILL_EXCEEDS_POSITION', { held, sold: tokens });
  // Outside tokens leave first: who sends tokens away keeps the record of those he bought.
  const uncostedTokens = smaller(tokens, position.uncostedTokens);
  const costed = baseUnits(tokens - uncostedTokens);
  const costLamports = releasedCost(position, costed);
  return {
    left: {
      ...position,
      quantity: baseUnits(position.quantity - costed),
      costLamports: lamports(position.costLamports - costLamports),
      uncostedTokens: baseUnits(position.uncostedTokens - uncostedTokens),
    },
    taken: { tokens: costed, costLamports, uncostedTokens },
  };
}

/**
 * What selling everything now would gain over its cost. `liquidationLamports` is the value of the whole holding; tokens from
 * outside take their share of it with them, because their profit is unknown.
 */
export function unrealizedLamports(position: Position, liquidationLamports: Lamports): bigint {
  return costedShare(position, liquidationLamports) - position.costLamports;
}

/** The part of a holding's value that belongs to tokens of known cost. */
export function costedShare(position: Position, liquidationLamports: Lamports): Lamports {
  if (position.uncostedTokens === 0n) return liquidationLamports;
  return lamports(divFloor(liquidationLamports * position.quantity, heldTokens(position)));
}

function requireFill(fill: Fill): void {
  if ((fill.kind === 'buy' || fill.kind === 'sell') && fill.tokens === 0n) {
    throw new InvariantError('FILL_INVALID', { problem: 'no tokens' });
  }
}
