import { wordsOf } from '../apps/server/src/platform/words-of.ts';

// Imported for its effect, before anything that may fail. What was typed wrong, and a part that does not answer, end an
// operator's command with one line and code 1; only a defect shows where it is.

process.on('uncaughtException', (error) => {
  process.stderr.write(`${wordsOf(error)}\n`);
  process.exit(1);
});
