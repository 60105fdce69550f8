import { lamports } from '@hunter/domain/numbers/lamports';

/**
 * What an account on Solana must hold to stay alive. One that falls below it, and not to zero, has its transaction refused; and whoever
 * pays the fee must be above it after the fee already, whatever the rest of the transaction brings or takes.
 */
export const ACCOUNT_MINIMUM_LAMPORTS = lamports(890_880n);

/**
 * What a wallet keeps back when money leaves it for trades or other books: its account stays alive, and ten sales can pay their fees
 * before they bring anything. With the account's minimum alone nothing could be sold, and nothing returned, any more.
 */
export const WALLET_MINIMUM_LAMPORTS = lamports(1_000_000n);
