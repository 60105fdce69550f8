import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import type { RpcClient } from '@hunter/solana/rpc-client';
import type { Forbidden } from './scenes.ts';

/** What the chain shows at addresses where nothing may arrive, SOL or tokens; a line for each that got something. */
export async function arrivals(
  rpc: Pick<RpcClient, 'getBalance' | 'getTokenAccountsByOwner'>,
  forbidden: readonly Forbidden[],
): Promise<string[]> {
  const found: string[] = [];
  for (const { tried, address } of forbidden) {
    const [sol, plain, extended] = await Promise.all([
      rpc.getBalance(address, 'confirmed'),
      rpc.getTokenAccountsByOwner(address, { programId: TOKEN_PROGRAM }, 'confirmed'),
      rpc.getTokenAccountsByOwner(address, { programId: TOKEN_2022_PROGRAM }, 'confirmed'),
    ]);
    if (sol.value > 0n) found.push(`${tried}: ${sol.value} lamports arrived at ${address}`);
    for (const { mint, amount } of [...plain.value, ...extended.value]) {
      if (amount > 0n) found.push(`${tried}: ${amount} of ${mint} arrived at ${address}`);
    }
  }
  return found;
}
