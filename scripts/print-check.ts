import type { CheckResult } from './checks.ts';

export function printCheck({ name, ok, output }: CheckResult): void {
  process.stdout.write(`${ok ? 'ok    ' : 'FAILED'} ${name}\n`);
  if (output.trim() !== '') process.stdout.write(`${output.trim().replaceAll(/^/gm, '       ')}\n`);
}
