import { AppError } from './app-error.ts';
import { divFloor, smaller } from './rounding.ts';

/**
 * What happened to one token in one book, as the chain says. Amounts are what really moved: `lamports` of a buy left the book
 * for the swap itself, those of a sell came in from it. `feeLamports` is everything paid besides (network, priority, platform).
 * The rent deposit of a token account is no fee: it comes back when the account closes, and is booked apart.
 */
export type Fill =
  | { readonly kind: 'buy'; readonly tokens: bigint; readonly lamports: bigint; readonly feeLamports: bigint }
  | { readonly kind: 'sell'; readonly tokens: bigint; readonly lamports: bigint; readonly feeLamports: bigint }
  /** A failed transaction still pays its fee. */
  | { readonly kind: 'failed'; readonly feeLamports: bigint }
  /** Tokens from outside have no known cost. */
  | { readonly kind: 'received'; readonly tokens: bigint }
  | { readonly kind: 'sent'; readonly tokens: bigint }
  /** Between two books of one user, in kind: the cost moves along and nothing is realised. */
  | {
      readonly kind: 'moved-in';
      readonly tokens: bigint;
      readonly costLamports: bigint;
      readonly uncostedTokens: bigint;
    }
  | { readonly kind: 'moved-out'; readonly tokens: bigint };

export type Position = {
  /** Tokens bought here, whose cost is known. */
  readonly quantity: bigint;
  /** What `quantity` cost, fees included. The average cost is never stored: it is this ÷ quantity, without rounding. */
  readonly costLamports: bigint;
  /** Tokens from outside. They stay out of profit and loss. */
  readonly uncostedTokens: bigint;
  readonly realisedLamports: bigint;
  /** Net proceeds of tokens from outside: money that came in, but no profit. */
  readonly outsideProceedsLamports: bigint;
};

export const FLAT: Position = {
  quantity: 0n,
  costLamports: 0n,
  uncostedTokens: 0n,
  realisedLamports: 0n,
  outsideProceedsLamports: 0n,
};

export function positionAfter(position: Position, fill: Fill): Position {
  requireFill(fill);
  switch (fill.kind) {
    case 'buy':
      return {
        ...position,
        quantity: position.quantity + fill.tokens,
        costLamports: position.costLamports + fill.lamports + fill.feeLamports,
      };
    case 'sell': {
      const sale = splitSale(position, fill);
      return {
        ...position,
        quantity: position.quantity - sale.tokens,
        costLamports: position.costLamports - sale.costLamports,
        uncostedTokens: position.uncostedTokens - sale.outsideTokens,
        realisedLamports: position.realisedLamports + sale.proceedsLamports - sale.costLamports,
        outsideProceedsLamports: position.outsideProceedsLamports + sale.outsideProceedsLamports,
      };
    }
    case 'failed':
      return { ...position, realisedLamports: position.realisedLamports - fill.feeLamports };
    case 'received':
      return { ...position, uncostedTokens: position.uncostedTokens + fill.tokens };
    case 'moved-in':
      return {
        ...position,
        quantity: position.quantity + fill.tokens,
        costLamports: position.costLamports + fill.costLamports,
        uncostedTokens: position.uncostedTokens + fill.uncostedTokens,
      };
    case 'sent':
    case 'moved-out':
      return takeOut(position, fill.tokens).left;
    default:
      return fill satisfies never;
  }
}

export function heldTokens(position: Position): bigint {
  return position.quantity + position.uncostedTokens;
}

/**
 * The cost that leaves with `tokens` of known cost. The last token takes whatever is left, so that all releases together are
 * exactly the cost, to the lamport.
 */
export function releasedCost(position: Pick<Position, 'quantity' | 'costLamports'>, tokens: bigint): bigint {
  if (tokens === position.quantity) return position.costLamports;
  return divFloor(position.costLamports * tokens, position.quantity);
}

export type SaleParts = {
  readonly tokens: bigint;
  readonly costLamports: bigint;
  /** Net of the fee. */
  readonly proceedsLamports: bigint;
  readonly outsideTokens: bigint;
  readonly outsideProceedsLamports: bigint;
};

/** Sells use up tokens of known cost first. Proceeds and fee are shared by quantity, and the two parts add up exactly. */
export function splitSale(
  position: Pick<Position, 'quantity' | 'costLamports' | 'uncostedTokens'>,
  fill: { readonly tokens: bigint; readonly lamports: bigint; readonly feeLamports: bigint },
): SaleParts {
  const held = position.quantity + position.uncostedTokens;
  if (fill.tokens > held) throw new AppError('FILL_EXCEEDS_POSITION', { held, sold: fill.tokens });
  const tokens = smaller(fill.tokens, position.quantity);
  const net = fill.lamports - fill.feeLamports;
  const proceedsLamports = tokens === fill.tokens ? net : divFloor(net * tokens, fill.tokens);
  return {
    tokens,
    costLamports: releasedCost(position, tokens),
    proceedsLamports,
    outsideTokens: fill.tokens - tokens,
    outsideProceedsLamports: net - proceedsLamports,
  };
}

/** Takes tokens out without selling them. `taken` is what a `moved-in` of the other book needs. */
export function takeOut(
  position: Position,
  tokens: bigint,
): { left: Position; taken: { tokens: bigint; costLamports: bigint; uncostedTokens: bigint } } {
  const held = heldTokens(position);
  if (tokens > held) throw new AppError('FILL_EXCEEDS_POSITION', { held, sold: tokens });
  // Outside tokens leave first: who sends tokens away keeps the record of those he bought.
  const uncostedTokens = smaller(tokens, position.uncostedTokens);
  const costed = tokens - uncostedTokens;
  const costLamports = releasedCost(position, costed);
  return {
    left: {
      ...position,
      quantity: position.quantity - costed,
      costLamports: position.costLamports - costLamports,
      uncostedTokens: position.uncostedTokens - uncostedTokens,
    },
    taken: { tokens: costed, costLamports, uncostedTokens },
  };
}

/**
 * What selling everything now would gain over its cost. `liquidationLamports` is the value of the whole holding; tokens from
 * outside take their share of it with them, because their profit is unknown.
 */
export function unrealisedLamports(position: Position, liquidationLamports: bigint): bigint {
  return costedShare(position, liquidationLamports) - position.costLamports;
}

/** The part of a holding's value that belongs to tokens of known cost. */
export function costedShare(position: Position, liquidationLamports: bigint): bigint {
  if (position.uncostedTokens === 0n) return liquidationLamports;
  if (position.quantity === 0n) return 0n;
  return divFloor(liquidationLamports * position.quantity, heldTokens(position));
}

function requireFill(fill: Fill): void {
  const amounts = Object.values(fill).filter((value) => typeof value === 'bigint');
  if (amounts.some((amount) => amount < 0n)) throw new AppError('FILL_INVALID', { problem: 'negative amount' });
  if ((fill.kind === 'buy' || fill.kind === 'sell') && fill.tokens === 0n) {
    throw new AppError('FILL_INVALID', { problem: 'no tokens' });
  }
}
