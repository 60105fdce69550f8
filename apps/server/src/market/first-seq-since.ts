/**
 * For SQL: the number of a token's first trade since the minute of a moment; above all numbers where there was none. Trades are sorted
 * by their number and not by their time: who asks for a time alone reads everything that the token has ever traded.
 */
export function firstSeqSince(tokenId: string, since: string): string {
  return `(select coalesce(min(first_seq), 9223372036854775807) from candle_1m
    where token_id = ${tokenId} and start >= date_trunc('minute', ${since}::timestamptz))`;
}
