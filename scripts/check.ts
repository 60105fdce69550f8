import { fileURLToPath } from 'node:url';
import { checks } from './checks.ts';
import { printCheck } from './print-check.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
let failed = 0;
for (const check of checks) {
  const result = await check.run(project);
  printCheck(result);
  if (!result.ok) failed += 1;
}
process.stdout.write(`${checks.length - failed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
