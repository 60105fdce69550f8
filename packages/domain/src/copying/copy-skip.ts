/**
 * Why a copy did not happen. Each is shown to the follower, so each says one thing. The numbers stand in the allocation
 * trees behind memos on chain: a reason keeps its number for ever, and the number of a removed one is never given again.
 */
export const COPY_SKIP_CODES = {
  paused: 1,
  'below-minimum': 2,
  'insufficient-balance': 3,
  'nothing-to-sell': 4,
  'price-moved': 5,
  'token-risk': 6,
  mintable: 7,
  'pool-too-small': 8,
  'pool-too-young': 9,
  'coarse-token': 10,
  'no-reference-price': 11,
  'creator-traded': 12,
  'run-up': 13,
  'coin-cap': 14,
  'cost-limit': 15,
  'cap-per-trade': 16,
  'creator-stake': 17,
  depth: 18,
  'follow-closing': 19,
  'joined-later': 20,
  'scaled-to-nothing': 21,
  'creator-failed': 22,
  'venue-refused': 23,
  expired: 24,
  'failed-on-chain': 25,
  'dropped-by-chain': 26,
} as const;

export type CopySkipReason = keyof typeof COPY_SKIP_CODES;

export const COPY_SKIP_REASONS = Object.keys(COPY_SKIP_CODES) as CopySkipReason[];

/** What can make a copy smaller than it wanted to be; a copy that it leaves nothing of is skipped for the same reason. */
export type CopyLimitReason = Extract<
  CopySkipReason,
  'insufficient-balance' | 'run-up' | 'coin-cap' | 'cost-limit' | 'cap-per-trade' | 'creator-stake' | 'depth'
>;
