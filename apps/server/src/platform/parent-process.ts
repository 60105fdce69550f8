import { fstatSync } from 'node:fs';

/** Calls `stop` when the process that started this one is gone. A terminal or a file as stdin is nobody's lifeline. */
export function exitWithParent(stop: () => void): void {
  process.on('disconnect', stop);
  const stdin = fstatSync(0);
  if (!stdin.isFIFO() && !stdin.isSocket()) return;
  process.stdin.on('end', stop);
  process.stdin.on('close', stop);
  process.stdin.on('error', stop);
  process.stdin.resume();
}
