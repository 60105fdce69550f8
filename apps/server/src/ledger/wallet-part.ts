/** A part of all wallets, by their ids; several processes can then work through them at the same time. */
export type WalletPart = { readonly index: number; readonly of: number };
export const ALL_WALLETS: WalletPart = { index: 0, of: 1 };

/** Ids from the first up to, and without, the second; without a second to the end. */
export type WalletRange = { readonly from: string; readonly until: string | null };

/** Ids are random, so that equal ranges of them hold about as many wallets. */
export function rangeOf({ index, of }: WalletPart): WalletRange {
  const bound = (at: number): string =>
    `${Math.floor((at / of) * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0')}-0000-0000-0000-000000000000`;
  return { from: bound(index), until: index + 1 === of ? null : bound(index + 1) };
}

export function isWithin({ from, until }: WalletRange, walletId: string): boolean {
  return walletId >= from && (until === null || walletId < until);
}
