import { builtPart } from '../../scripts/built-part.mjs';

export default builtPart(import.meta.dirname, {
  input: ['src/main.ts', 'src/past-main.ts'],
  // `pg` does without its native driver.
  native: [/^@node-rs\//, 'pg-native'],
});
