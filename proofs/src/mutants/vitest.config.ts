import { defineConfig } from 'vitest/config';

// The tests that a part's mutants must turn red. Random tests take the same path every time, so that a mutant that
// survives survives again.
export default defineConfig({
  test: {
    include: (process.env['MUTANT_TESTS'] ?? '').split(','),
    setupFiles: ['./proofs/src/mutants/fixed-seed.ts'],
    testTimeout: 60_000,
  },
});
