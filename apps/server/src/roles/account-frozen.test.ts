import { expect, it } from 'vitest';
import { accountFrozen } from './account-frozen.ts';

it('pauses and cancels also while the signer is away, and cancels again what it held back until it knew', async () => {
  const done: string[] = [];
  const step = (name: string) => async (userId: string) => void done.push(`${name} of ${userId}`);
  let isAway = true;
  const frozen = accountFrozen({
    pausePurchases: step('purchases'),
    pauseWalletFollows: step('wallet follows'),
    cancelHeld: step('held'),
    freezeAtSigner: async (userId) => {
      if (isAway) throw new Error('the signer does not answer');
      done.push(`signer of ${userId}`);
    },
  });
  await expect(frozen({ userId: 'anna' })).rejects.toThrow('does not answer');
  expect(done).toEqual(['purchases of anna', 'wallet follows of anna', 'held of anna']);
  isAway = false;
  await frozen({ userId: 'anna' });
  expect(done.slice(-2)).toEqual(['signer of anna', 'held of anna']);
});
