import { randomBytes } from 'node:crypto';
import type { Account, LedgerTransaction } from './chain.ts';
import type { Journal } from './journal.ts';
import type { SignatureStatus } from './ledger-chain.ts';
import { RecentTransactions } from './recent-transactions.ts';

export type StoredAnchor = { slot: number; timeMs: number; slotMs: number };

export type Storage = {
  ledgerId: Uint8Array;
  isNew: boolean;
  anchor: StoredAnchor;
  lastSlot: number;
  setAnchor(anchor: StoredAnchor): void;
  accounts(): Iterable<[string, Account]>;
  statusesSince(slot: number): Map<string, SignatureStatus>;
  journal: Journal;
};

export async function openStorage(dataDir: string): Promise<Storage> {
  void dataDir;
  const recent = new RecentTransactions();
  let count = 0;
  let first: number | null = null;
  const add = (transaction: LedgerTransaction): void => {
    first ??= Number(transaction.slot);
    count += 1;
    recent.add(transaction);
  };
  return {
    ledgerId: randomBytes(32),
    isNew: true,
    anchor: { slot: 0, timeMs: 0, slotMs: 400 },
    lastSlot: 0,
    setAnchor: () => undefined,
    accounts: () => [],
    statusesSince: () => new Map(),
    journal: {
      record: async (transactions) => transactions.forEach(add),
      recordPast: async (transactions) => {
        for (const transaction of transactions) add(transaction);
      },
      transaction: (signature) => recent.get(signature),
      status: (signature) => {
        const found = recent.get(signature);
        return found === null
          ? null
          : { slot: Number(found.slot), index: found.index, err: found.err, blockTime: found.blockTime };
      },
      transactionsFor: (address, { before, until, limit, newestSlot }) => {
        const all = recent.mentioning(address).reverse();
        const from = before === null ? 0 : all.findIndex((tx) => tx.signature === before) + 1;
        const to = until === null ? -1 : all.findIndex((tx) => tx.signature === until);
        return all
          .slice(from, to < 0 ? all.length : to)
          .filter((tx) => Number(tx.slot) <= newestSlot)
          .slice(0, limit);
      },
      inSlot: (slot) => recent.inSlot(slot),
      firstSlot: () => first,
      transactionCount: () => count,
      close: async () => undefined,
    },
  };
}
