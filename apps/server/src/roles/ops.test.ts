import { describe, expect, it } from 'vitest';
import { SteppedClock } from '../platform/stepped-clock.ts';
import { readinessOf } from './ops.ts';

describe('readiness', () => {
  it('names the part that does not answer and why, before whoever asks gives up', async () => {
    const clock = new SteppedClock(0);
    const never = new Promise<never>(() => {});
    const expired = new Error('certificate has expired');
    const readiness = readinessOf(
      {
        clock,
        config: { ROLE: ['api'] },
        database: { query: () => never },
        rpc: { getSlot: () => Promise.resolve(5n) },
        signer: { status: () => Promise.reject(new Error('the connection was lost', { cause: expired })) },
        processes: { isConnected: () => true },
        keeper: null,
        isStopping: () => false,
      } as never,
      { market: { lagMs: () => 100 } } as never,
    )();
    // The others have said it by then.
    await new Promise(setImmediate);
    clock.moveTo(1_500);
    expect(await readiness).toEqual({
      database: { ok: false, detail: 'no answer within 1500 ms' },
      chain: { ok: true },
      signer: { ok: false, detail: 'the connection was lost: certificate has expired' },
      market: { ok: true },
    });
  });

  it('asks database, chain and signer once a second at most while they answer, however many strangers want to know', async () => {
    const clock = new SteppedClock(0);
    let asked = 0;
    let isUp = true;
    const ask = async () => {
      asked += 1;
      if (!isUp) throw new Error('gone');
    };
    let isStopping = false;
    const readiness = readinessOf(
      {
        clock,
        config: { ROLE: ['api'] },
        database: { query: ask },
        rpc: { getSlot: ask },
        signer: { status: ask },
        processes: { isConnected: () => true },
        keeper: null,
        isStopping: () => isStopping,
      } as never,
      { market: { lagMs: () => 100 } } as never,
    );
    await Promise.all(Array.from({ length: 100 }, readiness));
    await readiness();
    expect(asked).toBeLessThanOrEqual(6);
    clock.moveTo(1_000);
    asked = 0;
    isUp = false;
    expect(await readiness()).toMatchObject({ database: { ok: false }, signer: { ok: false } });
    isUp = true;
    expect(await readiness()).toMatchObject({ database: { ok: true }, signer: { ok: true } });
    expect(asked).toBe(6);
    isStopping = true;
    expect(await readiness()).toMatchObject({ process: { ok: false } });
  });
});
