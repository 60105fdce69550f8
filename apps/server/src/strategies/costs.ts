import { lamports } from '@hunter/domain/lamports';

/** What one transaction costs where the venue signs beside the wallet: two signatures. */
export const NETWORK_FEE_LAMPORTS = lamports(10_000n);
/** Kept free in every book that holds tokens, for the fees of the sells that will close it. */
export const SELL_RESERVE_LAMPORTS = lamports(5n * NETWORK_FEE_LAMPORTS);
/** The deposit of a token account, as plans count it. */
export const RENT_LAMPORTS = lamports(2_039_280n);
/** Differences to a target weight below this are left alone. */
export const REBALANCE_DUST_LAMPORTS = lamports(2_000_000n);
/** The least capital of a strategy: with less, fees and deposits decide its record. */
export const CAPITAL_MIN_LAMPORTS = lamports(100_000_000n);
/**
 * All followers together hold, and spend in a round, at most this many times what the creator does: who leads has something
 * to lose himself.
 */
export const STAKE_FACTOR = 10n;
/** First purchases and selling out move along quicker markets than a single trade a person watches. */
export const OPENING_SLIPPAGE_BPS = 300;
export const CLOSING_SLIPPAGE_BPS = 1_500;
/** How often the market may refuse to take everything before the rest is handed over as it is. */
export const CLOSE_REFUSALS_MAX = 3;
