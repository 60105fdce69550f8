import { AppError } from '@hunter/contract/app-error';
import type { FactorClient, SecondFactor } from '@hunter/signer-client/factor-client';
import type { ShownKey, SignerClient } from '@hunter/signer-client/signer-client';
import { type SignerDenial, SignerError } from '@hunter/signer-client/signer-error';
import type { SealedWallet } from '../ledger/wallets.ts';
import type { ExportProof, ResetProof, WalletKeys } from './wallet-keys.ts';

const TRY_AGAIN_SECONDS = 60;

/** What a user is told when the signer does not do something. */
export function signerRefusal(error: unknown): AppError {
  if (!(error instanceof SignerError)) return new AppError('INTERNAL', undefined, { cause: error });
  if (error.denied) return denialRefusal(error.denied, error);
  if (error.code === 'UNREACHABLE' || error.code === 'TIMEOUT' || error.code === 'BUSY') {
    return new AppError('UNAVAILABLE', undefined, { cause: error });
  }
  return new AppError('INTERNAL', undefined, { cause: error });
}

/** What is not named here is between the server and the signer; a user can do nothing about it. */
export function denialRefusal(denial: SignerDenial, cause?: unknown): AppError {
  if (denial.code === 'KILL_SWITCH') return new AppError('SIGNING_STOPPED', undefined, { cause });
  if (denial.code === 'BAD_PASSWORD') return new AppError('WRONG_PASSWORD', undefined, { cause });
  if (isToldAsIs(denial.code)) {
    return new AppError(denial.code, undefined, { cause });
  }
  if (denial.code === 'VELOCITY') return new AppError('WITHDRAWAL_LIMIT', undefined, { cause });
  if (denial.code === 'EXPORT_AFTER_RESET') {
    return new AppError('KEY_EXPORT_AFTER_RESET', { until: printMinute(denial.until ?? 0) }, { cause });
  }
  if (denial.code === 'FROZEN') return new AppError('ACCOUNT_FROZEN', undefined, { cause });
  if (denial.code === 'EXPORT_DELAYED') {
    return new AppError('KEY_EXPORT_DELAYED', { until: printMinute(denial.until ?? 0) }, { cause });
  }
  if (denial.code === 'UNFREEZE_AFTER_RESET') {
    return new AppError('UNFREEZE_AFTER_RESET', { until: printMinute(denial.until ?? 0) }, { cause });
  }
  if (denial.code === 'NEW_ADDRESS_AFTER_RESET') {
    return new AppError('WITHDRAWAL_NEW_ADDRESS', { until: printMinute(denial.until ?? 0) }, { cause });
  }
  if (denial.code === 'TOO_MANY_TRIES') {
    return new AppError('RATE_LIMITED', { retryAfterSeconds: TRY_AGAIN_SECONDS }, { cause });
  }
  return new AppError('SIGNING_DENIED', undefined, { cause });
}

/** Refusals that the catalogue has under the same name. */
const TOLD_AS_IS = ['SECOND_FACTOR_REQUIRED', 'SECOND_FACTOR_WRONG', 'FACTOR_LIMIT'] as const;

function isToldAsIs(code: SignerDenial['code']): code is (typeof TOLD_AS_IS)[number] {
  return TOLD_AS_IS.some((name) => name === code);
}

/** Rounded up: what it names is never too early. */
export function printMinute(timeMs: number): string {
  const minute = new Date(Math.ceil(timeMs / 60_000) * 60_000).toISOString();
  return `${minute.slice(0, 10)} ${minute.slice(11, 16)} UTC`;
}

function isDenied(error: unknown, code: SignerDenial['code']): boolean {
  return error instanceof SignerError && error.denied?.code === code;
}

export class SignerWalletKeys implements WalletKeys {
  readonly #signer: SignerClient;

  constructor(signer: SignerClient) {
    this.#signer = signer;
  }

  async createWallet(input: { userId: string; walletId: string; password: string; sealTo?: string }) {
    try {
      return await this.#signer.createWallet(input);
    } catch (error) {
      throw signerRefusal(error);
    }
  }

  /**
   * The signer turns to the new revision before we store it. Where a crash came between the two, our sealed key is
   * outdated and the signer hands out the newest; when that one already has the new password, the change is done.
   */
  async changePassword(
    { userId, walletId, sealedKey }: SealedWallet,
    { oldPassword, newPassword }: { oldPassword: string; newPassword: string },
  ): Promise<{ sealedKey: string } | null> {
    const owner = { userId, walletId };
    try {
      return await this.#signer.changePassword({ ...owner, sealedKey, oldPassword, newPassword });
    } catch (error) {
      const isOutdated = isDenied(error, 'ENVELOPE_OUTDATED');
      if (!isOutdated && !isDenied(error, 'BAD_PASSWORD')) throw signerRefusal(error);
      if (!isOutdated) return this.#alreadyChanged({ ...owner, sealedKey }, newPassword);
    }
    const latest = await this.#latest(owner);
    try {
      if (await this.#signer.verifyPassword({ ...owner, sealedKey: latest, password: newPassword })) {
        return { sealedKey: latest };
      }
      return await this.#signer.changePassword({ ...owner, sealedKey: latest, oldPassword, newPassword });
    } catch (error) {
      if (isDenied(error, 'BAD_PASSWORD')) return null;
      throw signerRefusal(error);
    }
  }

