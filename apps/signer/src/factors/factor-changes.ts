import { randomUUID } from 'node:crypto';
import type { Alarm } from '../alarm.ts';
import { Denied, deny } from '../denial.ts';
import type { FactorCheck } from './factor-check.ts';
import {
  type FactorRecord,
  type FactorRegister,
  hasFactor,
  NO_FACTORS,
  type WalletFactors,
} from './factor-register.ts';
import { type Intent, intentChallenge } from './intent.ts';
import { readNewPasskey, type RelyingParty } from './passkey.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import type { Owner } from '../keys/sealed-key.ts';
import { type SealedReply, sealReply } from '../keys/sealed-reply.ts';
import type { SecondFactor } from './second-factor.ts';
import type { TotpSecrets } from './totp-secrets.ts';

/** Whose factors, and what proves that the owner asks: always the password, and a factor where one is enrolled. */
export type FactorChange = { owner: Owner; sealedKey: string; password: string; factor: SecondFactor | null };
/** At most `places` recoveries come to their end within one delay. */
export type RecoveryLimits = { delayMs: number; places: number };
/** Without a key of the browser the codes travel plain. */
export type RecoveryCodesReply = { recoveryCodes: string[] | SealedReply | null };

const PASSKEYS_MAX = 10;
const PENDING_MS = 10 * 60_000;
const PENDING_MAX = 10_000;
/** How long a recovery can be finished once its delay is over. */
const FINISH_MS = 14 * 24 * 60 * 60_000;

type PendingTotp = { address: string; id: string; keyId: string; sealed: string; at: number };

/** Enrolling, removing and recovering: the signer's own durable state, changed by nobody but the owner. */
export class FactorChanges {
  readonly #register: FactorRegister;
  readonly #record: (records: FactorRecord[]) => Promise<void>;
  readonly #check: FactorCheck;
  readonly #secrets: TotpSecrets;
  readonly #party: RelyingParty;
  readonly #recovery: RecoveryLimits;
  readonly #alarm: Alarm;
  readonly #now: () => number;
  readonly #addressOf: (owner: Owner, sealedKey: string, password: string | null) => Promise<string>;
  readonly #exportReadyAt: (walletId: string) => number | null;
  /** A secret that nobody has confirmed is not worth a line in the log. */
  readonly #pending = new Map<string, PendingTotp>();

  constructor(deps: {
    register: FactorRegister;
    record: (records: FactorRecord[]) => Promise<void>;
    check: FactorCheck;
    secrets: TotpSecrets;
    party: RelyingParty;
    recovery: RecoveryLimits;
    alarm: Alarm;
    now: () => number;
    /** Of a personal wallet; with a password it is checked first. */
    addressOf: (owner: Owner, sealedKey: string, password: string | null) => Promise<string>;
    /** Of a key export that waits. */
    exportReadyAt: (walletId: string) => number | null;
  }) {
    this.#register = deps.register;
    this.#record = deps.record;
    this.#check = deps.check;
    this.#secrets = deps.secrets;
    this.#party = deps.party;
    this.#recovery = deps.recovery;
    this.#alarm = deps.alarm;
    this.#now = deps.now;
    this.#addressOf = deps.addressOf;
    this.#exportReadyAt = deps.exportReadyAt;
  }

