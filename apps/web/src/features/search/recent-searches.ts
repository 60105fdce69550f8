// The tokens that were opened from the search box last, kept in this browser only, for each account by itself.
import type { FoundToken } from './token-search.ts';

export type RecentToken = Pick<FoundToken, 'tokenContractAddress' | 'tokenSymbol' | 'tokenName' | 'tokenLogoUrl'>;

const keyOf = (account: string) => `recentSearches.of.${account}`;
export const RECENT_MAX = 6;

export function readRecent(storage: Pick<Storage, 'getItem'>, account: string): readonly RecentToken[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(keyOf(account)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRecent).slice(0, RECENT_MAX) : [];
  } catch {
    return [];
  }
}

export function withRecent(recent: readonly RecentToken[], token: RecentToken): readonly RecentToken[] {
  const { tokenContractAddress, tokenSymbol, tokenName, tokenLogoUrl } = token;
  const others = recent.filter((old) => old.tokenContractAddress !== tokenContractAddress);
  return [{ tokenContractAddress, tokenSymbol, tokenName, tokenLogoUrl }, ...others].slice(0, RECENT_MAX);
}

export function writeRecent(storage: Pick<Storage, 'setItem'>, account: string, recent: readonly RecentToken[]): void {
  storage.setItem(keyOf(account), JSON.stringify(recent));
}

function isRecent(value: unknown): value is RecentToken {
  if (typeof value !== 'object' || value === null) return false;
  const token = value as Record<string, unknown>;
  return ['tokenContractAddress', 'tokenSymbol', 'tokenName', 'tokenLogoUrl'].every(
    (key) => typeof token[key] === 'string',
  );
}
