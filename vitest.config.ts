import { defineConfig } from 'vitest/config';

// `unit` needs nothing but Node. `db` runs against a PostgreSQL server started once for the run;
// each test file clones its own database from a migrated template.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{apps,packages,scripts,bench,proofs,ops}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.db.test.ts', '**/node_modules/**'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // One more than two cores: the longest files mostly wait for processes they started.
          maxWorkers: 3,
        },
      },
      {
        test: {
          name: 'db',
          include: ['{apps,packages,proofs}/**/*.db.test.ts'],
          exclude: ['**/node_modules/**'],
          globalSetup: ['./scripts/test-database.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 3,
        },
      },
    ],
  },
});
