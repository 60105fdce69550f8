import { wordsOf } from './words-of.ts';

/** Until the returned function is called, what ends this process is one line and code 1: an operator reads it who typed something wrong. */
export function endPlainly(): () => void {
  const end = (error: Error): void => {
    process.stderr.write(`${wordsOf(error)}\n`);
    process.exit(1);
  };
  process.on('uncaughtException', end);
  return () => void process.off('uncaughtException', end);
}
