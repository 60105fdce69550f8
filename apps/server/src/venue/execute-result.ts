/** What became of a signed transaction. `OTHER` is a failure the adapter has no name for. */
export type ExecuteCode =
  | 'SUCCESS'
  | 'UNKNOWN_REQUEST'
  | 'INVALID_TRANSACTION'
  | 'MESSAGE_CHANGED'
  | 'NOT_FULLY_SIGNED'
  | 'QUOTE_EXPIRED'
  | 'PRICE_MOVED'
  | 'FAILED_ON_CHAIN'
  | 'OTHER';

export type ExecuteResult = { code: ExecuteCode; error: string | null };

/** Answers that no later request for the same bytes can get past. */
const LASTING_REFUSALS: ReadonlySet<ExecuteCode> = new Set([
  'UNKNOWN_REQUEST',
  'INVALID_TRANSACTION',
  'MESSAGE_CHANGED',
  'NOT_FULLY_SIGNED',
  'QUOTE_EXPIRED',
]);

/** Holds even where an earlier request for the same bytes may still be on its way. */
export function isLastingRefusal({ code }: ExecuteResult): boolean {
  return LASTING_REFUSALS.has(code);
}

/**
 * Not co-signed and not sent, by the answer to the one and only request that was made for these bytes. A price that is out of
 * bounds right now may come back while the quote lives.
 */
export function isRefusal(result: ExecuteResult): boolean {
  return isLastingRefusal(result) || result.code === 'PRICE_MOVED';
}
