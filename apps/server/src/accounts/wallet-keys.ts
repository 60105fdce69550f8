import type { SecondFactor } from '@hunter/signer-client/signer-client';
import type { SealedWallet } from '../ledger/wallets.ts';

/** What the signer wants to see before it shows a key; a passkey signs the id. */
export type ExportProof = { password: string; exportId?: string; factor?: SecondFactor };

/** What accounts ask of the signer. */
export interface WalletKeys {
  /** `privateKey` is base58 of 64 bytes, for the one answer that shows it. */
  createWallet(input: {
    userId: string;
    walletId: string;
    password: string;
  }): Promise<{ address: string; privateKey: string; sealedKey: string }>;
  /** Null when the old password is wrong. */
  changePassword(
    wallet: SealedWallet,
    passwords: { oldPassword: string; newPassword: string },
  ): Promise<{ sealedKey: string } | null>;
  /** After a mailed code was checked; for some time the signer exports no key and holds large withdrawals back. */
  resetPassword(wallet: SealedWallet, newPassword: string): Promise<{ sealedKey: string }>;
  /** Puts the password of before the reset back. Null when it is wrong or there is nothing to undo. */
  undoReset(wallet: SealedWallet, oldPassword: string): Promise<{ sealedKey: string } | null>;
  /** Null when the password is wrong. */
  exportKey(wallet: SealedWallet, proof: ExportProof): Promise<{ privateKey: string } | null>;
}
