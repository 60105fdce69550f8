// The chain as its own RPC server sees it: what every area sees, and what only Solana's read methods need.

import type {
  Account,
  Address,
  Chain,
  Commitment,
  HistoryOptions,
  LedgerTransaction,
  ListedTransaction,
  Signature,
  SubmitOutcome,
} from './chain.ts';
import type { Simulation } from './virtual-machine.ts';
import type { WireTransaction } from './wire-transaction.ts';

export type SignatureStatus = { slot: number; index: number; err: unknown; blockTime: number };

export type SimulateOutcome =
  | {
      kind: 'done';
      simulation: Simulation;
      accountKeys: Address[];
      fee: bigint;
      before: (address: Address) => Account | null;
    }
  | { kind: 'refused'; err: string };

export interface LedgerChain extends Chain {
  readonly faucetAddress: Address;
  readonly slotMs: number;
  accountAt(address: Address, commitment: Commitment): Account | null;
  programAccounts(program: Address, commitment: Commitment): [Address, Account][];
  tokenAccountsOfOwner(owner: Address, commitment: Commitment): [Address, Account][];
  allAccounts(): Iterable<[Address, Account]>;
  /** Each transaction once it is durable, with the addresses whose accounts it changed. */
  onExecuted(listener: (transaction: LedgerTransaction, written: Address[]) => void): () => void;
  rentExemptLamports(bytes: number): bigint;
  /** The slot a blockhash belongs to, while it is inside the window. */
  blockhashSlot(blockhash: string): bigint | null;
  blockhashOf(slot: bigint): string;
  latestBlockhashAt(commitment: Commitment): { blockhash: string; lastValidBlockHeight: bigint };
  simulate(
    transaction: WireTransaction,
    options: { sigVerify: boolean; replaceRecentBlockhash: boolean },
  ): SimulateOutcome;
  feeFor(message: WireTransaction): bigint | null;
  /** Statuses of the last 150 slots come from memory; older ones only with `searchHistory`. */
  status(signature: Signature, searchHistory: boolean): SignatureStatus | null;
  /** The same transactions as `transactionsFor`, in a fraction of the time. */
  listFor(address: Address, options?: HistoryOptions): ListedTransaction[];
  blockTransactions(slot: bigint): LedgerTransaction[];
  /** Unix seconds, or null where the ledger holds no such slot. */
  blockTime(slot: bigint): number | null;
  firstSlot(): bigint;
  transactionCount(): bigint;
  /** Transactions of the last 150 slots. */
  airdrop(to: Address, lamports: bigint): Promise<SubmitOutcome>;
  submit(wire: Uint8Array, options?: { skipPreflight?: boolean }): Promise<SubmitOutcome>;
  /** Only where slots are advanced by hand. */
  advanceSlots(count: number): Promise<void>;
  /** Only where slots are advanced by hand: enters a later slot at once. */
  advanceTo(slot: number): Promise<void>;
  /**
   * Only where slots are advanced by hand: takes transactions that were worked out outside of the machine, in slots that
   * have not begun. Durable. The accounts as they left them are set by whoever worked them out, before anybody needs them.
   * Listeners hear of the last one only: whoever follows the chain reads the others with it.
   */
  replay(transactions: LedgerTransaction[]): Promise<void>;
  close(): Promise<void>;
}
