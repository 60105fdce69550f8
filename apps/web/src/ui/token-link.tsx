import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { TokenAvatar } from './token-avatar.tsx';

/** A token in a table, leading to its page. A token's name is anyone's text, so it is isolated and bounded. */
export function TokenLink({
  token,
  search = {},
  below,
}: {
  token: { tokenContractAddress: string; tokenSymbol: string; tokenLogoUrl: string };
  search?: Record<string, string>;
  /** A second, smaller line. */
  below?: ReactNode;
}) {
  return (
    <Link
      to="/token/$tokenAddress"
      params={{ tokenAddress: token.tokenContractAddress }}
      search={search}
      className="inline-flex items-center gap-2.5 align-middle font-semibold hover:text-accent-text max-sm:gap-1.5"
    >
      <TokenAvatar src={token.tokenLogoUrl} size={28} />
      <span className="flex flex-col leading-tight">
        <bdi className="max-w-32 truncate max-sm:max-w-20">{token.tokenSymbol}</bdi>
        {below}
      </span>
    </Link>
  );
}
