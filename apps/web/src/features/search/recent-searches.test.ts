import { describe, expect, it } from 'vitest';
import { readRecent, RECENT_MAX, withRecent } from './recent-searches.ts';
import type { RecentToken } from './recent-searches.ts';

const aRecent = (address: string): RecentToken => ({
  tokenContractAddress: address,
  tokenSymbol: address,
  tokenName: '',
  tokenLogoUrl: '',
});

describe('recent searches', () => {
  it('put the newest first, name each token once and stay few', () => {
    let recent: readonly RecentToken[] = [];
    for (const address of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'c']) recent = withRecent(recent, aRecent(address));
    expect(recent.map((token) => token.tokenSymbol)).toEqual(['c', 'g', 'f', 'e', 'd', 'b']);
    expect(recent).toHaveLength(RECENT_MAX);
  });

  it.each(['', '{', 'null', '{}', '[1, {"tokenSymbol": 3}]'])('survive a storage that holds %j', (stored) => {
    expect(readRecent({ getItem: () => stored }, 'ann@example.com')).toEqual([]);
  });
});
