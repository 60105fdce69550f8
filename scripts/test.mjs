// `npm test`: every check and every test, ending with one line of totals.
import { ensureInstalled, handOver, requireNode } from './bootstrap.mjs';
import { ensureBuilt } from './build-parts.mjs';

const stages = process.argv.slice(2);

requireNode();
await ensureInstalled();
// Several tests start the product at the same time; it is built once, before them.
if (stages.length === 0 || stages.some((stage) => stage !== 'checks' && stage !== 'db')) ensureBuilt();
await handOver('scripts/test.ts', stages);
