import { WRAPPED_SOL_MINT } from '@hunter/solana/program-ids';
import type { Keypair } from '@hunter/solana/keypair';
import type { Side } from '../venue/pool-curve.ts';
import { signedWire, splitSwapWire } from '../venue/swap-transaction.ts';
import type { Venue } from '../venue/venue.ts';

const EMPTY_SIGNATURE = new Uint8Array(64);
const SLIPPAGE_BPS = 300n;

/** A swap through the venue, by the same orders anybody else would place; false where it did not come about. */
export async function placeSwap(
  venue: Venue,
  mint: string,
  { wallet, side, amount }: { wallet: { keypair: Keypair }; side: Side; amount: bigint },
): Promise<boolean> {
  const order = venue.swaps.order({
    inputMint: side === 'buy' ? WRAPPED_SOL_MINT : mint,
    outputMint: side === 'buy' ? mint : WRAPPED_SOL_MINT,
    amount,
    taker: wallet.keypair.address,
    slippageBps: SLIPPAGE_BPS,
  });
  const transaction = order['transaction'];
  if (typeof transaction !== 'string' || transaction === '') return false;
  const parts = splitSwapWire(Buffer.from(transaction, 'base64'));
  if (parts === null) return false;
  const signature = wallet.keypair.sign(parts.messageBytes);
  const signed = signedWire(parts.messageBytes, signature, EMPTY_SIGNATURE);
  const result = await venue.swaps.execute(String(order['requestId']), signed);
  return result.status === 'Success';
}
