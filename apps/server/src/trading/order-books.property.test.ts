import type { Address } from '@hunter/solana/address';
import { inAndOut, unitsIn } from '@hunter/domain/market/swap-maths';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { lamports as asLamports } from '@hunter/domain/numbers/lamports';
import fc from 'fast-check';
import {
  costedShare,
  FLAT,
  heldTokens,
  positionAfter,
  unrealizedLamports,
  type Position,
} from '@hunter/domain/record/position';
import { describe, expect, it } from 'vitest';
import type { Asset, JournalEntry } from '../ledger/journal.ts';
import { WALLET_MINIMUM_LAMPORTS } from '../ledger/wallet-minimum.ts';
import { domainFill, type ChainFill } from './chain-fill.ts';
import type { Order } from './order.ts';
import { decideHold } from './decide-hold.ts';
import { fillEntry, coverShortfall, holdEntry, missingLamports, releaseEntry } from './order-postings.ts';

// The books of one wallet with two books against a chain in memory, driven by the engine's own decisions and entries. What the
// database enforces (zero sums, no negative balance, one entry per cause) is enforced here by the model of the journal.

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 2_000);
const FEE = 10_000n;
const RENT = 2_039_280n;
const MINT = 'mint' as Address;
const AT = new Date(0);

class Journal {
  readonly balances = new Map<string, bigint>();
  readonly #causes = new Set<string>();

  post(entry: JournalEntry): boolean {
    const cause = `${entry.kind} ${entry.reference}`;
    if (this.#causes.has(cause)) return false;
    this.#causes.add(cause);
    const sums = new Map<string, bigint>();
    for (const { bookId, account, asset, amount } of entry.postings) {
      sums.set(asset, (sums.get(asset) ?? 0n) + amount);
      if (bookId === null) continue;
      const key = `${bookId} ${account} ${asset}`;
      const after = (this.balances.get(key) ?? 0n) + amount;
      expect(after, `${key} stays above zero`).toBeGreaterThanOrEqual(0n);
      this.balances.set(key, after);
    }
    for (const [asset, sum] of sums) expect(sum, `${entry.kind} sums to zero in ${asset}`).toBe(0n);
    return true;
  }

  of(bookId: string, account: string, asset: Asset): bigint {
    return this.balances.get(`${bookId} ${account} ${asset}`) ?? 0n;
  }
}

type Held = Pick<Order, 'id' | 'bookId' | 'mint' | 'side' | 'amountIn' | 'holdLamports' | 'holdTokens'>;

function partOf({ bookId, amountIn, holdLamports, holdTokens }: Held) {
  return { bookId, userId: 'user', amountIn, holdLamports, holdTokens };
}

class Model {
  readonly journal = new Journal();
  readonly chain = { lamports: 0n, tokens: 0n, rent: 0n };
  readonly positions = new Map<string, Position>();
  readonly open: Held[] = [];
  deposited = 0n;
  priceMilli = 2_000n;
  #next = 0;

