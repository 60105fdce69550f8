// The process that `ensureMarket` starts, with its order as JSON.

import { enableCompileCache } from 'node:module';
import type { MarketOrder } from './first-market.ts';

enableCompileCache();
// Whoever wanted the market is gone when its end of our stdin is.
process.stdin.on('end', () => process.exit(1)).resume();
const { makeMarket } = await import('./first-market.ts');
try {
  await makeMarket(JSON.parse(process.argv[2] ?? '') as MarketOrder);
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