  /** A withdrawal or a key rotation may have stored the newest sealed key after such a crash. */
  async #alreadyChanged(
    wallet: Omit<SealedWallet, 'address'>,
    newPassword: string,
  ): Promise<{ sealedKey: string } | null> {
    try {
      const isDone = await this.#signer.verifyPassword({ ...wallet, password: newPassword });
      return isDone ? { sealedKey: wallet.sealedKey } : null;
    } catch (error) {
      throw signerRefusal(error);
    }
  }

  async sealedSince({ userId, walletId, sealedKey }: SealedWallet): Promise<{ sealedKey: string } | null> {
    const owner = { userId, walletId };
    try {
      // Any question with this sealed key would do: an outdated one is refused before anything else.
      await this.#signer.factors.list({ ...owner, sealedKey });
    } catch (error) {
      if (isDenied(error, 'ENVELOPE_OUTDATED')) return { sealedKey: await this.#latest(owner) };
      if (!(error instanceof SignerError) || !error.denied) throw signerRefusal(error);
    }
    return null;
  }

  async resetPassword(wallet: SealedWallet, newPassword: string): Promise<{ sealedKey: string }> {
    return this.#withNewest(wallet, (current) => this.#signer.resetPassword({ ...current, newPassword }));
  }

  async undoReset(wallet: SealedWallet, proof: ResetProof): Promise<{ sealedKey: string } | null> {
    try {
      return await this.#withNewest(wallet, (current) =>
        this.#signer.safety.undoReset({ ...current, ...proof }).catch(async (error: unknown) => {
          // After a crash between the signer and the database it is done already.
          if (!isDenied(error, 'NOTHING_TO_UNDO') || !('password' in proof)) throw error;
          const isDone = await this.#signer.verifyPassword({ ...current, password: proof.password });
          if (!isDone) throw error;
          return { sealedKey: current.sealedKey };
        }),
      );
    } catch (error) {
      const isWrong = error instanceof AppError && ['WRONG_PASSWORD', 'SECOND_FACTOR_WRONG'].includes(error.errorName);
      if (isWrong || (error instanceof AppError && isDenied(error.cause, 'NOTHING_TO_UNDO'))) return null;
      throw error;
    }
  }

  freeze(wallet: SealedWallet): Promise<void> {
    return this.#withNewest(wallet, (current) => this.#signer.safety.freeze(current));
  }

  unfreeze(wallet: SealedWallet, proof: { password: string; proofId: string; factor?: SecondFactor }): Promise<void> {
    return this.#withNewest(wallet, (current) => this.#signer.safety.unfreeze({ ...current, ...proof }));
  }

  cancelExport(wallet: SealedWallet): Promise<void> {
    return this.#withNewest(wallet, (current) => this.#signer.safety.cancelExport(current));
  }

  async exportKey(wallet: SealedWallet, proof: ExportProof): Promise<{ privateKey: ShownKey } | null> {
    try {
      return await this.#withNewest(wallet, (current) => this.#signer.exportKey({ ...current, ...proof }));
    } catch (error) {
      if (error instanceof AppError && error.errorName === 'WRONG_PASSWORD') return null;
      throw error;
    }
  }

  factors<Result>(
    wallet: SealedWallet,
    ask: (factors: FactorClient, current: { userId: string; walletId: string; sealedKey: string }) => Promise<Result>,
  ): Promise<Result> {
    return this.#withNewest(wallet, (current) => ask(this.#signer.factors, current));
  }

  async #withNewest<T>(
    { userId, walletId, sealedKey }: SealedWallet,
    ask: (current: { userId: string; walletId: string; sealedKey: string }) => Promise<T>,
  ): Promise<T> {
    const owner = { userId, walletId };
    try {
      return await ask({ ...owner, sealedKey });
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (!isDenied(error, 'ENVELOPE_OUTDATED')) throw signerRefusal(error);
    }
    try {
      return await ask({ ...owner, sealedKey: await this.#latest(owner) });
    } catch (error) {
      throw error instanceof AppError ? error : signerRefusal(error);
    }
  }

  async #latest(owner: { userId: string; walletId: string }): Promise<string> {
    const { sealedKey } = await this.#signer.latestSealedKey(owner).catch((error: unknown) => {
      throw signerRefusal(error);
    });
    if (sealedKey === null) throw new AppError('SIGNING_DENIED');
    return sealedKey;
  }
}
