// `npm start`: installs what is missing, builds what changed, and runs the product.
import { ensureInstalled, handOver, requireNode } from './bootstrap.mjs';
import { ensureBuilt } from './build-parts.mjs';

requireNode();
await ensureInstalled();
ensureBuilt();
await handOver('apps/launcher/src/main.ts', process.argv.slice(2));
