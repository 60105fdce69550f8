import { expect, it } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { Confirmations } from './confirmations.ts';

it('sees what is waited for right after the last one was seen', async () => {
  const status = { slot: 1n, confirmations: null, err: null, confirmationStatus: 'confirmed' as const };
  const getSignatureStatuses = async (signatures: readonly string[]) => ({
    value: signatures.map(() => status),
    contextSlot: 1n,
  });
  const confirmations = new Confirmations({ getSignatureStatuses }, systemClock);
  expect(await confirmations.wait('first', 10_000)).toBe(true);
  expect(await confirmations.wait('second', 10_000)).toBe(true);
});
