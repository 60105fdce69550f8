import { SignerError } from '@hunter/signer-client/signer-error';
import type { SignOutcome } from '@hunter/signer-client/signing-policy';
import type { Signing, SwapSigner, SwapToSign } from './engine-ports.ts';
import { signWithNewest, type NewestSigner } from './sign-with-newest.ts';

/** Swaps signed by the signer process, many in one call. */
export class WalletSigner implements SwapSigner {
  readonly #client: NewestSigner;

  constructor(client: NewestSigner) {
    this.#client = client;
  }

  async signSwaps(requests: readonly SwapToSign[]): Promise<Signing[]> {
    try {
      const outcomes = await signWithNewest(
        this.#client,
        requests.map((request) => ({
          userId: request.userId,
          walletId: request.wallet.walletId,
          sealedKey: request.wallet.sealedKey,
          transaction: Buffer.from(request.wire).toString('base64'),
          policy: {
            kind: 'swap' as const,
            mint: request.mint,
            tokenProgram: request.tokenProgram,
            side: request.side,
            maxLamportsOut: request.maxLamportsOut,
            maxTokensOut: request.maxTokensOut,
            minLamportsIn: request.minLamportsIn,
            minTokensIn: request.minTokensIn,
            poolCertificate: request.poolCertificate,
          },
        })),
      );
      return outcomes.map(signing);
    } catch (error) {
      if (!(error instanceof SignerError)) throw error;
      return requests.map(() => ({ ok: false, error: 'UNAVAILABLE', reason: error.message }));
    }
  }
}

function signing(outcome: SignOutcome): Signing {
  if ('denied' in outcome) {
    const { code, reason } = outcome.denied;
    return {
      ok: false,
      error: code === 'KILL_SWITCH' ? 'SIGNING_STOPPED' : 'SIGNING_DENIED',
      reason: `${code}: ${reason}`,
    };
  }
  return { ok: true, wire: Buffer.from(outcome.signedTransaction, 'base64'), signature: outcome.signature };
}
