const DEFECTS = [TypeError, RangeError, ReferenceError, SyntaxError];

/** An error and its causes in one line; of a defect its stack, because it says where to look. */
export function wordsOf(error: Error & { code?: unknown }): string {
  if (error.code === undefined && DEFECTS.some((kind) => error instanceof kind)) return error.stack ?? error.message;
  // Where all addresses of a name refuse a connection, the code alone says so.
  const words = (error.message || String(error.code)).split('\n')[0]!;
  return error.cause instanceof Error ? `${words}: ${wordsOf(error.cause)}` : words;
}
