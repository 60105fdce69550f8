import { AppError } from '@hunter/contract/app-error';
import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { readU64 } from '@hunter/solana/u64';
import type { ChainReader } from './engine-ports.ts';
import type { TokenFact } from './token-facts.ts';

/** Where the amount stands inside a token account of either program. */
const AMOUNT_OFFSET = 64;

type Bounds = {
  wire: Uint8Array;
  wallet: string;
  token: Pick<TokenFact, 'mint' | 'tokenProgram'>;
  maxLamportsOut: bigint;
  maxTokensOut: bigint;
  minLamportsIn: bigint;
  minTokensIn: bigint;
};

/**
 * Runs a transaction that somebody else built against the chain without sending it, and holds what it would do to the wallet
 * against the order's bounds. Answers what the signer wants to know of it.
 */
export async function checkBySimulation(
  chain: Pick<ChainReader, 'simulateTransaction' | 'getMultipleAccounts'>,
  bounds: Bounds,
): Promise<{ lamportsOut: bigint; tokensOut: bigint }> {
  const { mint, tokenProgram } = bounds.token;
  const wallet = bounds.wallet as Address;
  const accounts = [wallet, associatedTokenAddress(wallet, mint as Address, tokenProgram as Address)];
  const { value: before } = await chain.getMultipleAccounts(accounts);
  const { value: after } = await chain.simulateTransaction(bounds.wire, { accounts, replaceRecentBlockhash: true });
  if (after.err !== null) {
    throw new AppError('PRICE_MOVED', undefined, { cause: new Error(`simulation: ${JSON.stringify(after.err)}`) });
  }
  const lamportsOut = (before[0]?.lamports ?? 0n) - (after.accounts[0]?.lamports ?? 0n);
  const tokensIn = tokenAmount(after.accounts[1]?.data) - tokenAmount(before[1]?.data);
  const leaves = lamportsOut > bounds.maxLamportsOut || -tokensIn > bounds.maxTokensOut;
  // A sale brings its proceeds less what it may cost, which is all that `maxLamportsOut` leaves room for.
  const missing =
    tokensIn < bounds.minTokensIn - bounds.maxTokensOut || -lamportsOut < bounds.minLamportsIn - bounds.maxLamportsOut;
  if (leaves || missing) throw new AppError('SIGNING_DENIED');
  return { lamportsOut: lamportsOut > 0n ? lamportsOut : 0n, tokensOut: tokensIn < 0n ? -tokensIn : 0n };
}

function tokenAmount(data: Uint8Array | undefined): bigint {
  return data === undefined || data.length < AMOUNT_OFFSET + 8 ? 0n : readU64(data, AMOUNT_OFFSET);
}
