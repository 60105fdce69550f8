import type { SignerClient } from '@hunter/signer-client/signer-client';
import type { SignOutcome, SignRequest } from '@hunter/signer-client/signing-policy';

export type NewestSigner = Pick<SignerClient, 'sign' | 'latestSealedKey'>;

/**
 * A password change makes a new sealed key in the signer before the database has it, and a crash in between leaves the old
 * one there. Wallets must stay usable meanwhile, so what is refused as outdated is asked for again with the newest.
 */
export async function signWithNewest(signer: NewestSigner, requests: readonly SignRequest[]): Promise<SignOutcome[]> {
  const outcomes = await signer.sign(requests);
  const outdated = requests.flatMap((request, index) => (isOutdated(outcomes[index]) ? [{ request, index }] : []));
  if (outdated.length === 0) return outcomes;
  const again = await Promise.all(
    outdated.map(async ({ request, index }) => {
      const { sealedKey } = await signer.latestSealedKey({ userId: request.userId, walletId: request.walletId });
      return sealedKey === null ? [] : [{ index, request: { ...request, sealedKey } }];
    }),
  );
  const renewed = again.flat();
  const second = await signer.sign(renewed.map(({ request }) => request));
  for (const [position, { index }] of renewed.entries()) outcomes[index] = second[position]!;
  return outcomes;
}

function isOutdated(outcome: SignOutcome | undefined): boolean {
  return outcome !== undefined && 'denied' in outcome && outcome.denied.code === 'ENVELOPE_OUTDATED';
}
