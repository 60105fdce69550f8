import type { AccountFrozen } from '../accounts/freeze.ts';

/** Each for the user with this id, and harmless when done again. */
export type FreezeSteps = Readonly<
  Record<'pausePurchases' | 'pauseWalletFollows' | 'cancelHeld' | 'freezeAtSigner', (userId: string) => Promise<void>>
>;

/**
 * What follows a freeze. What the database alone can do comes first: a signer that is unavailable for long holds up none of it, and a held
 * withdrawal of the thief is not there any more when the owner unfreezes. Held ones once more at the end, because one that the signer
 * held back at that moment is stored after it. No step waits for another to succeed: the signer above all must hear of it.
 */
export function accountFrozen(steps: FreezeSteps): (frozen: AccountFrozen) => Promise<void> {
  const { pausePurchases, pauseWalletFollows, cancelHeld, freezeAtSigner } = steps;
  return async ({ userId }) => {
    const failures: Error[] = [];
    for (const step of [pausePurchases, pauseWalletFollows, cancelHeld, freezeAtSigner, cancelHeld]) {
      await step(userId).catch((error: Error) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join('; '));
  };
}
