// Builds verify.html: one document with script, style and worker inside. It runs in a sandbox without an origin, where
// nothing else could be loaded, and shares no file with the other pages.
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { join } from 'node:path';
import { build } from 'vite';
import type { Plugin, Rolldown } from 'vite';

type Built = { script: string; style: string };

async function bundle(root: string, source: string): Promise<Built> {
  const result = (await build({
    configFile: false,
    root,
    logLevel: 'error',
    publicDir: false,
    plugins: [react(), tailwindcss()],
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2023',
      // With it, a style would be put into the document by script, which the page's policy forbids.
      cssCodeSplit: false,
      rolldownOptions: { input: join(root, source), output: { format: 'iife' } },
    },
  })) as Rolldown.RolldownOutput;
  let style = '';
  let script = '';
  for (const file of result.output) {
    if (file.type === 'chunk' && script === '') script = file.code;
    else if (file.type === 'asset' && file.fileName.endsWith('.css')) style += String(file.source);
    else throw new Error(`verify.html must be one document, but the build made ${file.fileName}`);
  }
  return { script: inline(script), style };
}

/** Code that can stand inside a script element: nothing in it opens, closes or comments out one. */
function inline(code: string): string {
  return code.replaceAll(/<(?=\/script|script|!--)/gi, '\\x3c');
}

export function verifyPage(): Plugin {
  let root = '';
  return {
    name: 'hunter:verify-page',
    apply: 'build',
    configResolved(config) {
      root = config.root;
    },
    async generateBundle() {
      const [page, worker] = await Promise.all([
        bundle(root, 'src/verify/page.tsx'),
        bundle(root, 'src/verify/worker.ts'),
      ]);
      if (page.style === '') throw new Error('verify.html has no style');
      const source = `<!doctype html>
<html lang="en" data-theme="dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="dark light">
<title>Hunter</title>
<link rel="icon" href="data:,">
<style>${page.style}</style>
</head>
<body>
<div id="root"></div>
<script type="text/plain" id="worker">${worker.script}</script>
<script>${page.script}</script>
</body>
</html>
`;
      this.emitFile({ type: 'asset', fileName: 'verify.html', source });
    },
  };
}
