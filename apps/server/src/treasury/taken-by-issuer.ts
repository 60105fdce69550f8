import type { Address } from '@hunter/solana/address';
import type { RpcClient } from '@hunter/solana/rpc-client';
import type { ChainTransaction } from '@hunter/solana/rpc-replies';
import { isMint, type Asset } from '../ledger/journal.ts';
import { readExtensions } from '../market/safety/mint-extensions.ts';
import type { Movement } from './movements-of-transaction.ts';

/**
 * Which tokens left because their issuer took them: a Token-2022 mint may name a permanent delegate, who moves or burns them in any
 * wallet without a signature of its owner. What the wallet signed itself is the doing of whoever has its key, whatever the mint allows.
 */
export async function loadTakenByIssuer(
  rpc: Pick<RpcClient, 'getParsedAccountInfo'>,
  transaction: ChainTransaction,
  wallet: Address,
  movements: readonly Movement[],
): Promise<ReadonlySet<Asset>> {
  const taken = new Set<Asset>();
  if (transaction.accountKeys.slice(0, transaction.requiredSignatures).includes(wallet)) return taken;
  for (const { asset, amount } of movements) {
    if (amount < 0n && isMint(asset) && (await mayBeTaken(rpc, asset))) taken.add(asset);
  }
  return taken;
}

async function mayBeTaken(rpc: Pick<RpcClient, 'getParsedAccountInfo'>, mint: Address): Promise<boolean> {
  const { value } = await rpc.getParsedAccountInfo(mint);
  // Its issuer alone closes a mint, after the last of its tokens is burned.
  if (value === null) return true;
  // Whoever it names now: the delegate may have given the power up since.
  return readExtensions(value.parsed?.info['extensions']).some((extension) =>
    extension.kind === 'harmless' ? extension.name === 'permanentDelegate' : extension.kind === 'permanent-delegate',
  );
}
