import { Address } from './address.tsx';
import { TokenLink } from './token-link.tsx';

/** A token of the market by its name, any other by its address. */
export function ChainToken({
  token,
}: {
  token: { tokenContractAddress: string; tokenSymbol: string | null; tokenLogoUrl: string | null };
}) {
  const { tokenContractAddress, tokenSymbol, tokenLogoUrl } = token;
  if (tokenSymbol === null || tokenLogoUrl === null) return <Address address={tokenContractAddress} />;
  return <TokenLink token={{ tokenContractAddress, tokenSymbol, tokenLogoUrl }} />;
}
