/**
 * Why a trigger ended. Names and numbers are permanent: a screen translates them, and a record is read years later. A new reason
 * gets the next number; none changes its meaning.
 */
export const triggerOutcomes = {
  /** Its order traded. */
  filled: 1,
  /** By its owner. */
  canceled: 2,
  expired: 3,
  /** Another trigger of its one-cancels-other group fired. */
  'other-fired': 4,
  /** The position it protects is flat; a later entry does not inherit it. */
  'position-closed': 5,
  /** The buy it was to protect did not trade. */
  'entry-not-filled': 6,
  'insufficient-balance': 7,
  /** The price kept moving past its slippage for as long as it retries. */
  'price-moved': 8,
  'below-minimum': 9,
  /** Nobody trades the token any more, or only with an impact that is refused. */
  'no-route': 10,
  /** The transaction failed on chain; its fee was charged. */
  'failed-on-chain': 11,
  /** Every purchase of its schedule has been made. */
  'schedule-done': 12,
  /** The strategy that its book belongs to has ended. */
  'book-closed': 13,
  /** A safety check refused to sign, or signing is stopped. */
  'signing-refused': 14,
  /** Venue or signer could not be reached for as long as it retries. */
  unavailable: 15,
  /** The wallet had too little SOL for the network fee of a sale. */
  'fee-not-covered': 16,
} as const satisfies Record<string, number>;

export type TriggerOutcome = keyof typeof triggerOutcomes;
