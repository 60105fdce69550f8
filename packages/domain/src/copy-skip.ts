/** Why a copy did not happen. Each is shown to the follower, so each says one thing. */
export const COPY_SKIP_REASONS = [
  'paused',
  'below-minimum',
  'insufficient-balance',
  'committed-amount-used',
  'nothing-to-sell',
  'price-moved',
  'token-risk',
  'strategy-ending',
  'follow-closing',
  'joined-later',
  'scaled-to-nothing',
  'creator-failed',
  'venue-refused',
  'expired',
  'failed-on-chain',
] as const;

export type CopySkipReason = (typeof COPY_SKIP_REASONS)[number];
