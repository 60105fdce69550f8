import type { Keypair } from '@hunter/solana/keypair';
import { decodeTransactionBase64, encodeTransactionBase64, signTransaction } from '@hunter/solana/transaction';

/** A trader without the product: asks the venue and signs what it built. */
export function sign(keypair: Keypair, transaction: string): string {
  return encodeTransactionBase64(signTransaction(decodeTransactionBase64(transaction), [keypair]));
}

export async function post(venueUrl: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(venueUrl + path, { method: 'POST', body: JSON.stringify(body) });
  return (await response.json()) as Record<string, unknown>;
}
