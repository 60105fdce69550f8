import fc from 'fast-check';
import { expect, it } from 'vitest';
import { reversalOf, type JournalEntry, type Posting } from '../ledger/journal.ts';
import { balanceEffect, decideUndo } from './decide-undo.ts';

const at = new Date(0);
const keys = ['a cash SOL', 'a cash mint', 'b cash SOL', 'b held SOL', 'b cash mint'];

const line = fc.record({ key: fc.constantFrom(...keys), amount: fc.bigInt(-50n, 50n) });
const lines = fc.array(line, { minLength: 1, maxLength: 4 });

function entryOf(changes: readonly { key: string; amount: bigint }[], reference: string): JournalEntry {
  const postings = changes.map(({ key, amount }) => {
    const [bookId, account, asset] = key.split(' ');
    return { bookId, account, asset, amount } as Posting;
  });
  const outside = postings.map(({ asset, amount }): Posting => ({
    bookId: null,
    account: 'venue',
    asset,
    amount: -amount,
  }));
  return { kind: 'order-fill', reference, postings: [...postings, ...outside] };
}

function apply(balances: Map<string, bigint>, entries: readonly JournalEntry[]): void {
  for (const [key, change] of balanceEffect(entries)) balances.set(key, (balances.get(key) ?? 0n) + change);
}

const isValid = (balances: ReadonlyMap<string, bigint>) => [...balances.values()].every((amount) => amount >= 0n);

/** Fills that were posted one after the other, each possible when it came. */
const history = fc.tuple(fc.array(lines, { maxLength: 8 }), fc.bigInt(0n, 80n)).map(([all, start]) => {
  const balances = new Map(keys.map((key) => [key, start]));
  const entries: JournalEntry[] = [];
  for (const changes of all) {
    const entry = entryOf(changes, String(entries.length));
    const after = new Map(balances);
    apply(after, [entry]);
    if (!isValid(after)) continue;
    apply(balances, [entry]);
    entries.push(entry);
  }
  return { start, balances, entries };
});

const undoOf = (entry: JournalEntry) => ({
  id: entry.reference,
  entries: [reversalOf(entry, { at, cause: 'dropped' })],
});

it('never takes a balance below zero, and decides on each once', () => {
  fc.assert(
    fc.property(history, fc.infiniteStream(fc.boolean()), ({ balances, entries }, choices) => {
      const undos = entries.filter(() => choices.next().value).map(undoOf);
      const { now, wait } = decideUndo(undos, balances);
      const after = new Map(balances);
      for (const { entries: reversals } of now) apply(after, reversals);
      expect(isValid(after)).toBe(true);
      expect([...now, ...wait].map(({ id }) => id).sort()).toEqual(undos.map(({ id }) => id).sort());
    }),
  );
});

it('takes back all that a fork took along, in whatever order it is given, and leaves what was there before', () => {
  fc.assert(
    fc.property(history, fc.nat(), fc.func(fc.integer()), ({ start, balances, entries }, from, shuffle) => {
      const dropped = entries.slice(from % (entries.length + 1));
      const undos = dropped.map(undoOf).sort((left, right) => shuffle(left.id) - shuffle(right.id));
      const { now, wait } = decideUndo(undos, balances);
      expect(wait).toEqual([]);
      const after = new Map(balances);
      for (const { entries: reversals } of now) apply(after, reversals);
      const before = new Map(keys.map((key) => [key, start]));
      apply(before, entries.slice(0, entries.length - dropped.length));
      expect(after).toEqual(before);
    }),
  );
});

it('waits where what was brought is in use, and takes the others back', () => {
  const bought = entryOf([{ key: 'a cash mint', amount: 10n }], 'bought');
  const other = entryOf([{ key: 'b cash SOL', amount: 5n }], 'other');
  const balances = new Map([
    ['a cash mint', 4n],
    ['b cash SOL', 5n],
  ]);
  const { now, wait } = decideUndo([undoOf(other), undoOf(bought)], balances);
  expect([now.map(({ id }) => id), wait.map(({ id }) => id)]).toEqual([['other'], ['bought']]);
});

it('waits with whoever lacks something, wherever it stands, and with nobody who gives', () => {
  const bought = entryOf(
    [
      { key: 'a cash mint', amount: 10n },
      { key: 'a cash SOL', amount: -7n },
    ],
    'bought',
  );
  const sold = entryOf(
    [
      { key: 'a cash mint', amount: -1n },
      { key: 'a cash SOL', amount: 1n },
    ],
    'sold',
  );
  const neutral = entryOf(
    [
      { key: 'a cash mint', amount: 3n },
      { key: 'a cash mint', amount: -3n },
    ],
    'neutral',
  );
  const balances = new Map([
    ['a cash mint', 4n],
    ['a cash SOL', 50n],
  ]);
  const { now, wait } = decideUndo([undoOf(bought), undoOf(sold), undoOf(neutral)], balances);
  expect([now.map(({ id }) => id), wait.map(({ id }) => id)]).toEqual([['sold', 'neutral'], ['bought']]);
});
