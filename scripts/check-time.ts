import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFiles } from './project-files.ts';

// `AbortSignal.timeout` is not among them: it bounds a call to another machine, whose time no test can own.
const askingForTime =
  /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bprocess\.hrtime\b|\bset(?:Timeout|Interval)\(|node:timers/;

const SOURCE = 'apps/server/src/';
const CLOCK = 'platform/clock.ts';

/** Files that still ask the system. The list may only shrink: what is no longer needed is refused. */
const notYetOnTheClock: readonly string[] = ['treasury/withdrawal-sender.ts'];

const isServerCode = (file: string): boolean =>
  file.startsWith(SOURCE) && file.endsWith('.ts') && !/(\.test|-for-test)\.ts$/.test(file);

/** The lines of a file of the server that ask the system for the time or for a timer. */
export function linesAskingForTime(file: string, text: string): number[] {
  if (!isServerCode(file) || file === SOURCE + CLOCK) return [];
  return text.split('\n').flatMap((line, index) => {
    const isComment = /^\s*(?:\/\/|\*|\/\*)/.test(line);
    return !isComment && askingForTime.test(line) ? [index + 1] : [];
  });
}

/** The server has one source of time, so that a test can own all of it. */
export function checkTime(project: string): string[] {
  const unused = new Set(notYetOnTheClock);
  const complaints: string[] = [];
  for (const file of projectFiles(project).filter(isServerCode)) {
    const lines = linesAskingForTime(file, readFileSync(join(project, file), 'utf8'));
    const name = file.slice(SOURCE.length);
    if (lines.length > 0 && unused.delete(name)) continue;
    complaints.push(...lines.map((line) => `${file}:${line} asks the system for the time instead of ${CLOCK}`));
  }
  for (const name of unused) complaints.push(`scripts/check-time.ts: ${name} is allowed and no longer needed`);
  return complaints;
}
