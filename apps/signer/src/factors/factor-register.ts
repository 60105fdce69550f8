import type { PasskeyKey } from './passkey.ts';

export type Passkey = PasskeyKey & { id: string; name: string; createdAt: number; lastUsedAt: number | null };
export type TotpFactor = {
  id: string;
  name: string;
  /** The secret under the key provider; it opens for this wallet alone. */
  keyId: string;
  sealed: string;
  /** Steps up to this one have been used. */
  lastStep: number;
  createdAt: number;
  lastUsedAt: number | null;
};

/** Everything about the second factors of one wallet; a change replaces it as a whole. */
export type WalletFactors = {
  passkeys: readonly Passkey[];
  totp: TotpFactor | null;
  /** Hashes of those not used yet. */
  recoveryCodes: readonly string[];
  /** The server asks for a factor at login as well. */
  loginRequired: boolean;
  /** All factors go once `readyAt` has passed, unless it is canceled or a factor is used before. */
  recovery: { startedAt: number; readyAt: number } | null;
  /** The last time factors went without one of them. */
  resetAt: number | null;
  /** Times of wrong codes of an authenticator app. Those of passkeys do not count; earlier versions read them. */
  wrong: { codes: readonly number[]; passkeys: readonly number[] };
};

export type FactorRecord =
  | { t: 'fac'; a: string; f: WalletFactors }
  /** A challenge that was signed and used, of the wallet with this address. Kept for ever: it may never be used again. */
  | { t: 'chl'; a: string; c: string };

export const NO_FACTORS: WalletFactors = {
  passkeys: [],
  totp: null,
  recoveryCodes: [],
  loginRequired: false,
  recovery: null,
  resetAt: null,
  wrong: { codes: [], passkeys: [] },
};

/** By the wallet's address: a sealed key proves it, whereas ids are the server's to choose. */
export class FactorRegister {
  readonly #factors = new Map<string, WalletFactors>();
  readonly #used = new Map<string, Set<string>>();

  of(address: string): WalletFactors {
    return this.#factors.get(address) ?? NO_FACTORS;
  }

  isEnrolled(address: string): boolean {
    return hasFactor(this.of(address));
  }

  isUsed(address: string, challenge: string): boolean {
    return this.#used.get(address)?.has(challenge) ?? false;
  }

  /** A credential of two wallets would sign for both with one touch. */
  hasCredential(id: string): boolean {
    return this.#factors.values().some(({ passkeys }) => passkeys.some((passkey) => passkey.id === id));
  }

  all(): Iterable<[address: string, factors: WalletFactors]> {
    return this.#factors;
  }

  apply(record: FactorRecord): void {
    if (record.t === 'fac') {
      this.#factors.set(record.a, record.f);
      return;
    }
    const used = this.#used.get(record.a);
    if (used === undefined) this.#used.set(record.a, new Set([record.c]));
    else used.add(record.c);
  }

  *records(): Iterable<FactorRecord> {
    for (const [a, f] of this.#factors) yield { t: 'fac', a, f };
    for (const [a, used] of this.#used) for (const c of used) yield { t: 'chl', a, c };
  }
}

export function hasFactor({ passkeys, totp }: WalletFactors): boolean {
  return passkeys.length > 0 || totp !== null;
}
