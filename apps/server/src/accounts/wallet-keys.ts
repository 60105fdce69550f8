import type { FactorClient, SecondFactor } from '@hunter/signer-client/factor-client';
import type { ShownKey } from '@hunter/signer-client/signer-client';
import type { Address } from '@hunter/solana/address';
import type { SealedWallet } from '../ledger/wallets.ts';

/** What the signer wants to see before it shows a key; a passkey signs the id. */
export type ExportProof = {
  password: string;
  exportId?: string;
  factor?: SecondFactor;
  sealTo?: string;
  /** What the wallet is worth: the key of a large one is shown after a delay. */
  worthLamports: bigint;
};

/** A passkey signs `proofId`. */
export type ResetProof = { password: string } | { proofId: string; factor: SecondFactor };

/** What accounts ask of the signer. */
export interface WalletKeys {
  /** `privateKey` is for the one answer that shows it, sealed to the browser where it sent a key. */
  createWallet(input: {
    userId: string;
    walletId: string;
    password: string;
    sealTo?: string;
  }): Promise<{ address: Address; privateKey: ShownKey; sealedKey: string }>;
  /** Null when the old password is wrong. */
  changePassword(
    wallet: SealedWallet,
    passwords: { oldPassword: string; newPassword: string },
  ): Promise<{ sealedKey: string } | null>;
  /** The newest sealed key where the password inside was changed since this one; null where it was not. */
  sealedSince(wallet: SealedWallet): Promise<{ sealedKey: string } | null>;
  /** After a mailed code was checked; for some time the signer exports no key and holds large withdrawals back. */
  resetPassword(wallet: SealedWallet, newPassword: string): Promise<{ sealedKey: string }>;
  /** Puts the password of before the reset back. Null when the proof is wrong or there is nothing to undo. */
  undoReset(wallet: SealedWallet, proof: ResetProof): Promise<{ sealedKey: string } | null>;
  /** The signer refuses withdrawals and exports until `unfreeze`. */
  freeze(wallet: SealedWallet): Promise<void>;
  unfreeze(wallet: SealedWallet, proof: { password: string; proofId: string; factor?: SecondFactor }): Promise<void>;
  cancelExport(wallet: SealedWallet): Promise<void>;
  /** Null when the password is wrong. */
  exportKey(wallet: SealedWallet, proof: ExportProof): Promise<{ privateKey: ShownKey } | null>;
  /** Second factors are the signer's own: asked with the newest sealed key, refused as the user is told. */
  factors<Result>(
    wallet: SealedWallet,
    ask: (factors: FactorClient, current: { userId: string; walletId: string; sealedKey: string }) => Promise<Result>,
  ): Promise<Result>;
}
