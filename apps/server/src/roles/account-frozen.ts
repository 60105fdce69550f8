import type { AccountFrozen } from '../accounts/freeze.ts';

/** Each for the user with this id, and harmless when done again. */
export type FreezeSteps = Readonly<
  Record<'pausePurchases' | 'pauseWalletFollows' | 'cancelHeld' | 'freezeAtSigner', (userId: string) => Promise<void>>
>;

/**
 * What follows a freeze. What the database alone can do comes first: a signer that is away for long holds up none of it, and a held
 * withdrawal of the thief is not there any more when the owner unfreezes. Held ones once more at the end, because one that the signer
 * held back at that moment is stored after it.
 */
export function accountFrozen(steps: FreezeSteps): (frozen: AccountFrozen) => Promise<void> {
  return async ({ userId }) => {
    await steps.pausePurchases(userId);
    await steps.pauseWalletFollows(userId);
    await steps.cancelHeld(userId);
    await steps.freezeAtSigner(userId);
    await steps.cancelHeld(userId);
  };
}
