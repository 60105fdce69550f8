import { AppError } from '@hunter/contract/app-error';
import type { SecondFactor } from '@hunter/signer-client/factor-client';
import type { OwnLimits, SignerClient, SignerLimits } from '@hunter/signer-client/signer-client';
import type { HoldReason } from '@hunter/signer-client/signer-error';
import type { SigningPolicy, SignOutcome, SignRequest } from '@hunter/signer-client/signing-policy';
import { address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import type { Instruction } from '@hunter/solana/instruction';
import { compileMessage } from '@hunter/solana/message';
import { transferSol } from '@hunter/solana/system-program';
import { createAssociatedTokenAccountIdempotent, transferChecked } from '@hunter/solana/token-program';
import { encodeTransactionBase64, transactionFromMessage } from '@hunter/solana/transaction';
import { denialRefusal, signerRefusal } from '../accounts/signer-wallet-keys.ts';
import { loadPersonalWallet, saveSealedKey } from '../ledger/wallets.ts';
import type { Database } from '../platform/postgres.ts';
import type { Withdrawal } from './withdrawal.ts';
import type { WithdrawalIntent } from './withdrawal-store.ts';

export type SignedWithdrawal =
  | { kind: 'signed'; wire: Uint8Array; signature: string }
  | { kind: 'held'; until: Date; reason: HoldReason | null }
  | { kind: 'refused'; refusal: AppError };

/** What proves that the owner himself asks. */
export type Proof = { password: string; factor?: SecondFactor | undefined };

export type HoldPreview = { until: Date; reason: HoldReason | null } | null;

export interface WithdrawalSigner {
  /** Without a proof the signer only signs what it authenticated before under the same id. */
  sign(withdrawal: Withdrawal, blockhash: string, proof: Proof | null): Promise<SignedWithdrawal>;
  /** Whether it would wait; throws what the withdrawal itself would be refused with. */
  preview(userId: string, intent: WithdrawalIntent): Promise<HoldPreview>;
  /** What the owner has enrolled. */
  factors(userId: string): Promise<('totp' | 'passkey')[]>;
  limits(userId: string): Promise<SignerLimits>;
  /** Throws WRONG_PASSWORD where a raise comes without it. */
  setLimits(userId: string, wanted: OwnLimits, password: string | null): Promise<SignerLimits>;
}

type Signer = Pick<
  SignerClient,
  'sign' | 'latestSealedKey' | 'previewWithdrawal' | 'factors' | 'ownLimits' | 'setOwnLimits'
>;

/** One transfer, fee payer and sender the user's wallet: nothing else for the signer to wonder about. */
export class WithdrawalSignerClient implements WithdrawalSigner {
  readonly #database: Database;
  readonly #signer: Signer;

  constructor(database: Database, signer: Signer) {
    this.#database = database;
    this.#signer = signer;
  }

  async sign(withdrawal: Withdrawal, blockhash: string, proof: Proof | null): Promise<SignedWithdrawal> {
    const { userId, walletId, sealedKey } = await loadPersonalWallet(this.#database, withdrawal.userId);
    const message = compileMessage({
      feePayer: withdrawal.fromAddress,
      recentBlockhash: blockhash,
      instructions: instructionsOf(withdrawal),
    });
    const request: SignRequest = {
      userId,
      walletId,
      sealedKey,
      transaction: encodeTransactionBase64(transactionFromMessage(message)),
      policy: policyOf(withdrawal.id, withdrawal, proof),
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

  async preview(userId: string, intent: WithdrawalIntent): Promise<HoldPreview> {
    const { walletId, sealedKey } = await loadPersonalWallet(this.#database, userId);
    const policy = policyOf('preview', intent, null);
    try {
      const { holdUntil, hold } = await this.#signer.previewWithdrawal({ userId, walletId, sealedKey, policy });
      return holdUntil === undefined ? null : { until: new Date(holdUntil), reason: hold ?? null };
    } catch (error) {
      throw signerRefusal(error);
    }
  }

  async factors(userId: string): Promise<('totp' | 'passkey')[]> {
    const { walletId, sealedKey } = await loadPersonalWallet(this.#database, userId);
    const { passkeys, totp } = await this.#signer.factors
      .list({ userId, walletId, sealedKey })
      .catch((error: unknown) => {
        throw signerRefusal(error);
      });
    return [...(passkeys.length > 0 ? (['passkey'] as const) : []), ...(totp ? (['totp'] as const) : [])];
  }

  async limits(userId: string): Promise<SignerLimits> {
    const { walletId } = await loadPersonalWallet(this.#database, userId);
    return this.#signer.ownLimits({ userId, walletId }).catch((error: unknown) => {
      throw signerRefusal(error);
    });
  }

  async setLimits(userId: string, wanted: OwnLimits, password: string | null): Promise<SignerLimits> {
    const { walletId, sealedKey } = await loadPersonalWallet(this.#database, userId);
    const request = { userId, walletId, sealedKey, ...wanted, ...(password === null ? {} : { password }) };
    return this.#signer.setOwnLimits(request).catch((error: unknown) => {
      throw signerRefusal(error);
    });
  }

  async #ask(request: SignRequest): Promise<SignOutcome> {
    const [outcome] = await this.#signer.sign([request]);
    if (!outcome) throw new Error('the signer answered nothing');
    return outcome;
  }
}

/** A token account of the destination is made only where its rent was set aside. */
export function instructionsOf(row: Withdrawal): Instruction[] {
  const from = address(row.fromAddress);
  const to = address(row.toAddress);
  const { tokenProgram, decimals, amount } = row;
  if (tokenProgram === null) return [transferSol({ from, to, lamports: amount })];
  const mint = address(row.asset);
  const source = associatedTokenAddress(from, mint, tokenProgram);
  const destination = associatedTokenAddress(to, mint, tokenProgram);
  const transfer = transferChecked({ source, mint, destination, owner: from, amount, decimals, tokenProgram });
  if (row.rentLamports === 0n) return [transfer];
  return [createAssociatedTokenAccountIdempotent({ payer: from, owner: to, mint, tokenProgram }), transfer];
}

function policyOf(
  withdrawalId: string,
  intent: WithdrawalIntent,
  proof: Proof | null,
): SigningPolicy & { kind: 'withdrawal' } {
  const { tokenProgram, amount } = intent;
  return {
    kind: 'withdrawal',
    withdrawalId,
    destination: address(intent.toAddress),
    ...(tokenProgram === null
      ? { lamports: amount }
      : { token: { mint: address(intent.asset), tokenProgram, amount } }),
    ...(proof === null ? {} : { password: proof.password }),
    ...(proof?.factor === undefined ? {} : { factor: proof.factor }),
  };
}

function readOutcome(outcome: SignOutcome): SignedWithdrawal {
  if (!('denied' in outcome)) {
    return { kind: 'signed', wire: Buffer.from(outcome.signedTransaction, 'base64'), signature: outcome.signature };
  }
  const { denied } = outcome;
  if (denied.code === 'HELD' && denied.until !== undefined) {
    return { kind: 'held', until: new Date(denied.until), reason: denied.hold ?? null };
  }
  return { kind: 'refused', refusal: denialRefusal(denied) };
}
