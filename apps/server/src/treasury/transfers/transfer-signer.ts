import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { SignerClient } from '@hunter/signer-client/signer-client';
import type { SignerDenial } from '@hunter/signer-client/signer-error';
import type { SignRequest } from '@hunter/signer-client/signing-policy';
import { denialRefusal, signerRefusal } from '../../accounts/signer-wallet-keys.ts';
import { loadWallets } from '../../ledger/wallets.ts';
import type { Sql } from '../../platform/postgres.ts';
import { signWithNewest } from '../../trading/sign-with-newest.ts';
import type { TransferToSign } from './transfer-transaction.ts';

export type SignedTransfer =
  | { kind: 'signed'; wire: Uint8Array; signature: string }
  /** Refused for now, for a reason that passes; asked again at that time, or more and more rarely. */
  | { kind: 'later'; until: Date | null; reason: string }
  /** The signer did not answer, and may have signed. */
  | { kind: 'unavailable'; reason: string }
  | { kind: 'denied'; error: ErrorName; reason: string };

export interface TransferSigner {
  /** One answer per request, in their order. */
  sign(requests: readonly (TransferToSign & { walletId: string })[]): Promise<SignedTransfer[]>;
  /** These commits are final: from now on they count for what may be returned. May be repeated. */
  commitsFinal(signatures: readonly string[]): Promise<void>;
}

/** What a limit of the signer stands against only for a time. */
const passing: ReadonlySet<SignerDenial['code']> = new Set([
  'HELD',
  'COMMIT_NOT_FINAL',
  'RETURN_CEILING',
  'VELOCITY',
  'KILL_SWITCH',
  'TOO_MANY_TRIES',
]);

export class TransferSignerClient implements TransferSigner {
  readonly #database: Sql;
  readonly #signer: Pick<SignerClient, 'sign' | 'latestSealedKey' | 'commitsFinal'>;

  constructor(database: Sql, signer: Pick<SignerClient, 'sign' | 'latestSealedKey' | 'commitsFinal'>) {
    this.#database = database;
    this.#signer = signer;
  }

  async sign(requests: readonly (TransferToSign & { walletId: string })[]): Promise<SignedTransfer[]> {
    const wallets = await loadWallets(this.#database, [...new Set(requests.map(({ walletId }) => walletId))]);
    const byId = new Map(wallets.map((wallet) => [wallet.walletId, wallet]));
    const asked = requests.map(({ walletId, transaction, policy }): SignRequest => {
      const { userId, sealedKey } = byId.get(walletId)!;
      return { userId, walletId, sealedKey, transaction, policy };
    });
    try {
      const outcomes = await signWithNewest(this.#signer, asked);
      return outcomes.map((outcome) => {
        if ('denied' in outcome) return denied(outcome.denied);
        const { signedTransaction, signature } = outcome;
        return { kind: 'signed', wire: Buffer.from(signedTransaction, 'base64'), signature };
      });
    } catch (error) {
      const { errorName, message } = signerRefusal(error);
      const reason = `${errorName}: ${message}`;
      return requests.map(() => ({ kind: 'unavailable', reason }));
    }
  }

  commitsFinal(signatures: readonly string[]): Promise<void> {
    return this.#signer.commitsFinal(signatures);
  }
}

function denied(denial: SignerDenial): SignedTransfer {
  const { code, until } = denial;
  const reason = `${code}: ${denial.reason}`;
  if (passing.has(code)) return { kind: 'later', until: until === undefined ? null : new Date(until), reason };
  return { kind: 'denied', error: denialRefusal(denial).errorName, reason };
}
