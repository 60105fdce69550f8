import { builtPart } from '../../scripts/built-part.mjs';

export default builtPart(import.meta.dirname, {
  input: ['src/main.ts', 'src/past-main.ts'],
  // `pg` does without its native driver. What a running server loads later stays where it was installed, too: by then another build may
  // stand here.
  native: [/^@node-rs\//, 'pg-native', 'web-push', /^@dicebear\//],
});
