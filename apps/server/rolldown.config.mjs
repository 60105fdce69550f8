import { relative } from 'node:path';

const own = import.meta.dirname;

/** What a module finds beside itself, it finds from the built file too. */
const keepPlaces = {
  name: 'keep-places',
  transform: {
    filter: { id: { exclude: /^\0/ }, code: 'import.meta.url' },
    handler(code, file) {
      const place = JSON.stringify(relative(`${own}/dist`, file));
      return code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`);
    },
  },
};

// Loading a thousand modules takes Node three times as long as loading one file of the same code.
export default {
  input: ['src/main.ts', 'src/past-main.ts'],
  platform: 'node',
  // Native code is loaded from where it was installed; `pg` does without its native driver.
  external: [/^@node-rs\//, 'pg-native'],
  plugins: [keepPlaces],
  output: {
    format: 'esm',
    chunkFileNames: '[name].js',
    // Both programs have nearly all of it in common.
    advancedChunks: { groups: [{ name: 'common', minShareCount: 2 }] },
  },
  onLog(level, log) {
    if (level === 'warn') throw new Error(log.message);
  },
};
