import { lamports } from '@hunter/domain/numbers/lamports';

/**
 * What an account on Solana must hold to stay alive. A wallet that falls below it, and not to zero, has its transaction
 * refused, so the personal book keeps this much back when money leaves it for trades or other books.
 */
export const WALLET_MINIMUM_LAMPORTS = lamports(890_880n);
