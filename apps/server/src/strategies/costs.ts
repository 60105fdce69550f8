import { lamports } from '@hunter/domain/numbers/lamports';

/** What one transaction costs where the venue signs beside the wallet: two signatures. */
export const NETWORK_FEE_LAMPORTS = lamports(10_000n);
/** Of the creator's capital: pays the wallet's minimum, deposits of token accounts and failed rounds. */
export const FLOAT_LAMPORTS = lamports(20_000_000n);
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
export const STAKE_FACTORS = { new: 10n, ranked: 19n } as const;
/** First purchases and selling out move along quicker markets than a single trade a person watches. */
export const OPENING_SLIPPAGE_BPS = 300;
export const CLOSING_SLIPPAGE_BPS = 1_500;
/** How often the market may refuse to take everything before the rest is handed over as it is. */
export const CLOSE_REFUSALS_MAX = 3;

/** The network's fee of a transfer with one signature. Less than that is not sent. */
export const RETURN_FEE_LAMPORTS = lamports(5_000n);
/** What an ended strategy's wallet keeps for closing its token accounts, each for one fee; their deposits are many times that. */
export const CLOSING_FEES_LAMPORTS = lamports(10n * RETURN_FEE_LAMPORTS);
/** Sending a coin in kind: the fee and the deposit of the receiver's token account. */
export const IN_KIND_COST_LAMPORTS = lamports(RETURN_FEE_LAMPORTS + RENT_LAMPORTS);
/** Those who join buy within two percent of the quote. */
export const JOIN_SLIPPAGE_BPS = 200;
