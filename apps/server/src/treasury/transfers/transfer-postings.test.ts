import fc from 'fast-check';
import { lamports } from '@hunter/domain/numbers/lamports';
import type { Address } from '@hunter/solana/address';
import type { BalanceChanges } from '@hunter/solana/balance-changes';
import { describe, expect, it } from 'vitest';
import { mintNamed } from '@hunter/domain/address-for-test';
import type { BookInWallet } from '../../ledger/books.ts';
import { SOL, type JournalEntry, type Asset } from '../../ledger/journal.ts';
import type { Leg, Transfer } from './transfer.ts';
import { sentLamports } from './transfer-costs.ts';
import { failedEntry, holdEntry, releaseEntry, settledPosting } from './transfer-postings.ts';

const AT = new Date(1_790_000_000_000);
const RENT = 2_039_280n;

const book = (bookId: string, kind: BookInWallet['kind'] = 'follow'): BookInWallet => {
  const isPersonal = kind === 'personal';
  const walletId = isPersonal ? `wallet of ${bookId}` : 'strategy wallet';
  const address = (isPersonal ? `address of ${bookId}` : 'strategy address') as Address;
  return { bookId, userId: 'user', kind, walletId, walletKind: isPersonal ? 'personal' : 'strategy', address };
};
const leg = (line: number, from: BookInWallet, to: BookInWallet, asset: Asset, amount: bigint): Leg => {
  return { line, from, to, asset, amount, received: null };
};
const aReturn = (legs: readonly Leg[]): Transfer => ({
  id: 'id',
  kind: 'return',
  walletId: 'strategy wallet',
  address: 'strategy address' as Address,
  state: 'sent',
  signature: 'signature',
  error: null,
  legs,
});

/** The chain of a return that landed: each receiver of a token in `missing` gets a new account. */
function landed(transfer: Transfer, missing: (leg: Leg) => boolean, rent = RENT): BalanceChanges {
  const { kind, legs } = transfer;
  const first = (one: Leg) => legs.find(({ to, asset }) => to === one.to && asset === one.asset) === one;
  const isNew = (one: Leg) => one.asset !== SOL && first(one) && missing(one);
  const sent = sentLamports(kind, legs, 5_000n, ({ line }) => (isNew(legs[line]!) ? RENT : 0n));
  const lamportDeltas = new Map<Address, bigint>();
  const tokens = new Map<string, BalanceChanges['tokenDeltas'][number]>();
  for (const { line, to, asset, amount } of legs) {
    if (asset === SOL) lamportDeltas.set(to.address, (lamportDeltas.get(to.address) ?? 0n) + sent.get(line)!);
    else {
      const known = tokens.get(to.address + asset)?.delta ?? 0n;
      const row = { owner: to.address, mint: asset, delta: known + amount, decimals: 6, tokenProgram: null };
      tokens.set(to.address + asset, row);
    }
  }
  return {
    signature: 'signature',
    slot: 9n,
    failed: false,
    fee: lamports(5_000n),
    feePayer: transfer.address,
    lamportDeltas,
    tokenDeltas: [...tokens.values()],
    tokenAccountsCreated: legs.filter(isNew).map(({ to, asset }) => {
      const account = `${asset} of ${to.bookId}` as Address;
      return { account, owner: to.address, mint: asset as Address, rentLamports: rent };
    }),
    tokenAccountsClosed: [],
  };
}

/** What entries do to accounts of books, and to the outside. */
function sums(entries: readonly JournalEntry[]): Record<string, bigint> {
  const result: Record<string, bigint> = {};
  for (const { bookId, account, asset, amount } of entries.flatMap(({ postings }) => postings)) {
    const key = `${bookId ?? 'outside'} ${account} ${asset}`;
    result[key] = (result[key] ?? 0n) + amount;
  }
  return Object.fromEntries(Object.entries(result).filter(([, amount]) => amount !== 0n));
}

