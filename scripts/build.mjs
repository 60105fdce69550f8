// `npm run build`: what `npm start` would build, for servers that run without the launcher.
import { ensureInstalled, requireNode } from './bootstrap.mjs';
import { ensureBuilt } from './build-parts.mjs';

requireNode();
await ensureInstalled();
ensureBuilt();
