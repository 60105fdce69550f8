import type { ErrorName } from '@hunter/contract/error-catalogue';

/** These say nothing about a coin: a part of the product did not answer, all signing was stopped, or the swap before is not over. */
const TEMPORARY: ReadonlySet<ErrorName> = new Set(['UNAVAILABLE', 'SIGNING_STOPPED', 'INTERNAL', 'TRADE_UNDER_WAY']);

const WAIT_SECONDS_MAX = 300;

/** Such a try does not count: as long as nobody can sell, nothing is handed over unsold. */
export function isUnavailable(error: ErrorName | null): boolean {
  return error !== null && TEMPORARY.has(error);
}

/** When selling is tried again: after seconds at first, after minutes where it lasts. */
export function tryAgainAt(nowMs: number, attempts: number): Date {
  return new Date(nowMs + Math.min(WAIT_SECONDS_MAX, 2 ** Math.min(attempts, 10)) * 1000);
}
