// How a part of the product is built: its own code and that of its packages in a few files, for the pinned Node alone.
import { relative } from 'node:path';

/** What a module finds beside itself, it finds from the built file too. */
const keepPlaces = (part) => ({
  name: 'keep-places',
  transform: {
    filter: { id: { exclude: /^\0/ }, code: 'import.meta.url' },
    handler(code, file) {
      const place = JSON.stringify(relative(`${part}/dist`, file));
      return code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`);
    },
  },
});

/** Importing one of these as a module takes Node 90 ms: it then looks at all that they export, and with that loads undici. */
const plainBuiltins = {
  name: 'plain-builtins',
  resolveId: { filter: { id: /^(node:)?https?$/ }, handler: (id) => `\0builtin:${id.replace('node:', '')}` },
  load: {
    filter: { id: /^\0builtin:/ },
    handler: (id) => `module.exports = process.getBuiltinModule(${JSON.stringify(id.slice(9))});`,
  },
};

// Faster where they are installed; `ws` does without them.
const helpersOfWs = ['bufferutil', 'utf-8-validate'];

/** `native`: packages that are loaded from where they were installed, as native code must be. `plugins`: of this part alone. */
export function builtPart(part, { input, native, plugins = [] }) {
  return {
    input,
    platform: 'node',
    external: [...native, ...helpersOfWs],
    plugins: [...plugins, keepPlaces(part), plainBuiltins],
    output: {
      format: 'esm',
      chunkFileNames: '[name].js',
      // What several programs have in common.
      codeSplitting: { groups: [{ name: 'common', minShareCount: 2 }] },
    },
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message);
    },
  };
}
