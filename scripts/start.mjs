// `npm start`: installs what is missing, builds the web app where it changed, and runs the product.
import { ensureInstalled, handOver, requireNode } from './bootstrap.mjs';
import { ensureWebBuilt } from './build-web.mjs';

requireNode();
await ensureInstalled();
ensureWebBuilt();
await handOver('apps/launcher/src/main.ts', process.argv.slice(2));
