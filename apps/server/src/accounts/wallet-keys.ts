/** What accounts ask of the signer. The sealed key is the signer's sealed text; the server stores it and cannot open it. */
export type SealedWallet = { userId: string; walletId: string; address: string; sealedKey: string };

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
  /** Null when the password is wrong. */
  exportKey(wallet: SealedWallet, password: string): Promise<{ privateKey: string } | null>;
}
