import type { Address } from './address.ts';

export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** A value together with the slot of the bank that answered: an older slot proves nothing about a newer one. */
export type WithContext<Value> = { contextSlot: bigint; value: Value };

export type AccountInfo = {
  lamports: bigint;
  owner: Address;
  data: Uint8Array;
  executable: boolean;
};

/** `parsed` is null where the node has no parser for the owning program. */
export type ParsedAccountInfo = {
  lamports: bigint;
  owner: Address;
  executable: boolean;
  parsed: { program: string; type: string; info: Record<string, unknown> } | null;
};

export type TokenAccount = {
  address: Address;
  lamports: bigint;
  tokenProgram: Address;
  mint: Address;
  owner: Address;
  amount: bigint;
  decimals: number;
  state: string;
};

export type SignatureStatus = {
  slot: bigint;
  confirmations: number | null;
  err: unknown;
  confirmationStatus: Commitment;
};

export type SignatureRow = {
  signature: string;
  slot: bigint;
  err: unknown;
  blockTime: number | null;
  confirmationStatus: Commitment | null;
};

export type TransactionTokenBalance = {
  accountIndex: number;
  mint: Address;
  owner: Address | null;
  tokenProgram: Address | null;
  amount: bigint;
  decimals: number;
};

/** getTransaction, normalised: static and loaded accounts in one list, amounts as bigint. */
export type ChainTransaction = {
  signature: string;
  slot: bigint;
  /** Unix seconds. */
  blockTime: number | null;
  err: unknown;
  fee: bigint;
  accountKeys: Address[];
  requiredSignatures: number;
  preBalances: bigint[];
  postBalances: bigint[];
  preTokenBalances: TransactionTokenBalance[];
  postTokenBalances: TransactionTokenBalance[];
  logMessages: string[];
  wire: Uint8Array;
};
