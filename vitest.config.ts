import { defineConfig } from 'vitest/config';
import LongestFirst from './scripts/longest-first.ts';

// More than two cores: the longest files mostly wait for a chain, a database or processes they started. The same for
// both projects, so that one run mixes them.
const maxWorkers = 7;

// What is waited for comes at once, unless the machine has other work: nobody is to fail by that.
const expect = { poll: { timeout: 60_000 } };
const testTimeout = 300_000;
const setupFiles = ['./scripts/limit-shrinking.ts'];

// `unit` needs nothing but Node. `db` runs against a PostgreSQL server started once for the run;
// each test file clones its own database from a migrated template.
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{apps,packages,scripts,bench,proofs,ops}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.db.test.ts', '**/node_modules/**'],
          setupFiles,
          testTimeout,
          hookTimeout: testTimeout,
          maxWorkers,
          expect,
        },
      },
      {
        test: {
          name: 'db',
          include: ['{apps,packages,proofs}/**/*.db.test.ts'],
          exclude: ['**/node_modules/**'],
          globalSetup: ['./scripts/test-database.ts'],
          setupFiles,
          testTimeout,
          hookTimeout: testTimeout,
          maxWorkers,
          expect,
        },
      },
    ],
  },
});
