// Two years of 3,480 lamports for each byte-year, with 128 bytes of overhead for each account: Solana's default rent.
const LAMPORTS_PER_BYTE = 6960n;
const ACCOUNT_OVERHEAD_BYTES = 128n;

/** The balance below which an account of `dataLength` bytes may not fall. */
export function rentExemptLamports(dataLength: number): bigint {
  return LAMPORTS_PER_BYTE * (ACCOUNT_OVERHEAD_BYTES + BigInt(dataLength));
}

/** What a wallet or a pool must keep to stay alive. */
export const RENT_EXEMPT_EMPTY = rentExemptLamports(0);
