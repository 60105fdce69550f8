// What makes the app installable: its icons, and the service worker with the names of the files that the app starts from.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { build } from 'vite';
import type { Plugin, Rolldown } from 'vite';
import { drawIcon, type IconLook } from './draw-icon.ts';

/** Named in `public/manifest.webmanifest`, `index.html` and the service worker. */
const icons: Readonly<Record<string, IconLook>> = {
  'icon-192': { size: 192, margin: 0.17, ground: 'rounded' },
  'icon-512': { size: 512, margin: 0.17, ground: 'rounded' },
  // Systems cut up to a fifth off each side of these.
  'maskable-512': { size: 512, margin: 0.26, ground: 'square' },
  'apple-180': { size: 180, margin: 0.2, ground: 'square' },
  'badge-96': { size: 96, margin: 0.04, ground: 'none' },
};

const WORKER_SOURCE = 'src/service-worker/worker.ts';
/** Beside what index.html names itself. */
const OTHER_FILES = ['/', '/offline.html', '/offline.css', '/favicon.svg'];

async function workerScript(root: string, define: Record<string, string>): Promise<string> {
  const result = (await build({
    configFile: false,
    root,
    logLevel: 'error',
    define,
    publicDir: false,
    build: {
      write: false,
      target: 'es2023',
      rolldownOptions: { input: join(root, WORKER_SOURCE), output: { format: 'iife' } },
    },
  })) as Rolldown.RolldownOutput;
  const [script, ...others] = result.output;
  if (others.length > 0) throw new Error('the service worker must be one file');
  return script.code;
}

export function installable(): Plugin {
  let root = '';
  return {
    name: 'hunter:installable',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      root = config.root;
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        for (const [name, look] of Object.entries(icons)) {
          this.emitFile({ type: 'asset', fileName: `icons/${name}.png`, source: drawIcon(look) });
        }
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('the build made no index.html');
        const html = String(page.source);
        const named = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file]) => file!);
        // The names change with the content, so they and the page itself tell one build from another.
        const version = createHash('sha256').update(html).digest('hex').slice(0, 16);
        const shell = JSON.stringify({ version, files: [...OTHER_FILES, ...new Set(named)] });
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: await workerScript(root, { SHELL: shell }) });
      },
    },
  };
}
