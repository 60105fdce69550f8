import { wordsOf } from './words-of.ts';

/**
 * Until the returned function is called, what ends this process is one line, or those that the error has, and code 1: an operator reads
 * them who typed something wrong.
 */
export function endPlainly(): () => void {
  const end = (error: Error & { lines?: readonly string[] }): void => {
    process.stderr.write(`${(error.lines ?? [wordsOf(error)]).join('\n')}\n`);
    process.exit(1);
  };
  process.on('uncaughtException', end);
  return () => void process.off('uncaughtException', end);
}