  deposit(bookId: string, amount: bigint): void {
    this.chain.lamports += amount;
    this.deposited += amount;
    this.journal.post({
      kind: 'deposit',
      reference: String((this.#next += 1)),
      postings: [
        { bookId, account: 'cash', asset: 'SOL', amount },
        { bookId: null, account: 'external', asset: 'SOL', amount: -amount },
      ],
    });
  }

  place(bookId: string, side: 'buy' | 'sell', amountIn: bigint, fit: boolean): void {
    const kind = bookId === 'personal' ? 'personal' : 'strategy';
    const decision = decideHold({
      order: { side, amountIn: unitsIn(side, amountIn), kind: 'trade', fit },
      book: { kind, status: 'open' },
      cashLamports: asLamports(this.journal.of(bookId, 'cash', 'SOL')),
      cashTokens: baseUnits(this.journal.of(bookId, 'cash', MINT)),
      feeReserveLamports: asLamports(FEE),
      rentLamports: asLamports(this.chain.rent > 0n ? 0n : RENT),
    });
    if (decision.kind === 'refuse') return;
    const { holdLamports, holdTokens } = decision;
    const id = String((this.#next += 1));
    const order: Held = { id, bookId, mint: MINT, side, amountIn: decision.amountIn, holdLamports, holdTokens };
    this.journal.post(holdEntry(order, [partOf(order)], AT));
    this.open.push(order);
  }

  /** The chain executes; a confirmation may arrive several times. */
  end(choice: number, how: 'fills' | 'fails' | 'expires', scaleBps: bigint, repeats: number): void {
    if (this.open.length === 0) return;
    const [order] = this.open.splice(choice % this.open.length, 1);
    if (how === 'expires') {
      for (let time = 0; time <= repeats; time += 1) this.journal.post(releaseEntry(order!, [partOf(order!)], AT));
      return;
    }
    const fill = this.#execute(order!, how === 'fails', scaleBps);
    const balances = ['personal', order!.bookId].map((bookId) => ({
      bookId,
      cashLamports: asLamports(this.journal.of(bookId, 'cash', 'SOL')),
    }));
    const free = [...new Map(balances.map((balance) => [balance.bookId, balance.cashLamports])).values()];
    // Without SOL anywhere the chain would not have taken the transaction at all.
    if (fill.failed && free.reduce((sum, cash) => sum + cash, 0n) < missingLamports(order!, fill)) {
      this.chain.lamports += FEE;
      this.journal.post(releaseEntry(order!, [partOf(order!)], AT));
      return;
    }
    const cover = coverShortfall(order!, fill, balances);
    const [amountIn, amountOut] = inAndOut(order!.side, fill.lamports, fill.tokens);
    const share = { amountIn, amountOut, feeLamports: fill.feeLamports };
    let posted = 0;
    for (let time = 0; time <= repeats; time += 1)
      if (this.journal.post(fillEntry(order!, [{ part: partOf(order!), share }], fill, AT, cover))) posted += 1;
    expect(posted).toBe(1);
    const position = this.positions.get(order!.bookId) ?? FLAT;
    this.positions.set(order!.bookId, positionAfter(position, domainFill(order!.side, fill.failed, share)));
  }

  #execute(order: Held, failed: boolean, scaleBps: bigint): ChainFill {
    const base = { signature: order.id, slot: 1n, feeLamports: asLamports(FEE), createdAccount: null };
    this.chain.lamports -= FEE;
    if (failed) return { ...base, failed: true, tokens: baseUnits(0n), lamports: asLamports(0n), rentLamports: 0n };
    const amount = (order.amountIn * scaleBps) / 10_000n || 1n;
    if (order.side === 'buy') {
      const tokens = (amount * 1_000n) / this.priceMilli || 1n;
      const rentLamports = this.chain.rent > 0n ? 0n : RENT;
      this.chain.rent += rentLamports;
      this.chain.lamports -= amount + rentLamports;
      this.chain.tokens += tokens;
      return { ...base, failed: false, tokens: baseUnits(tokens), lamports: asLamports(amount), rentLamports };
    }
    const lamports = FEE + (amount * this.priceMilli) / 1_000n;
    this.chain.lamports += lamports;
    this.chain.tokens -= amount;
    return { ...base, failed: false, tokens: baseUnits(amount), lamports: asLamports(lamports), rentLamports: 0n };
  }

  check(): void {
    let lamports = 0n;
    let tokens = 0n;
    let rent = 0n;
    for (const bookId of ['personal', 'strategy']) {
      lamports += this.journal.of(bookId, 'cash', 'SOL') + this.journal.of(bookId, 'held', 'SOL');
      tokens += this.journal.of(bookId, 'cash', MINT) + this.journal.of(bookId, 'held', MINT);
      rent += this.journal.of(bookId, 'rent', 'SOL');
    }
    expect({ lamports, tokens, rent }, 'books equal the chain').toEqual(this.chain);
    let profit = 0n;
    let worth = 0n;
    let held = 0n;
    for (const position of this.positions.values()) {
      const value = asLamports((heldTokens(position) * this.priceMilli) / 1_000n);
      expect(costedShare(position, value)).toBe(value);
      profit += position.realizedLamports + unrealizedLamports(position, value);
      worth += value;
      held += heldTokens(position);
    }
    expect(held, 'positions hold what the books hold').toBe(tokens);
    expect(profit, 'realized and unrealized are equity less deposits').toBe(lamports + rent + worth - this.deposited);
  }
}

const command = fc.oneof(
  fc.record({
    do: fc.constant('deposit' as const),
    book: fc.boolean(),
    amount: fc.bigInt({ min: 1n, max: 3_000_000_000n }),
  }),
  fc.record({
    do: fc.constant('place' as const),
    book: fc.boolean(),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    amount: fc.bigInt({ min: 1n, max: 2_000_000_000n }),
    fit: fc.boolean(),
  }),
  fc.record({
    do: fc.constant('end' as const),
    choice: fc.nat(50),
    how: fc.constantFrom('fills' as const, 'fills' as const, 'fails' as const, 'expires' as const),
    scaleBps: fc.bigInt({ min: 1n, max: 10_000n }),
    repeats: fc.nat(3),
  }),
  fc.record({ do: fc.constant('price' as const), milli: fc.bigInt({ min: 1n, max: 100_000n }) }),
);

describe('the books of orders', () => {
  it('equal the chain after any sequence of deposits, orders, fills, failures and expiries', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        const model = new Model();
        model.deposit('personal', WALLET_MINIMUM_LAMPORTS + 2_000_000_000n);
        for (const step of commands) {
          if (step.do === 'deposit') model.deposit(step.book ? 'personal' : 'strategy', step.amount);
          else if (step.do === 'place')
            model.place(step.book ? 'personal' : 'strategy', step.side, step.amount, step.fit);
          else if (step.do === 'end') model.end(step.choice, step.how, step.scaleBps, step.repeats);
          else model.priceMilli = step.milli;
          model.check();
        }
        expect(
          model.journal.of('personal', 'cash', 'SOL') + model.journal.of('personal', 'held', 'SOL'),
        ).toBeGreaterThan(0n);
      }),
      { numRuns: RUNS },
    );
  });
});
