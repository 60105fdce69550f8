// The process that `ensureMarket` starts: first-market-process.ts DATA_DIR SEED.

import { enableCompileCache } from 'node:module';

enableCompileCache();
// Whoever wanted the market is gone when its end of our stdin is.
process.stdin.on('end', () => process.exit(1)).resume();
const { makeMarket } = await import('./first-market.ts');
const [dataDir, seed] = process.argv.slice(2);
if (dataDir === undefined || seed === undefined) throw new Error('a data folder and a seed are needed');
try {
  await makeMarket(dataDir, seed);
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
