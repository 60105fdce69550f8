import type { Address } from '@hunter/solana/address';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { smaller } from '@hunter/domain/numbers/rounding';
import { worthAt, type Ratio } from '@hunter/domain/market/swap-maths';
import { keyOf, loadOpenPositions } from '../../ledger/positions.ts';
import type { Sql } from '../../platform/postgres.ts';
import { holdingValue, type Holdings, type Pools } from '../book-holdings.ts';
import { loadLinkedWallets } from '../copying/load-copyable-coin.ts';
import type { Emptied } from '../empty-book.ts';
import type { Strategies } from '../strategies.ts';

// Coins that leave in kind are the last figure of a strategy, and nobody sells them: its creator chooses the moment, and could lift the
// price for it and let it down again. So they count with the lower of what selling them would return and what they were worth lately
// to others; where that is unknown, with no more than they cost.

export type References = ReadonlyMap<Address, Ratio | null>;

/** Asked outside of transactions. */
export async function loadReferences(
  deps: Pick<Strategies, 'database' | 'referencePrice'>,
  strategyId: string,
  mints: readonly Address[],
): Promise<References> {
  if (mints.length === 0) return new Map();
  const { linked } = await loadLinkedWallets(deps.database, strategyId);
  const prices = await Promise.all(mints.map((mint) => deps.referencePrice(mint, linked)));
  return new Map(mints.map((mint, index) => [mint, prices[index]!]));
}

export async function valueInKind(
  sql: Sql,
  bookId: string,
  { tokens }: Holdings,
  { pools, references }: { pools: Pools; references: References },
): Promise<Emptied['tokens']> {
  const positions = await loadOpenPositions(
    sql,
    [...tokens.keys()].map((mint) => ({ bookId, mint })),
  );
  return [...tokens].map(([mint, amount]) => {
    const liquidation = holdingValue(pools, mint, amount) ?? lamports(0n);
    const reference = references.get(mint) ?? null;
    const most: Lamports =
      reference === null
        ? (positions.get(keyOf(bookId, mint))?.costLamports ?? lamports(0n))
        : worthAt(amount, reference);
    return { mint, tokens: amount, valueLamports: smaller(liquidation, most) };
  });
}
