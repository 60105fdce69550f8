// `npm test`: every check and every test, ending with one line of totals.
import { ensureInstalled, handOver, requireNode } from './bootstrap.mjs';

requireNode();
await ensureInstalled();
await handOver('scripts/test.ts', process.argv.slice(2));
