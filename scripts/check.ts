import { fileURLToPath } from 'node:url';
import { checks, runChecks } from './checks.ts';
import { printCheck } from './print-check.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
let failed = 0;
for await (const result of runChecks(project)) {
  printCheck(result);
  if (!result.ok) failed += 1;
}
process.stdout.write(`${checks.length - failed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
