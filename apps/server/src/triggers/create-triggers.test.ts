import { expect, it } from 'vitest';
import { systemClock as clock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import { createTriggers } from './create-triggers.ts';

it('starts on connections of its own, and listens to nothing after a start that failed', async () => {
  const listeners = new Set<unknown>();
  const listen = (listener: unknown) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  let asked = 0;
  const query = async () => {
    asked += 1;
    expect(listeners.size).toBe(4);
    throw new Error('the database is away');
  };
  const triggers = createTriggers({
    trading: { clock },
    ownDatabase: { query },
    store: { onTrades: listen, onReset: listen, tokens: { onSaved: listen } },
    solUsd: { onChange: listen },
    log: createLog('silent'),
  } as never);
  await expect(triggers.start()).rejects.toThrow('the database is away');
  expect(asked).toBe(1);
  expect(listeners.size).toBe(0);
});
