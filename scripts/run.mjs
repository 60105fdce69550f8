// Runs one of the project's programs on the pinned Node: node scripts/run.mjs FILE ARGUMENTS…
import { ensureInstalled, fail, handOver, requireNode } from './bootstrap.mjs';

requireNode();
const [file, ...args] = process.argv.slice(2);
if (!file) fail('Usage: node scripts/run.mjs FILE ARGUMENTS…');
await ensureInstalled();
await handOver(file, args);
