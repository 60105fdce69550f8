import type { SignOutcome, SignRequest } from '@hunter/signer-client/signing-policy';
import { describe, expect, it } from 'vitest';
import { signWithNewest } from './sign-with-newest.ts';

const aRequest = (walletId: string, sealedKey: string): SignRequest => ({
  userId: 'user',
  walletId,
  sealedKey,
  transaction: '',
  policy: { kind: 'withdrawal', withdrawalId: 'w', destination: '' as never, lamports: 1n },
});

/** Signs the sealed key called `new`; has a newer one for every wallet but `lost`. */
const signer = {
  asked: 0,
  sign(requests: readonly SignRequest[]): Promise<SignOutcome[]> {
    this.asked += 1;
    return Promise.resolve(
      requests.map(({ walletId, sealedKey }) =>
        sealedKey === 'new'
          ? { signedTransaction: walletId, signature: walletId }
          : { denied: { code: 'ENVELOPE_OUTDATED', reason: '' } },
      ),
    );
  },
  latestSealedKey: ({ walletId }: { walletId: string }) =>
    Promise.resolve({ sealedKey: walletId === 'lost' ? null : 'new' }),
};

describe('signing while a password change is half done', () => {
  it('takes the newest sealed key where the stored one is outdated, and leaves the others alone', async () => {
    signer.asked = 0;
    const outcomes = await signWithNewest(signer, [
      aRequest('a', 'new'),
      aRequest('b', 'old'),
      aRequest('lost', 'old'),
    ]);
    expect(outcomes).toEqual([
      { signedTransaction: 'a', signature: 'a' },
      { signedTransaction: 'b', signature: 'b' },
      { denied: { code: 'ENVELOPE_OUTDATED', reason: '' } },
    ]);
    expect(signer.asked).toBe(2);
  });

  it('asks once where nothing is outdated', async () => {
    signer.asked = 0;
    await signWithNewest(signer, [aRequest('a', 'new')]);
    expect(signer.asked).toBe(1);
  });
});
