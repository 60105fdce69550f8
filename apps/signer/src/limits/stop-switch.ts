import type { SigningPolicy } from '../transactions/signing-policy.ts';

/**
 * What can be stopped by itself; closing a token account is a part of trading. `reset` stops withdrawals and exports of the wallets whose
 * password was reset since a day before it.
 */
export const STOP_KINDS = ['swap', 'transfer', 'withdrawal', 'export', 'reset'] as const;
export type StopKind = (typeof STOP_KINDS)[number];

export const STOP_KIND_OF: Readonly<Record<SigningPolicy['kind'], StopKind>> = {
  swap: 'swap',
  'close-token-account': 'swap',
  commit: 'transfer',
  return: 'transfer',
  withdrawal: 'withdrawal',
};

export function isStopKind(value: unknown): value is StopKind {
  return STOP_KINDS.some((kind) => kind === value);
}