  async list(owner: Owner, sealedKey: string) {
    const { passkeys, totp, recoveryCodes, loginRequired, recovery } = this.#register.of(
      await this.#addressOf(owner, sealedKey, null),
    );
    const shown = (factor: { id: string; name: string; createdAt: number; lastUsedAt: number | null }) => ({
      id: factor.id,
      name: factor.name,
      createdAt: factor.createdAt,
      lastUsedAt: factor.lastUsedAt,
    });
    return {
      rpId: this.#party.rpId,
      passkeys: passkeys.map(shown),
      totp: totp === null ? null : shown(totp),
      recoveryCodesLeft: recoveryCodes.length,
      loginRequired,
      recovery,
      recoveryDelayMs: this.#recovery.delayMs,
      exportReadyAt: this.#exportReadyAt(owner.walletId),
    };
  }

  /** For the server's own login; what it does without asking, the signer cannot know. */
  async checkLogin(owner: Owner, sealedKey: string, id: string, factor: SecondFactor | null): Promise<void> {
    const address = await this.#addressOf(owner, sealedKey, null);
    await this.#check.require(address, ownIntent('login', address, id), factor);
  }

  /** For the server's own API keys: a passkey agrees to this key and to what it may do. */
  async checkApiKey(
    owner: Owner,
    sealedKey: string,
    apiKey: { id: string; scope: 'read' | 'trade' },
    factor: SecondFactor | null,
  ): Promise<void> {
    const address = await this.#addressOf(owner, sealedKey, null);
    await this.#check.require(address, { ...ownIntent('api-key', address, apiKey.id), asset: apiKey.scope }, factor);
  }

  async startTotp(change: FactorChange, sealTo: string | null): Promise<{ id: string; secret: string | SealedReply }> {
    const id = randomUUID();
    // A passkey has nothing to sign for yet: it signs the confirmation.
    const address = await this.#addressOf(change.owner, change.sealedKey, change.password);
    if (this.#register.of(address).totp !== null) deny('FACTOR_LIMIT', 'there is an authenticator app already');
    const { text, ...sealed } = this.#secrets.create(address);
    const now = this.#now();
    for (const [key, { at }] of this.#pending) if (at < now - PENDING_MS) this.#pending.delete(key);
    if (this.#pending.size >= PENDING_MAX) this.#pending.clear();
    this.#pending.set(address, { address, id, ...sealed, at: now });
    return { id, secret: sealTo === null ? text : sealReply(sealTo, 'totp-secret', address, text) };
  }

  /** The code shows that the app has the secret; an enrolled factor agrees to this very secret by its id. */
  async confirmTotp(
    change: FactorChange,
    totp: { id: string; code: string; name: string },
    sealTo: string | null,
  ): Promise<RecoveryCodesReply> {
    const address = await this.#addressOf(change.owner, change.sealedKey, change.password);
    const pending = this.#pending.get(address);
    const now = this.#now();
    if (pending === undefined || pending.id !== totp.id || pending.at < now - PENDING_MS) {
      deny('SECOND_FACTOR_WRONG', 'this enrolment was not started, or too long ago');
    }
    const { keyId, sealed } = pending;
    const lastStep = this.#secrets.accept(address, { keyId, sealed, lastStep: 0 }, totp.code, now);
    if (lastStep === null) deny('SECOND_FACTOR_WRONG', 'the code is not of this secret');
    await this.#check.require(address, ownIntent('enrol', address, totp.id), change.factor);
    if (this.#register.of(address).totp !== null) deny('FACTOR_LIMIT', 'there is an authenticator app already');
    this.#pending.delete(address);
    const enrolled = { id: totp.id, name: totp.name, keyId, sealed, lastStep, createdAt: now, lastUsedAt: null };
    return this.#enrol(address, sealTo, (factors) => ({ ...factors, totp: enrolled }));
  }

  async enrolPasskey(
    change: FactorChange,
    created: { id: string; name: string; clientDataJson: string; authenticatorData: string },
    sealTo: string | null,
  ): Promise<RecoveryCodesReply> {
    const address = await this.#addressOf(change.owner, change.sealedKey, change.password);
    const challenge = intentChallenge(ownIntent('register-passkey', address, created.id));
    const passkey = readNewPasskey(created, challenge, this.#party);
    if (passkey === null) deny('SECOND_FACTOR_WRONG', 'the passkey was not made for this wallet here');
    await this.#check.require(address, ownIntent('enrol', address, passkey.credentialId), change.factor);
    if (this.#register.hasCredential(passkey.credentialId)) deny('FACTOR_LIMIT', 'this passkey is enrolled already');
    if (this.#register.of(address).passkeys.length >= PASSKEYS_MAX) deny('FACTOR_LIMIT', 'too many passkeys');
    const { credentialId: id, ...key } = passkey;
    const enrolled = { id, name: created.name, ...key, createdAt: this.#now(), lastUsedAt: null };
    return this.#enrol(address, sealTo, (factors) => ({ ...factors, passkeys: [...factors.passkeys, enrolled] }));
  }

  async remove(change: FactorChange, id: string): Promise<void> {
    const address = await this.#authorise(change, (own) => ownIntent('remove', own, id));
    await this.#change(address, (factors) => {
      const left: WalletFactors = {
        ...factors,
        passkeys: factors.passkeys.filter((passkey) => passkey.id !== id),
        totp: factors.totp?.id === id ? null : factors.totp,
      };
      return hasFactor(left) ? left : { ...NO_FACTORS, resetAt: factors.resetAt };
    });
  }

  async renewCodes(change: FactorChange, id: string, sealTo: string | null): Promise<RecoveryCodesReply> {
    const address = await this.#authorise(change, (own) => ownIntent('codes', own, id));
    return this.#withNewCodes(address, sealTo, (factors) => factors);
  }

  async setLoginRule(change: FactorChange, id: string, on: boolean): Promise<void> {
    const rule = on ? 'on' : 'off';
    const address = await this.#authorise(change, (own) => ({ ...ownIntent('login-rule', own, id), asset: rule }));
    await this.#change(address, (factors) => ({ ...factors, loginRequired: on }));
  }

  /**
   * For an owner who has lost every factor: password and time. A hostile server can start it as well, so it is slow, rare
   * and an alarm, and any use of a factor ends it.
   */
  async startRecovery(owner: Owner, sealedKey: string, password: string): Promise<{ readyAt: number }> {
    const address = await this.#addressOf(owner, sealedKey, password);
    const factors = this.#register.of(address);
    if (!hasFactor(factors)) deny('POLICY_INVALID', 'there is no second factor');
    const now = this.#now();
    if (factors.recovery !== null && now < factors.recovery.readyAt + FINISH_MS) {
      return { readyAt: factors.recovery.readyAt };
    }
    const readyAt = this.#nextReadyAt(now);
    this.#alarm({ msg: `recovery of second factors started; they go at ${new Date(readyAt).toISOString()}`, address });
    await this.#change(address, (before) => ({ ...before, recovery: { startedAt: now, readyAt } }));
    return { readyAt };
  }

  /** Without a proof: stopping it can only keep things as they are. */
  async cancelRecovery(owner: Owner, sealedKey: string): Promise<void> {
    const address = await this.#addressOf(owner, sealedKey, null);
    if (this.#register.of(address).recovery === null) return;
    await this.#change(address, (factors) => ({ ...factors, recovery: null }));
  }

  async finishRecovery(owner: Owner, sealedKey: string, password: string): Promise<void> {
    const address = await this.#addressOf(owner, sealedKey, password);
    const { recovery } = this.#register.of(address);
    const now = this.#now();
    if (recovery === null || now >= recovery.readyAt + FINISH_MS) deny('POLICY_INVALID', 'no recovery is under way');
    if (now < recovery.readyAt) {
      throw new Denied({ code: 'HELD', reason: 'the recovery waits', until: recovery.readyAt });
    }
    this.#alarm({ msg: 'second factors removed by recovery', address });
    await this.#change(address, () => ({ ...NO_FACTORS, resetAt: now }));
  }

  underWay(): { address: string; startedAt: number; readyAt: number }[] {
    const lapsed = this.#now() - FINISH_MS;
    return Array.from(this.#register.all()).flatMap(([address, { recovery }]) =>
      recovery === null || recovery.readyAt <= lapsed ? [] : [{ address, ...recovery }],
    );
  }

  /** Further ones wait for their turn: were they refused, somebody with that many accounts could keep all others from recovering. */
  #nextReadyAt(now: number): number {
    const { delayMs, places } = this.#recovery;
    const taken = this.underWay().map(({ readyAt }) => readyAt);
    taken.sort((left, right) => right - left);
    return Math.max(now, taken[Math.max(places, 1) - 1] ?? now) + delayMs;
  }

  /** After a rotation of the key file. */
  async rewrapSecrets(): Promise<void> {
    const records = Array.from(this.#register.all()).flatMap(([a, factors]): FactorRecord[] =>
      factors.totp === null ? [] : [{ t: 'fac', a, f: { ...factors, totp: this.#secrets.rewrap(a, factors.totp) } }],
    );
    await this.#record(records);
  }

  async #authorise(change: FactorChange, intentOf: (address: string) => Intent): Promise<string> {
    const address = await this.#addressOf(change.owner, change.sealedKey, change.password);
    if (!this.#check.isEnrolled(address)) deny('POLICY_INVALID', 'there is no second factor');
    await this.#check.require(address, intentOf(address), change.factor);
    return address;
  }

  /** Recovery codes come with the first factor; with a further one those there are stay. */
  #enrol(
    address: string,
    sealTo: string | null,
    add: (factors: WalletFactors) => WalletFactors,
  ): Promise<RecoveryCodesReply> {
    if (!hasFactor(this.#register.of(address))) return this.#withNewCodes(address, sealTo, add);
    return this.#change(address, add).then(() => ({ recoveryCodes: null }));
  }

  async #withNewCodes(
    address: string,
    sealTo: string | null,
    change: (factors: WalletFactors) => WalletFactors,
  ): Promise<RecoveryCodesReply> {
    const { codes, hashes } = newRecoveryCodes();
    // Before the change: a key that nobody can seal to must not cost the owner his codes.
    const reply = sealTo === null ? codes : sealReply(sealTo, 'recovery-codes', address, codes.join('\n'));
    await this.#change(address, (factors) => ({ ...change(factors), recoveryCodes: hashes }));
    return { recoveryCodes: reply };
  }

  #change(address: string, change: (factors: WalletFactors) => WalletFactors): Promise<void> {
    return this.#record([{ t: 'fac', a: address, f: change(this.#register.of(address)) }]);
  }
}

/** About the wallet itself: nothing leaves it. */
export function ownIntent(kind: Intent['kind'], address: string, id: string): Intent {
  return { kind, asset: '-', destination: address, amount: '0', id };
}
