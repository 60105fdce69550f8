import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compress } from './build-steps/compress-plugin.ts';
import { firstPaint } from './build-steps/first-paint-plugin.ts';
import { installable } from './build-steps/installable-plugin.ts';
import { verifyPage } from './build-steps/verify-page-plugin.ts';

const api = process.env.HUNTER_API ?? 'http://localhost:3000';

export default defineConfig({
  plugins: [react(), tailwindcss(), firstPaint(), verifyPage(), installable(), compress()],
  build: {
    target: 'es2023',
    // The server's content security policy allows no data: fonts or scripts, so nothing is inlined into other files.
    assetsInlineLimit: 0,
    // The bundle bench walks this file to know what each route loads first.
    manifest: true,
    // Only pages are called by their names: those of the many small files would weigh in the boot script and in imports.
    rolldownOptions: {
      output: { chunkFileNames: ({ name }) => `assets/${name.endsWith('-page') ? '[name]-' : ''}[hash].js` },
    },
    // The boot script knows what each page imports; a second list of it in the entry would only weigh.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files, { hostType }) => (hostType === 'html' ? files : []),
    },
  },
  server: { proxy: { '/api': { target: api, ws: true } } },
  preview: { proxy: { '/api': { target: api, ws: true } } },
});
