import type { Address } from '@hunter/solana/address';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { FLAT, positionAfter, type Position } from '@hunter/domain/record/position';
import type { Side } from '@hunter/domain/market/swap-maths';
import { coverOutflow } from '../../../apps/server/src/ledger/cover-outflow.ts';
import { SOL, type JournalEntry, type Posting, type Asset } from '../../../apps/server/src/ledger/journal.ts';
import { domainFill, type ChainFill } from '../../../apps/server/src/trading/chain-fill.ts';
import { fillEntry, holdEntry, releaseEntry } from '../../../apps/server/src/trading/order-postings.ts';
import type { HeldPart, Order } from '../../../apps/server/src/trading/order.ts';
import { holdOf, shareFill, type NewPart } from '../../../apps/server/src/trading/rounds/round.ts';

export const FEE_RESERVE = lamports(10_000n);

export type ModelRound = {
  id: string;
  side: Side;
  mint: Address;
  parts: readonly NewPart[];
  /** The deposit of the wallet's token account, which the first purchase of a coin makes. */
  rentLamports: Lamports;
};

/** What a wallet's books go through, by the pure rules or in a database. */
export type RoundLedger = {
  /** By the given name, which breaks ties, where the ledger lets one choose. */
  open(kind: 'strategy' | 'follow' | 'unclaimed', id: string): Promise<string>;
  deposit(bookId: string, amount: bigint): Promise<void>;
  takeOut(bookId: string, amount: bigint): Promise<void>;
  /** False where a book cannot pay. */
  hold(round: ModelRound): Promise<boolean>;
  settle(round: ModelRound, fill: ChainFill): Promise<void>;
  release(round: ModelRound): Promise<void>;
  steal(asset: Asset, amount: bigint): Promise<void>;
  /** `book account asset`, those that are zero left out. */
  balances(): Promise<ReadonlyMap<string, bigint>>;
  /** `book mint`. */
  positions(): Promise<ReadonlyMap<string, Position>>;
};

/** Entries and positions in memory: what the database enforces is thrown here. */
export class PureLedger implements RoundLedger {
  readonly #balances = new Map<string, bigint>();
  readonly #positions = new Map<string, Position>();
  readonly #kinds = new Map<string, 'strategy' | 'follow' | 'unclaimed'>();
  readonly #held = new Map<string, HeldPart[]>();
  #own = '';

  open(kind: 'strategy' | 'follow' | 'unclaimed', id: string): Promise<string> {
    this.#kinds.set(id, kind);
    if (kind === 'strategy') this.#own = id;
    return Promise.resolve(id);
  }

  deposit(bookId: string, amount: bigint): Promise<void> {
    this.#post([
      { bookId, account: 'cash', asset: SOL, amount },
      { bookId: null, account: 'chain', asset: SOL, amount: -amount },
    ]);
    return Promise.resolve();
  }

  takeOut(bookId: string, amount: bigint): Promise<void> {
    return this.deposit(bookId, -amount);
  }

  hold(round: ModelRound): Promise<boolean> {
    const totalIn = round.parts.reduce((sum, { amountIn }) => sum + amountIn, 0n);
    const isCreators = round.parts.some(({ bookId }) => bookId === this.#own);
    const terms = {
      side: round.side,
      isCreators,
      totalIn,
      feeReserveLamports: FEE_RESERVE,
      rentLamports: round.rentLamports,
    };
    const parts = round.parts
      .filter(({ amountIn }) => amountIn > 0n)
      .map((part): HeldPart => ({
        bookId: part.bookId,
        userId: part.userId,
        amountIn: part.amountIn,
        ...holdOf(part, terms),
      }))
      .toSorted((one, other) => (one.bookId < other.bookId ? -1 : 1));
    const before = new Map(this.#balances);
    try {
      this.#entry(holdEntry(this.#order(round), parts, new Date(0)));
    } catch (error) {
      this.#balances.clear();
      for (const [key, amount] of before) this.#balances.set(key, amount);
      if (error instanceof Overdrawn) return Promise.resolve(false);
      throw error;
    }
    this.#held.set(round.id, parts);
    return Promise.resolve(true);
  }

  settle(round: ModelRound, fill: ChainFill): Promise<void> {
    const order = this.#order(round);
    const held = this.#held.get(round.id)!;
    const shares = shareFill(order, held, fill);
    const parts = held.map((part, index) => ({ part, share: shares[index]! }));
    this.#entry(fillEntry(order, parts, fill, new Date(0)));
    for (const { part, share } of parts) {
      if (fill.failed && share.feeLamports === 0n) continue;
      this.#fill(part.bookId, round.mint, domainFill(round.side, fill.failed, share));
    }
    const unborne = fill.feeLamports - shares.reduce((sum, share) => sum + share.feeLamports, 0n);
    if (unborne > 0n) this.#fill(this.#own, round.mint, { kind: 'failed', feeLamports: lamports(unborne) });
    return Promise.resolve();
  }

  release(round: ModelRound): Promise<void> {
    this.#entry(releaseEntry(this.#order(round), this.#held.get(round.id)!, new Date(0)));
    return Promise.resolve();
  }

  steal(asset: Asset, amount: bigint): Promise<void> {
    const free = [...this.#kinds].map(([bookId, kind]) => {
      return { bookId, kind, amount: this.#balances.get(`${bookId} cash ${asset}`) ?? 0n };
    });
    const taken = coverOutflow(free, amount);
    this.#post([
      ...taken.map((part): Posting => ({ bookId: part.bookId, account: 'cash', asset, amount: -part.amount })),
      { bookId: null, account: 'external', asset, amount },
    ]);
    for (const part of taken) {
      if (asset !== SOL) this.#fill(part.bookId, asset, { kind: 'sent', tokens: part.amount as never });
    }
    return Promise.resolve();
  }

  balances(): Promise<ReadonlyMap<string, bigint>> {
    return Promise.resolve(new Map([...this.#balances].filter(([, amount]) => amount !== 0n)));
  }

  positions(): Promise<ReadonlyMap<string, Position>> {
    return Promise.resolve(new Map(this.#positions));
  }

  #order({ id, side, mint }: ModelRound): Order {
    return { id, bookId: this.#own, side, mint } as Order;
  }

  #fill(bookId: string, mint: Address, fill: Parameters<typeof positionAfter>[1]): void {
    const key = `${bookId} ${mint}`;
    this.#positions.set(key, positionAfter(this.#positions.get(key) ?? FLAT, fill));
  }

  #entry({ postings }: JournalEntry): void {
    this.#post(postings);
  }

  #post(postings: readonly Posting[]): void {
    const sums = new Map<string, bigint>();
    const changes = new Map<string, bigint>();
    for (const { bookId, account, asset, amount } of postings) {
      sums.set(asset, (sums.get(asset) ?? 0n) + amount);
      if (bookId !== null) {
        const key = `${bookId} ${account} ${asset}`;
        changes.set(key, (changes.get(key) ?? 0n) + amount);
      }
    }
    for (const [asset, sum] of sums) if (sum !== 0n) throw new Error(`an entry leaves ${sum} of ${asset} over`);
    for (const [key, change] of changes) {
      const after = (this.#balances.get(key) ?? 0n) + change;
      if (after < 0n) throw new Overdrawn(`${key} would fall to ${after}`);
      this.#balances.set(key, after);
    }
  }
}

class Overdrawn extends Error {}
