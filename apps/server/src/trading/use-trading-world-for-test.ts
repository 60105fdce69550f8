import { afterAll, beforeAll } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../scripts/database-for-test.ts';
import { startTradingWorld, type TradingWorld, type WorldOptions } from './world-for-test.ts';

/** A new local chain begins with a past, which a busy machine takes its time to write. */
const START_MS = 180_000;

/** A world for the tests of the file that calls this; `take` gets it before the first of them. */
export function useTradingWorld(take: (world: TradingWorld) => Promise<void> | void, options: WorldOptions = {}): void {
  let test: TestDatabase | undefined;
  let world: TradingWorld | undefined;
  beforeAll(async () => {
    test = await createTestDatabase();
    world = await startTradingWorld(test.url, options);
    await take(world);
  }, START_MS);
  afterAll(async () => {
    await world?.close();
    await test?.drop();
  });
}
