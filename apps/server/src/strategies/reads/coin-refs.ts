import type { Address } from '@hunter/solana/address';
import { logoUrlOf } from '../../market/reads/token-views.ts';
import type { TokenFact } from '../../market/token-facts.ts';

export type Facts = ReadonlyMap<Address, TokenFact>;

export function symbolOf(facts: Facts, mint: Address): string {
  return facts.get(mint)?.symbol ?? mint.slice(0, 4);
}

export function decimalsOf(facts: Facts, mint: Address): number | null {
  return facts.get(mint)?.decimals ?? null;
}

export function coinRef<Weight extends string | null>(
  facts: Facts,
  { mint, weight }: { mint: Address; weight: Weight },
) {
  return {
    tokenContractAddress: mint,
    tokenSymbol: symbolOf(facts, mint),
    tokenLogoUrl: logoUrlOf(mint),
    weight,
  };
}
