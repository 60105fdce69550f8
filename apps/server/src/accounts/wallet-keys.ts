import type { FactorClient, SecondFactor } from '@hunter/signer-client/factor-client';
import type { ShownKey } from '@hunter/signer-client/signer-client';
import type { SealedWallet } from '../ledger/wallets.ts';

/** What the signer wants to see before it shows a key; a passkey signs the id. */
export type ExportProof = { password: string; exportId?: string; factor?: SecondFactor; sealTo?: string };

/** What accounts ask of the signer. */
export interface WalletKeys {
  /** `privateKey` is for the one answer that shows it, sealed to the browser where it sent a key. */
  createWallet(input: {
    userId: string;
    walletId: string;
    password: string;
    sealTo?: string;
  }): Promise<{ address: string; privateKey: ShownKey; sealedKey: string }>;
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
  exportKey(wallet: SealedWallet, proof: ExportProof): Promise<{ privateKey: ShownKey } | null>;
  /** Second factors are the signer's own: asked with the newest sealed key, refused as the user is told. */
  factors<Result>(
    wallet: SealedWallet,
    ask: (factors: FactorClient, current: { userId: string; walletId: string; sealedKey: string }) => Promise<Result>,
  ): Promise<Result>;
}
