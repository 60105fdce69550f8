import type { Alarm } from '../alarm.ts';
import { deny } from '../denial.ts';
import type { FactorRecord, FactorRegister, WalletFactors } from './factor-register.ts';
import { type Intent, intentChallenge } from './intent.ts';
import { acceptAssertion, type RelyingParty } from './passkey.ts';
import { recoveryHash } from './recovery-codes.ts';
import type { SecondFactor } from './second-factor.ts';
import type { TotpSecrets } from './totp-secrets.ts';

const SHORT_MS = 15 * 60_000;
const LONG_MS = 24 * 60 * 60_000;
/**
 * A code of six digits has three right answers at a time: twenty tries a day leave a guesser 6 in 100,000. Nobody guesses a signature or the
 * sixty bits of a recovery code; were those counted, whoever has password or mailbox could keep the owner from his factors for days.
 */
const WRONG_MAX = { short: 5, long: 20 };

/** Decides by the signer's own register whether a factor is right; what the server says about it does not matter. */
export class FactorCheck {
  readonly #register: FactorRegister;
  readonly #record: (records: FactorRecord[]) => Promise<void>;
  readonly #secrets: TotpSecrets;
  readonly #party: RelyingParty;
  readonly #alarm: Alarm;
  readonly #now: () => number;

  constructor(deps: {
    register: FactorRegister;
    /** Takes effect at once and resolves when it is durable. */
    record: (records: FactorRecord[]) => Promise<void>;
    secrets: TotpSecrets;
    party: RelyingParty;
    alarm: Alarm;
    now: () => number;
  }) {
    this.#register = deps.register;
    this.#record = deps.record;
    this.#secrets = deps.secrets;
    this.#party = deps.party;
    this.#alarm = deps.alarm;
    this.#now = deps.now;
  }

  isEnrolled(address: string): boolean {
    return this.#register.isEnrolled(address);
  }

  resetAt(address: string): number | null {
    return this.#register.of(address).resetAt;
  }

  /**
   * Denies unless the factor is right for this very intent; false where none is enrolled. Up to the record there is no await, so
   * of two requests with one code the second finds it used; the answer waits until that is durable.
   */
  async require(address: string, intent: Intent, factor: SecondFactor | null): Promise<boolean> {
    const factors = this.#register.of(address);
    if (!this.#register.isEnrolled(address)) return false;
    if (factor === null) deny('SECOND_FACTOR_REQUIRED', 'this wallet has a second factor');
    const now = this.#now();
    const isGuessable = factor.kind === 'totp';
    const wrong = isGuessable ? factors.wrong.codes.filter((at) => at > now - LONG_MS) : [];
    if (wrong.length >= WRONG_MAX.long || wrong.filter((at) => at > now - SHORT_MS).length >= WRONG_MAX.short) {
      deny('TOO_MANY_TRIES', 'too many wrong second factors; wait');
    }
    const accepted = this.#accept(address, factors, intent, factor);
    if (accepted === null) {
      const f = { ...factors, wrong: { ...factors.wrong, codes: [...wrong, now] } };
      if (isGuessable) await this.#record([{ t: 'fac', a: address, f }]);
      deny('SECOND_FACTOR_WRONG', 'the second factor is wrong or was used before');
    }
    if (factors.recovery !== null) {
      this.#alarm({ msg: 'recovery of second factors canceled: a factor was used meanwhile', address });
    }
    const codes = factor.kind === 'passkey' ? factors.wrong.codes : [];
    const f = { ...accepted.factors, recovery: null, wrong: { ...factors.wrong, codes } };
    const records: FactorRecord[] = [{ t: 'fac', a: address, f }];
    if (accepted.challenge !== null) records.push({ t: 'chl', a: address, c: accepted.challenge });
    await this.#record(records);
    return true;
  }

  #accept(
    address: string,
    factors: WalletFactors,
    intent: Intent,
    factor: SecondFactor,
  ): { factors: WalletFactors; challenge: string | null } | null {
    const lastUsedAt = this.#now();
    if (factor.kind === 'recovery') {
      const hash = recoveryHash(factor.code);
      if (!factors.recoveryCodes.includes(hash)) return null;
      const recoveryCodes = factors.recoveryCodes.filter((known) => known !== hash);
      return { factors: { ...factors, recoveryCodes }, challenge: null };
    }
    if (factor.kind === 'totp') {
      if (factors.totp === null) return null;
      const lastStep = this.#secrets.accept(address, factors.totp, factor.code, lastUsedAt);
      if (lastStep === null) return null;
      return { factors: { ...factors, totp: { ...factors.totp, lastStep, lastUsedAt } }, challenge: null };
    }
    const passkey = factors.passkeys.find(({ id }) => id === factor.credentialId);
    const bytes = intentChallenge(intent);
    const challenge = bytes.toString('base64url');
    if (passkey === undefined || this.#register.isUsed(address, challenge)) return null;
    const accepted = acceptAssertion(passkey, factor, bytes, this.#party);
    if (accepted === null) return null;
    const used = { ...passkey, ...accepted, lastUsedAt };
    const passkeys = factors.passkeys.map((known) => (known.id === passkey.id ? used : known));
    return { factors: { ...factors, passkeys }, challenge };
  }
}
