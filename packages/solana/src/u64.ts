import { SolanaError } from './solana-error.ts';

const U64_MAX = 2n ** 64n - 1n;

export function writeU64(target: Uint8Array, offset: number, amount: bigint): void {
  if (amount < 0n || amount > U64_MAX) throw new SolanaError('AMOUNT_OUT_OF_RANGE', { amount });
  new DataView(target.buffer, target.byteOffset).setBigUint64(offset, amount, true);
}

export function readU64(source: Uint8Array, offset: number): bigint {
  return new DataView(source.buffer, source.byteOffset, source.byteLength).getBigUint64(offset, true);
}
