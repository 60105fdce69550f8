import { expect, it } from 'vitest';
import proveIndexer from './indexer-kill.proof.ts';

it(
  'keeps every swap once and all that follows from it when the indexer is killed again and again',
  { timeout: 600_000 },
  async () => {
    const figures = await proveIndexer(['4', '20', '5', '80']);
    expect(figures['swapsOnChain']).toBeGreaterThan(100);
    expect(figures).toMatchObject({ kills: 4, missingOrDoubled: 0, different: [] });
  },
);
