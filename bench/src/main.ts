import { runNamed } from '../../scripts/run-named.ts';

/** `npm run bench` lists the measurements, `npm run bench -- NAME` runs one. */
await runNamed('bench', process.argv.slice(2), import.meta.dirname);