describe('what a return in kind posts', () => {
  const [from, to] = [book('follow'), book('personal', 'personal')];

  it('lets the SOL of the same receiver pay for a new token account, whose rent the receiver owns', () => {
    const transfer = aReturn([leg(0, from, to, SOL, 10_000_000n), leg(1, from, to, mintNamed('mint'), 500n)]);
    const posting = settledPosting(
      transfer,
      landed(transfer, () => true),
      AT,
    );
    expect(sums([holdEntry(transfer, AT), ...posting.entries])).toEqual({
      'follow cash SOL': -10_000_000n,
      'follow cash mint': -500n,
      'personal cash SOL': 10_000_000n - 5_000n - RENT,
      'personal cash mint': 500n,
      'personal rent SOL': RENT,
      'outside network-fee SOL': 5_000n,
    });
    expect(posting.moves).toMatchObject([
      { from: { id: 'follow' }, to: { id: 'personal' }, mint: 'mint', tokens: 500n },
    ]);
    expect(posting.accounts).toMatchObject([
      { walletId: 'wallet of personal', bookId: 'personal', rentLamports: RENT },
    ]);
  });

  it('takes fee and rent from the own book where no SOL goes along, and frees what was not needed', () => {
    const transfer = aReturn([leg(0, from, to, mintNamed('mint'), 500n)]);
    expect(sums([holdEntry(transfer, AT)])).toMatchObject({ 'follow held SOL': 2_505_000n, 'follow held mint': 500n });
    const posting = settledPosting(
      transfer,
      landed(transfer, () => false),
      AT,
    );
    expect(sums([holdEntry(transfer, AT), ...posting.entries])).toMatchObject({
      'follow cash SOL': -5_000n,
      'personal cash mint': 500n,
    });
  });

  it('gives what nobody claimed to its receiver as a deposit from outside, without a cost', () => {
    const transfer = aReturn([
      leg(0, book('gift', 'unclaimed'), to, SOL, 3_000_000n),
      leg(1, book('gift', 'unclaimed'), to, mintNamed('mint'), 7n),
    ]);
    const posting = settledPosting(
      transfer,
      landed(transfer, () => false),
      AT,
    );
    expect(posting.entries.map(({ kind }) => kind)).toEqual(['return', 'deposit', 'deposit']);
    expect(sums(posting.entries.slice(1))).toMatchObject({
      'outside external SOL': -2_995_000n,
      'personal cash mint': 7n,
    });
    expect(posting.moves).toEqual([]);
    expect(posting.fills).toMatchObject([{ bookId: 'personal', fill: { kind: 'received', tokens: 7n } }]);
  });

  it('ends the position of tokens that kept all of themselves on the way', () => {
    const transfer = aReturn([leg(0, from, to, mintNamed('mint'), 500n)]);
    const changes = { ...landed(transfer, () => false), tokenDeltas: [] };
    const { entries, moves, fills } = settledPosting(transfer, changes, AT);
    expect(sums(entries)).toMatchObject({ 'follow held mint': -500n, 'outside external mint': 500n });
    expect(moves).toEqual([]);
    expect(fills).toMatchObject([{ bookId: 'follow', mint: 'mint', fill: { kind: 'sent', tokens: 500n } }]);
  });

  it('sends nothing twice and loses nothing, whatever its legs and new accounts are', () => {
    const books = [book('a'), book('b'), book('c', 'strategy')];
    const people = [book('x', 'personal'), book('y', 'personal')];
    const arbitraryLeg = fc.record({
      from: fc.nat({ max: 2 }),
      to: fc.nat({ max: 1 }),
      asset: fc.constantFrom(SOL, SOL, mintNamed('mint'), mintNamed('coin')),
      amount: fc.bigInt({ min: 10_000n, max: 10n ** 12n }),
    });
    fc.assert(
      fc.property(
        fc.array(arbitraryLeg, { minLength: 1, maxLength: 8 }),
        fc.nat(),
        fc.boolean(),
        (rows, seed, fails) => {
          const legs = rows.map((row, line) => leg(line, books[row.from]!, people[row.to]!, row.asset, row.amount));
          const transfer = aReturn(legs);
          const changes = landed(transfer, ({ line }) => (seed >> line) % 2 === 0);
          const entries = fails
            ? [failedEntry(transfer, { ...changes, failed: true }, AT)]
            : settledPosting(transfer, changes, AT).entries;
          const all = sums([holdEntry(transfer, AT), ...entries]);
          for (const entry of [...entries, holdEntry(transfer, AT), releaseEntry(transfer, AT)]) {
            for (const asset of [SOL, 'mint', 'coin']) {
              const own = entry.postings.filter((posting) => posting.asset === asset);
              expect(own.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
            }
          }
          expect(Object.keys(all).filter((key) => key.includes(' held '))).toEqual([]);
          // The receivers' books get what their wallets got.
          for (const one of people) {
            const came = fails ? 0n : (changes.lamportDeltas.get(one.address) ?? 0n);
            expect(all[`${one.bookId} cash SOL`] ?? 0n).toBe(came);
          }
          expect(all['outside network-fee SOL']).toBe(5_000n);
        },
      ),
    );
  });
});
