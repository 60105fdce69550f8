/**
 * `swap` covers closing token accounts, `transfer` commits and returns, `reset` withdrawals and exports of the wallets whose password was
 * reset since a day before it.
 */
export const STOP_KINDS = ['swap', 'transfer', 'withdrawal', 'export', 'reset'] as const;
export type StopKind = (typeof STOP_KINDS)[number];
