import { AppError } from '@hunter/contract/app-error';
import { address } from '@hunter/solana/address';
import { compileMessage } from '@hunter/solana/message';
import type { SignerClient, SignOutcome, SignRequest } from '@hunter/signer-client/signer-client';
import { transferSol } from '@hunter/solana/system-program';
import { encodeTransactionBase64, transactionFromMessage } from '@hunter/solana/transaction';
import { denialRefusal, signerRefusal } from '../accounts/signer-wallet-keys.ts';
import { loadPersonalWallet, saveSealedKey } from '../ledger/wallets.ts';
import type { Database } from '../platform/postgres.ts';
import type { Withdrawal } from './withdrawal.ts';

export type SignedWithdrawal =
  | { kind: 'signed'; wire: Uint8Array; signature: string }
  | { kind: 'held'; until: Date }
  | { kind: 'refused'; refusal: AppError };

export interface WithdrawalSigner {
  /** Without a password the signer only signs what it authenticated before under the same id. */
  sign(withdrawal: Withdrawal, blockhash: string, password: string | null): Promise<SignedWithdrawal>;
}

/** One System transfer, fee payer and sender the user's wallet: nothing else for the signer to wonder about. */
export class WithdrawalSignerClient implements WithdrawalSigner {
  readonly #database: Database;
  readonly #signer: Pick<SignerClient, 'sign' | 'latestSealedKey'>;

  constructor(database: Database, signer: Pick<SignerClient, 'sign' | 'latestSealedKey'>) {
    this.#database = database;
    this.#signer = signer;
  }

  async sign(withdrawal: Withdrawal, blockhash: string, password: string | null): Promise<SignedWithdrawal> {
    const { userId, walletId, sealedKey } = await loadPersonalWallet(this.#database, withdrawal.userId);
    const from = address(withdrawal.fromAddress);
    const to = address(withdrawal.toAddress);
    const transaction = transactionFromMessage(
      compileMessage({
        feePayer: from,
        recentBlockhash: blockhash,
        instructions: [transferSol({ from, to, lamports: withdrawal.lamports })],
      }),
    );
    const request: SignRequest = {
      userId,
      walletId,
      sealedKey,
      transaction: encodeTransactionBase64(transaction),
      policy: {
        kind: 'withdrawal',
        withdrawalId: withdrawal.id,
        destination: to,
        lamports: withdrawal.lamports,
        ...(password === null ? {} : { password }),
      },
    };
    try {
      let outcome = await this.#ask(request);
      if ('denied' in outcome && outcome.denied.code === 'ENVELOPE_OUTDATED') {
        const latest = await this.#signer.latestSealedKey({ userId, walletId });
        if (latest.sealedKey !== null) {
          await saveSealedKey(this.#database, walletId, latest.sealedKey);
          outcome = await this.#ask({ ...request, sealedKey: latest.sealedKey });
        }
      }
      return readOutcome(outcome);
    } catch (error) {
      return { kind: 'refused', refusal: signerRefusal(error) };
    }
  }

  async #ask(request: SignRequest): Promise<SignOutcome> {
    const [outcome] = await this.#signer.sign([request]);
    if (!outcome) throw new Error('the signer answered nothing');
    return outcome;
  }
}

function readOutcome(outcome: SignOutcome): SignedWithdrawal {
  if (!('denied' in outcome)) {
    return { kind: 'signed', wire: Buffer.from(outcome.signedTransaction, 'base64'), signature: outcome.signature };
  }
  const { denied } = outcome;
  if (denied.code === 'HELD' && denied.until !== undefined) return { kind: 'held', until: new Date(denied.until) };
  return { kind: 'refused', refusal: denialRefusal(denied) };
}
