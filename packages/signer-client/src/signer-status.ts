import type { Address } from '@hunter/solana/address';
import type { StopKind } from './stop-kinds.ts';

/** What waits for its time, or for an operator: a looser setting, or the release of the kill switch. */
export type SignerChange = {
  id: string;
  what: { kind: 'setting'; name: string; value: string } | { kind: 'kill-switch-off'; stop: StopKind | null };
  from: number;
  /** The operators who agreed, by number. */
  by: number[];
};

export type SignerStatus = {
  stopped: StopKind[];
  stops: { kind: StopKind; why: string; at: number }[];
  changes: SignerChange[];
  /** How many wallets their owners have frozen. */
  frozen: number;
  wallets: { personal: number; strategy: number };
  /** Returns that wait for an hour because they go beyond the ordinary: each of them is an alarm. */
  heldReturns: { strategyWallet: Address; to: Address; what: string; lamports: string | null; at: number }[];
  /** Owners who wait for their second factors to be removed: each of them is an alarm. */
  recoveries: { address: Address; startedAt: number; readyAt: number }[];
  /** Exports of keys that are shown later: of large wallets, and of those behind many others. */
  waitingExports: number;
  /** Withdrawals that wait for their turn, and what part of `SIGNER_WITHDRAWALS_DAILY_TOTAL_SOL` left within 24 hours. */
  withdrawals: { waiting: number; part: number };
  /** Rises with every promotion of a standby. */
  epoch: number;
  currentKeyId: string;
  keyIds: string[];
};
