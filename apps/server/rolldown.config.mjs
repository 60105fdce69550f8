import { join } from 'node:path';
import { builtPart } from '../../scripts/built-part.mjs';
import { readMigrationFiles } from './src/platform/migration-files.ts';

/** A build is a program of one version, and so are its migrations: what stands in the folder when it starts may be of another. */
const migrationsInside = {
  name: 'migrations-inside',
  load: {
    filter: { id: /[/\\]platform[/\\]own-migrations\.ts$/ },
    async handler() {
      const files = await readMigrationFiles(join(import.meta.dirname, 'migrations'));
      return `const files = ${JSON.stringify(files)};\nexport const ownMigrations = async () => files;`;
    },
  },
};

export default builtPart(import.meta.dirname, {
  input: ['src/main.ts', 'src/past-main.ts'],
  // `pg` does without its native driver. What a running server loads later stays where it was installed, too: by then another build may
  // stand here.
  native: [/^@node-rs\//, 'pg-native', 'web-push', /^@dicebear\//],
  plugins: [migrationsInside],
});
