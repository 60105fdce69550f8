import { runNamed } from '../../scripts/run-named.ts';

/** `npm run proof` lists the long proofs, `npm run proof -- NAME` runs one. */
await runNamed('proof', process.argv.slice(2), import.meta.dirname);
