// `npm run check`: types, lint, format, import rules and documents.
import { ensureInstalled, handOver, requireNode } from './bootstrap.mjs';

requireNode();
await ensureInstalled();
await handOver('scripts/check.ts', process.argv.slice(2));
