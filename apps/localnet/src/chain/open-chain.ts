// Puts the embedded chain together: virtual machine, accounts, clock, blockhashes and storage.

import { createHash } from 'node:crypto';
import { Keypair } from '@hunter/solana/keypair';
import { SYSTEM_PROGRAM } from '@hunter/solana/program-ids';
import { AccountStore } from './account-store.ts';
import { Bank } from './bank.ts';
import { Blockhashes } from './blockhashes.ts';
import { LocalChain } from './local-chain.ts';
import type { LedgerChain } from './ledger-chain.ts';
import { type FilingOptions, openStorage } from './storage.ts';
import { VirtualMachine } from './virtual-machine.ts';

/** Where a new ledger begins; late enough for a past of many months before it. */
const GENESIS_SLOT = 440_208_000;
/** Between a transaction's own slot and the one that makes it final. */
const FINALITY_SLOTS = 8;
const FAUCET_LAMPORTS = 500_000_000n * 1_000_000_000n;

export type ChainOptions = FilingOptions & {
  dataDir: string;
  slotMs?: number;
  /** Wall clock in milliseconds. */
  now?: () => number;
  /** Slots move only by `advanceSlots`; for tests. */
  manualSlots?: boolean;
};

function faucetOf(ledgerId: Uint8Array): Keypair {
  return Keypair.fromSeed(createHash('sha256').update('faucet').update(ledgerId).digest());
}

export async function createChain(options: ChainOptions): Promise<LedgerChain> {
  const slotMs = options.slotMs ?? 400;
  const now = options.now ?? Date.now;
  const manual = options.manualSlots ?? false;
  const storage = await openStorage(options.dataDir, options);
  try {
    const nowMs = now();
    const elapsed = manual ? 1 : Math.max(1, Math.floor((nowMs - storage.anchor.timeMs) / storage.anchor.slotMs));
    const slot = storage.isNew ? GENESIS_SLOT : Math.max(storage.anchor.slot + elapsed, storage.lastSlot + 1);
    storage.setAnchor({ slot, timeMs: nowMs, slotMs });

    const vm = new VirtualMachine();
    const accounts = new AccountStore();
    for (const [address, account] of vm.genesisAccounts()) accounts.load(address, account);
    for (const [address, account] of storage.accounts()) {
      vm.setAccount(address, account);
      accounts.load(address, account);
    }
    const recentStatuses = storage.statusesSince(slot - 152);
    const journal = storage.start();
    const blockhashes = new Blockhashes(storage.ledgerId);
    const faucet = faucetOf(storage.ledgerId);
    const chain = new LocalChain({
      bank: new Bank(vm, accounts, blockhashes),
      blockhashes,
      journal,
      recentStatuses,
      faucet,
      anchor: { slot, timeMs: nowMs },
      slotMs,
      finalitySlots: FINALITY_SLOTS,
      now,
      manual,
    });
    if (accounts.get(faucet.address) === null) {
      const account = { lamports: FAUCET_LAMPORTS, data: new Uint8Array(), owner: SYSTEM_PROGRAM, executable: false };
      await chain.setAccounts([{ address: faucet.address, account }]);
    }
    return chain;
  } catch (error) {
    storage.close();
    throw error;
  }
}
