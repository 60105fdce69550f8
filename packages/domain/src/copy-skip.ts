/** Why a copy did not happen. Each is shown to the follower, so each says one thing. */
export const COPY_SKIP_REASONS = [
  'paused',
  'below-minimum',
  'insufficient-balance',
  'nothing-to-sell',
  'price-moved',
  'token-risk',
  'mintable',
  'pool-too-small',
  'pool-too-young',
  'coarse-token',
  'no-reference-price',
  'creator-traded',
  'run-up',
  'coin-cap',
  'cost-limit',
  'cap-per-trade',
  'creator-stake',
  'depth',
  'follow-closing',
  'joined-later',
  'scaled-to-nothing',
  'creator-failed',
  'venue-refused',
  'expired',
  'failed-on-chain',
] as const;

export type CopySkipReason = (typeof COPY_SKIP_REASONS)[number];

/** What can make a copy smaller than it wanted to be; a copy that it leaves nothing of is skipped for the same reason. */
export type CopyLimitReason = Extract<
  CopySkipReason,
  'insufficient-balance' | 'run-up' | 'coin-cap' | 'cost-limit' | 'cap-per-trade' | 'creator-stake' | 'depth'
>;
