// Imported for its effect, before anything that may fail. What was typed wrong, and a part that does not answer, end an
// operator's command with one line and code 1; only a defect shows where it is.

const DEFECTS = [TypeError, RangeError, ReferenceError, SyntaxError];

process.on('uncaughtException', (error) => {
  process.stderr.write(`${wordsOf(error)}\n`);
  process.exit(1);
});

export function wordsOf(error: Error & { code?: unknown }): string {
  if (error.code === undefined && DEFECTS.some((kind) => error instanceof kind)) return error.stack ?? error.message;
  // Where all addresses of a name refuse a connection, the code alone says so.
  const words = (error.message || String(error.code)).split('\n')[0]!;
  return error.cause instanceof Error ? `${words}: ${wordsOf(error.cause)}` : words;
}
