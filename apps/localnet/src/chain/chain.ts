// The embedded chain as the other areas of the localnet see it. RPC, venue and traders depend on this
// interface only; `chain/` implements it over LiteSVM and the durable log.

/** Base58 text of a 32-byte public key. */
export type Address = string;
/** Base58 text of a 64-byte signature. */
export type Signature = string;

export type Account = {
  lamports: bigint;
  data: Uint8Array;
  owner: Address;
  executable: boolean;
};

export type Commitment = 'processed' | 'confirmed' | 'finalized';

export type TokenBalance = {
  accountIndex: number;
  mint: Address;
  owner: Address;
  programId: Address;
  amount: bigint;
  decimals: number;
};

export type InnerInstruction = { programIdIndex: number; accounts: number[]; data: Uint8Array; stackHeight: number };

/** What the chain keeps of one executed transaction: enough to answer getTransaction in full. */
export type LedgerTransaction = {
  signature: Signature;
  slot: bigint;
  /** Place inside its slot, from 0. Slot and index together order all transactions. */
  index: number;
  /** Unix seconds. */
  blockTime: number;
  wire: Uint8Array;
  /** Solana's TransactionError in its JSON form, or null for success. */
  err: unknown;
  fee: bigint;
  accountKeys: Address[];
  preBalances: bigint[];
  postBalances: bigint[];
  preTokenBalances: TokenBalance[];
  postTokenBalances: TokenBalance[];
  innerInstructions: { index: number; instructions: InnerInstruction[] }[];
  logMessages: string[];
  computeUnitsConsumed: bigint;
  /** What the last program to do so returned; absent where none did. */
  returnData?: { programId: Address; data: Uint8Array };
};

/** What a list of transactions says of each, which is found without taking it apart. */
export type ListedTransaction = Pick<LedgerTransaction, 'signature' | 'slot' | 'index' | 'blockTime' | 'err' | 'wire'>;

export type HistoryOptions = {
  before?: Signature | null;
  until?: Signature | null;
  limit?: number;
  newestSlot?: bigint;
};

export type SubmitOutcome =
  | { kind: 'accepted'; transaction: LedgerTransaction }
  /** The same signature was accepted before; the first outcome stands. */
  | { kind: 'already-processed'; signature: Signature }
  /** Not executed and no fee charged; `code` and `data` are the JSON-RPC error's. */
  | { kind: 'refused'; code: number; message: string; data?: unknown };

export interface Chain {
  slot(commitment: Commitment): bigint;
  blockHeight(commitment: Commitment): bigint;
  /** Wall-clock unix seconds of the current slot. */
  unixTimestamp(): number;
  latestBlockhash(): { blockhash: string; lastValidBlockHeight: bigint };
  isBlockhashValid(blockhash: string): boolean;
  account(address: Address): Account | null;
  /** Resolves once the transaction is durable: what it answers survives kill -9. */
  submit(wire: Uint8Array, options?: { skipPreflight?: boolean }): Promise<SubmitOutcome>;
  /** Many at once in order, one group commit. One bad transaction does not stop the others. */
  submitMany(wires: Uint8Array[]): Promise<SubmitOutcome[]>;
  tokenAccountsOfMint(mint: Address, commitment: Commitment): [Address, Account][];
  transaction(signature: Signature): LedgerTransaction | null;
  /** Those that mention the address, newest first and 1,000 unless told, up to and including `newestSlot`. */
  transactionsFor(address: Address, options?: HistoryOptions): LedgerTransaction[];
  /** Writes accounts outside of any transaction; for genesis, airdrops' faucet and `--account` files only. Durable. */
  setAccounts(accounts: { address: Address; account: Account }[]): Promise<void>;
  /**
   * Appends already final transactions of the past, oldest first, with their slots and times, without executing them.
   * Only before the first live transaction. Durable, streamed to disk, indexed by address like any other.
   */
  importPast(transactions: Iterable<LedgerTransaction> | AsyncIterable<LedgerTransaction>): Promise<void>;
  /** True on a ledger that holds no transaction and no imported past yet. */
  isFresh(): boolean;
  onTransaction(listener: (transaction: LedgerTransaction) => void): () => void;
  onSlot(listener: (slot: { slot: bigint; parent: bigint; root: bigint }) => void): () => void;
}
