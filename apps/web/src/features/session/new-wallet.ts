// The wallet that registration just made. The private key lives in this variable and nowhere else: not in storage, not
// in the address, not in the query cache. A reload loses it, which the page warns about.
export type NewWallet = {
  address: string;
  privateKey: string;
  /** The page that its owner came for. */
  goOn: string;
};

let wallet: NewWallet | null = null;

export function keepNewWallet(made: NewWallet): void {
  wallet = made;
}

export function newWallet(): NewWallet | null {
  return wallet;
}

export function forgetNewWallet(): void {
  wallet = null;
}
