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
  expect(done.slice(0, 3)).toEqual(['purchases of anna', 'wallet follows of anna', 'held of anna']);
  expect(done.join()).not.toContain('signer');
  isAway = false;
  await frozen({ userId: 'anna' });
  expect(done.slice(-2)).toEqual(['signer of anna', 'held of anna']);
});

it('tells the signer although another step fails, and is tried again for that one', async () => {
  const done: string[] = [];
  const step = (name: string) => async () => void done.push(name);
  const frozen = accountFrozen({
    pausePurchases: () => Promise.reject(new Error('a trigger is damaged')),
    pauseWalletFollows: step('wallet follows'),
    cancelHeld: step('held'),
    freezeAtSigner: step('signer'),
  });
  await expect(frozen({ userId: 'anna' })).rejects.toThrow('a trigger is damaged');
  expect(done).toEqual(['wallet follows', 'held', 'signer', 'held']);
});
