// The tokens that were opened from the search box last, kept in this browser only.
import type { FoundToken } from './token-search.ts';

export type RecentToken = Pick<FoundToken, 'tokenContractAddress' | 'tokenSymbol' | 'tokenName' | 'tokenLogoUrl'>;

const RECENT_KEY = 'recentSearches';
export const RECENT_MAX = 6;

export function readRecent(storage: Pick<Storage, 'getItem'>): readonly RecentToken[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(RECENT_KEY) ?? '[]');
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

export function writeRecent(storage: Pick<Storage, 'setItem'>, recent: readonly RecentToken[]): void {
  storage.setItem(RECENT_KEY, JSON.stringify(recent));
}

function isRecent(value: unknown): value is RecentToken {
  if (typeof value !== 'object' || value === null) return false;
  const token = value as Record<string, unknown>;
  return ['tokenContractAddress', 'tokenSymbol', 'tokenName', 'tokenLogoUrl'].every(
    (key) => typeof token[key] === 'string',
  );
}
