import { hash, randomBytes } from 'node:crypto';
import type { Alarm } from './alarm.ts';
import { accountKeyFromBase58, keyBytes } from './account-key.ts';
import { toBase58 } from './base58.ts';
import { type Denial, Denied, deny } from './denial.ts';
import type { SealedKey, SealedKeyVault, Owner, WalletMetadata } from './keys/sealed-key.ts';
import { type AnomalyLimits, Anomalies } from './limits/anomalies.ts';
import { CeilingWatch } from './limits/ceiling-watch.ts';
import { FeeVelocity } from './limits/fee-velocity.ts';
import { countWithinDay, tooManyOthers } from './limits/export-rules.ts';
import { FactorChanges, ownIntent, type RecoveryLimits } from './factors/factor-changes.ts';
import { FactorCheck } from './factors/factor-check.ts';
import type { FactorRecord } from './factors/factor-register.ts';
import { KeyExports, type ExportLimits, type ExportProof } from './requests/key-exports.ts';
import type { KeyFile } from './keys/key-file.ts';
import { OldKeyUse } from './keys/old-key-use.ts';
import type { RelyingParty } from './factors/passkey.ts';
import type { PasswordCheck } from './factors/password.ts';
import { type SealedReply, sealReply } from './keys/sealed-reply.ts';
import type { SecondFactor } from './factors/second-factor.ts';
import { Secret } from './keys/secret.ts';
import type { Settings } from './limits/settings.ts';
import type { SignerState } from './memory/signer-state.ts';
import type { SigningPool } from './keys/signing-pool.ts';
import type { PoolCertificates } from './transactions/pool-certificates.ts';
import { readSigningPolicy, type SigningPolicy } from './transactions/signing-policy.ts';
import { STOP_KIND_OF } from './limits/stop-switch.ts';
import { Stops } from './requests/stops.ts';
import type { StrategyRules } from './requests/strategy-rules.ts';
import type { SwapVelocity } from './limits/swap-velocity.ts';
import { checkCommit, checkReturn, checkTokenWithdrawal } from './transactions/transfer-check.ts';
import { checkTransaction, type Movement } from './transactions/transaction-check.ts';
import type { WalletEntry, WalletKind } from './keys/wallet-register.ts';
import { readWireTransaction } from './transactions/wire-transaction.ts';
import type { TotpSecrets } from './factors/totp-secrets.ts';
import { RESET_PAUSE_MS, type WithdrawalLimits } from './limits/withdrawal-rules.ts';
import { Withdrawals } from './requests/withdrawals.ts';

export type SignRequest = Owner & { sealedKey: string; transaction: string; policy: unknown };
export type SignOutcome = { signedTransaction: string; signature: string } | { denied: Denial };

/** Plain base58 where the caller sent no key of the owner's browser. */
export type ShownKey = string | SealedReply;

const NOTHING_ELSE = { exportId: null, factor: null, sealTo: null, worthLamports: null };

// Between slices of a batch other requests get their turn, the kill switch first of all.
const SLICE = 32;

/**
 * Opens, checks, signs. No seed is kept: a sealed key is opened for one signature and wiped, so a burst of a
 * thousand wallets costs a thousand openings and leaves nothing behind.
 */
export class Signer {
  readonly #vault: SealedKeyVault;
  readonly #pool: SigningPool;
  readonly #keys: KeyFile;
  readonly #state: SignerState;
  readonly #passwords: PasswordCheck;
  readonly #resetsPerDay: number;
  readonly #anomalies: Anomalies;
  readonly #certificates: PoolCertificates;
  readonly #swaps: SwapVelocity;
  readonly #fees: FeeVelocity;
  readonly #resetWatch: CeilingWatch;
  readonly #oldKeyUse = new OldKeyUse();
  readonly #strategies: StrategyRules;
  readonly #factors: FactorCheck;
  readonly withdrawals: Withdrawals;
  readonly exports: KeyExports;
  readonly stops: Stops;
  readonly factorChanges: FactorChanges;
  readonly #alarm: Alarm;
  readonly #now: () => number;

  constructor(deps: {
    vault: SealedKeyVault;
    pool: SigningPool;
    keys: KeyFile;
    state: SignerState;
    passwords: PasswordCheck;
    limits: WithdrawalLimits;
    exportLimits: Omit<ExportLimits, 'largeLamports'>;
    /** Wallets whose password may be reset in 24 hours before their withdrawals and exports stop. */
    resetsPerDay: number;
    anomalyLimits: AnomalyLimits;
    settings: Settings;
    certificates: PoolCertificates;
    swaps: SwapVelocity;
    strategies: StrategyRules;
    secrets: TotpSecrets;
    party: RelyingParty;
    recovery: RecoveryLimits;
    alarm: Alarm;
    now: () => number;
  }) {
    this.#vault = deps.vault;
    this.#pool = deps.pool;
    this.#keys = deps.keys;
    this.#state = deps.state;
    this.#passwords = deps.passwords;
    this.#resetsPerDay = deps.resetsPerDay;
    this.#anomalies = new Anomalies(deps.anomalyLimits);
    this.#certificates = deps.certificates;
    this.#swaps = deps.swaps;
    this.#strategies = deps.strategies;
    this.#alarm = deps.alarm;
    this.#fees = new FeeVelocity(deps.alarm);
    this.#resetWatch = new CeilingWatch(
      'the resets of passwords of 24 hours are done',
      BigInt(deps.resetsPerDay),
      deps.alarm,
    );
    this.#now = deps.now;
    const { state, secrets, party, recovery, alarm, now } = deps;
    const record = (records: FactorRecord[]): Promise<void> => state.recordFactors(records);
    this.#factors = new FactorCheck({ register: state.factors, record, secrets, party, alarm, now });
    this.stops = new Stops({ state, settings: deps.settings, alarm });
    const shared = { state, factors: this.#factors, wallets: this, now };
    this.withdrawals = new Withdrawals({ ...shared, alarm, limits: deps.limits });
    const exportLimits = { ...deps.exportLimits, largeLamports: deps.limits.largeLamports };
    this.exports = new KeyExports({ ...shared, alarm, swaps: deps.swaps, limits: exportLimits });
    this.factorChanges = new FactorChanges({
      register: state.factors,
      record,
      check: this.#factors,
      secrets,
      party,
      recovery,
      alarm,
      now,
      addressOf: (owner, sealedKey, password) => this.addressOf(owner, sealedKey, password),
      exportReadyAt: (walletId) => state.owners.askedExport(walletId)?.readyAt ?? null,
    });
  }

  async createWallet(
    owner: Owner,
    password: string,
    sealTo: string | null = null,
  ): Promise<{ address: string; sealedKey: string; privateKey: ShownKey }> {
    const passwordHash = await this.#passwords.hash(password);
    const created = await this.#create(owner, 'personal', passwordHash);
    return { ...created, privateKey: this.#show(owner, this.#vault.read(created.sealedKey), sealTo) };
  }

  createStrategyWallet(owner: Owner): Promise<{ address: string; sealedKey: string }> {
    return this.#create(owner, 'strategy', '');
  }

  async #create(owner: Owner, kind: WalletKind, passwordHash: string): Promise<{ address: string; sealedKey: string }> {
    // A second wallet under the id of somebody's would lift his freeze and limits with a password of its own.
    if (this.#state.register.hasId(owner.walletId)) deny('WALLET_EXISTS', 'there is a wallet with this id');
    const metadata = { kind, passwordHash, createdAt: this.#now(), passwordChangedAt: null, passwordResetAt: null };
    const created = this.#vault.create(owner, new Secret(randomBytes(32)), metadata);
    await this.#state.registerWallet({ ...owner, address: created.address, kind });
    return created;
  }

  /** What the server says; how far it is believed is a matter of `return-rules.ts`. */
  commitsFinal(signatures: readonly string[]): Promise<void> {
    return this.#strategies.commitsFinal(signatures);
  }

  async sign(requests: readonly SignRequest[]): Promise<SignOutcome[]> {
    const outcomes: Promise<SignOutcome>[] = [];
    for (const [index, request] of requests.entries()) {
      if (index % SLICE === SLICE - 1) await new Promise((resolve) => setImmediate(resolve));
      const outcome = this.#signOne(request).catch((error: unknown) => this.#refused(request, error));
      // One that fails while later ones are still being begun would end the process; who asked hears of it below.
      outcome.catch(() => {});
      outcomes.push(outcome);
    }
    return Promise.all(outcomes);
  }

  async #refused(request: SignRequest, error: unknown): Promise<{ denied: Denial }> {
    const outcome = asDenied(error);
    const kind = (request.policy as { kind?: unknown } | null)?.kind;
    const stopKind =
      typeof kind === 'string' && kind in STOP_KIND_OF ? STOP_KIND_OF[kind as SigningPolicy['kind']] : null;
    if (stopKind !== null && this.#anomalies.refused(stopKind, request.walletId, outcome.denied.code, this.#now())) {
      await this.stops.trip(stopKind, 'too many forged requests within an hour');
    }
    return outcome;
  }

  async verifyPassword(owner: Owner, sealedText: string, password: string): Promise<void> {
    await this.addressOf(owner, sealedText, password);
  }

  /** Of a personal wallet whose sealed key opens for this owner; a password is checked where one is given. */
  async addressOf(owner: Owner, sealedText: string, password: string | null): Promise<string> {
    const sealedKey = this.#current(owner, sealedText);
    await this.#requirePersonal(owner, sealedKey);
    const { passwordHash } = this.#vault.openMetadata(owner, sealedKey);
    if (password !== null) await this.#passwords.require(owner.walletId, password, passwordHash);
    return sealedKey.pub;
  }

  metadataOf(owner: Owner, sealedText: string): { address: string; metadata: WalletMetadata } {
    const sealedKey = this.#current(owner, sealedText);
    return { address: sealedKey.pub, metadata: this.#vault.openMetadata(owner, sealedKey) };
  }

  async changePassword(owner: Owner, sealedText: string, oldPassword: string, password: string): Promise<string> {
    await this.verifyPassword(owner, sealedText, oldPassword);
    return this.#setPassword(owner, sealedText, password, () => ({}));
  }

  /** Without the old password: whether a mailed code was right is nothing the signer could see. */
  async resetPassword(owner: Owner, sealedText: string, password: string): Promise<string> {
    const now = this.#now();
    const changed = await this.#setPassword(
      owner,
      sealedText,
      password,
      ({ passwordHash, passwordResetAt, beforeReset }) => ({
        passwordResetAt: now,
        // A second reset does not put its own password in the place of the owner's.
        beforeReset:
          beforeReset !== undefined && beforeReset.at > now - RESET_PAUSE_MS
            ? beforeReset
            : { passwordHash, passwordResetAt, at: now },
      }),
    );
    const { walletId } = owner;
    const isTooMany = tooManyOthers(this.#state.owners.resets, walletId, this.#resetsPerDay, now);
    await this.#state.recordOwner({ t: 'rst', w: walletId, at: now });
    this.#resetWatch.used(countWithinDay(this.#state.owners.resets, now), now);
    // An export that the owner asked for is no longer his.
    if (this.#state.owners.askedExport(walletId) !== null) await this.exports.cancel(owner, changed);
    // Whoever reset them is after these wallets. A stop for all could be had by anybody with that many accounts.
    if (isTooMany) await this.stops.trip('reset', 'too many passwords were reset within 24 hours');
    return changed;
  }

  /** Puts the password of before the reset back, for whoever still knows it or has a second factor. */
  async undoReset(
    owner: Owner,
    sealedText: string,
    proof: { oldPassword: string } | { id: string; factor: SecondFactor },
  ): Promise<string> {
    await this.#requirePersonal(owner, this.#current(owner, sealedText));
    const { beforeReset } = this.#vault.openMetadata(owner, this.#current(owner, sealedText));
    if (beforeReset === undefined || beforeReset.at <= this.#now() - RESET_PAUSE_MS) {
      return deny('NOTHING_TO_UNDO', 'no reset of the last days');
    }
    if ('factor' in proof) {
      const address = await this.addressOf(owner, sealedText, null);
      const isRight = await this.#factors.require(address, ownIntent('undo-reset', address, proof.id), proof.factor);
      if (!isRight) deny('SECOND_FACTOR_WRONG', 'this wallet has no second factor');
    } else await this.#passwords.require(owner.walletId, proof.oldPassword, beforeReset.passwordHash);
    return this.#reseal(owner, sealedText, ({ beforeReset: _done, ...old }) => ({
      ...old,
      passwordHash: beforeReset.passwordHash,
      passwordResetAt: beforeReset.passwordResetAt,
    }));
  }

  async #setPassword(
    owner: Owner,
    sealedText: string,
    password: string,
    change: (old: WalletMetadata) => Partial<WalletMetadata>,
  ): Promise<string> {
    const passwordHash = await this.#passwords.hash(password);
    await this.#requirePersonal(owner, this.#current(owner, sealedText));
    return this.#reseal(owner, sealedText, (old) => ({ ...old, ...change(old), passwordHash }));
  }

  async #reseal(owner: Owner, sealedText: string, change: (old: WalletMetadata) => WalletMetadata): Promise<string> {
    // Read again after the wait: another change may have come first, and then this one is outdated.
    const sealedKey = this.#current(owner, sealedText);
    const changed = this.#vault.reseal(owner, sealedKey, (old) => ({
      ...change(old),
      passwordChangedAt: this.#now(),
    }));
    await this.#state.advanceRevision(owner.walletId, sealedKey, changed);
    return changed;
  }

  async exportKey(
    owner: Owner,
    sealedText: string,
    password: string,
    { sealTo, ...proof }: ExportProof & { sealTo: string | null } = NOTHING_ELSE,
  ): Promise<ShownKey> {
    await this.exports.admit(owner, sealedText, password, proof);
    return this.#show(owner, this.#current(owner, sealedText), sealTo);
  }

  /** Without a proof: stopping can only keep things as they are. */
  async freeze(owner: Owner, sealedText: string): Promise<void> {
    await this.addressOf(owner, sealedText, null);
    await this.#state.recordOwner({ t: 'frz', w: owner.walletId, at: this.#now() });
    await this.exports.cancel(owner, sealedText);
  }

  /** Password, and the second factor where one is enrolled; a password that a mailbox has just set does not count without one. */
  async unfreeze(
    owner: Owner,
    sealedText: string,
    password: string,
    { id, factor }: { id: string; factor: SecondFactor | null },
  ): Promise<void> {
    const address = await this.addressOf(owner, sealedText, password);
    const isVerified = await this.#factors.require(address, ownIntent('unfreeze', address, id), factor);
    const until = (this.metadataOf(owner, sealedText).metadata.passwordResetAt ?? -Infinity) + RESET_PAUSE_MS;
    if (!isVerified && until > this.#now()) {
      throw new Denied({ code: 'UNFREEZE_AFTER_RESET', reason: 'the password was reset a short time ago', until });
    }
    if (!this.#state.owners.isFrozen(owner.walletId)) return;
    await this.#state.recordOwner({ t: 'frz', w: owner.walletId, at: null });
  }

  #show(owner: Owner, sealedKey: SealedKey, sealTo: string | null): ShownKey {
    const plain = this.#vault.exportKey(owner, sealedKey);
    return sealTo === null ? plain : sealReply(sealTo, 'private-key', sealedKey.pub, plain);
  }

  rewrap(entries: readonly (Owner & { sealedKey: string })[]): Promise<({ sealedKey: string } | { denied: Denial })[]> {
    return Promise.all(
      entries.map(async ({ sealedKey: text, ...owner }) => {
        try {
          const sealedKey = this.#vault.rewrap(owner, this.#current(owner, text));
          await this.#state.replaceCopy(owner.walletId, sealedKey);
          this.#oldKeyUse.moved(owner.walletId, this.#now());
          return { sealedKey };
        } catch (error) {
          return asDenied(error);
        }
      }),
    );
  }

  /** For a server that died between a password change and storing the new sealed key. */
  latestSealedKey(owner: Owner): string | null {
    const text = this.#state.latestSealedKey(owner.walletId);
    if (text === null) return null;
    this.#vault.openMetadata(owner, this.#vault.read(text));
    return text;
  }

  async rotate(): Promise<{ keyId: string }> {
    const keyId = this.#keys.rotate();
    this.#alarm({ msg: `the key file has a new current key: ${keyId}` });
    this.#pool.setKeys(this.#keys.entries());
    await this.factorChanges.rewrapSecrets();
    return { keyId };
  }

  /** Sealed keys in the database are the operator's to know; the copies kept here and the wallets in use are checked. */
  retireKey(keyId: string): void {
    for (const copy of this.#state.copies()) {
      if (this.#vault.read(copy).kek === keyId) deny('ENVELOPE_INVALID', 'a sealed key is still under this key');
    }
    for (const [, { totp }] of this.#state.factors.all()) {
      if (totp?.keyId === keyId) deny('ENVELOPE_INVALID', 'a secret of an authenticator app is still under this key');
    }
    if (this.#oldKeyUse.has(keyId, this.#now())) {
      deny('ENVELOPE_INVALID', 'a wallet under this key signed within the last hour');
    }
    this.#keys.retire(keyId, this.#now());
    this.#alarm({
      msg: `key ${keyId} is retired: what is still sealed under it opens once it is put back in the key file`,
    });
    this.#pool.setKeys(this.#keys.entries());
  }

  status() {
    const { register, funds } = this.#state;
    return {
      stopped: [...this.#state.stopped.keys()],
      stops: Array.from(this.#state.stopped, ([kind, stop]) => ({ kind, ...stop })),
      /** Of the configuration, and releases of the kill switch, that wait for their time or an operator. */
      changes: this.stops.changes,
      frozen: this.#state.owners.frozenCount,
      wallets: { personal: register.count('personal'), strategy: register.count('strategy') },
      /** Each of them is an alarm. */
      heldReturns: funds.heldReturns(),
      recoveries: this.factorChanges.underWay(),
      waitingExports: this.#state.owners.waitingExports(this.#now()),
      /** Those that wait for their turn, and how much of the total of 24 hours has left. */
      withdrawals: this.withdrawals.status(),
      currentKeyId: this.#keys.currentKeyId,
      keyIds: this.#keys.keyIds(),
    };
  }

  async #signOne(request: SignRequest): Promise<SignOutcome> {
    const policy = readSigningPolicy(request.policy);
    const stopKind = STOP_KIND_OF[policy.kind];
    this.stops.refuse(stopKind);
    const transaction = readWireTransaction(request.transaction);
    let sealedKey = this.#current(request, request.sealedKey);
    const wallet = accountKeyFromBase58(sealedKey.pub) ?? deny('ENVELOPE_INVALID', 'the address is none');
    const { address, kind } = this.#state.register.get(sealedKey.pub) ?? (await this.#register(request, sealedKey));
    this.#strategies.refuseOtherKind(kind, policy);
    if (policy.kind !== 'swap') this.#fees.admit(address, transaction, this.#now());
    const digest = hash('sha256', transaction.message, 'base64');
    if (policy.kind === 'commit') checkCommit(transaction, wallet, policy);
    else if (policy.kind === 'return') {
      await this.#strategies.admitReturn(address, policy, checkReturn(transaction, wallet, policy), digest);
    } else if (policy.kind === 'withdrawal' && policy.token !== null) {
      checkTokenWithdrawal(transaction, wallet, policy);
    } else {
      const movement = checkTransaction(transaction, wallet, policy, this.#certificates);
      if (policy.kind === 'swap') await this.#admitSwap(request, kind, address, policy, movement, digest);
    }
    if (policy.kind === 'withdrawal') {
      await this.withdrawals.admit(request, address, policy, digest);
      // The password may have changed during the wait.
      sealedKey = this.#current(request, request.sealedKey);
    }

    const signature = await this.#pool.sign(request, sealedKey, transaction.message);
    const { kek } = sealedKey;
    if (kek !== this.#keys.currentKeyId) this.#oldKeyUse.signed(request.walletId, kek, this.#now());
    this.stops.refuse(stopKind);
    if (policy.kind === 'commit') await this.#strategies.recordCommit(address, policy, digest, toBase58(signature));
    // The wallet is the fee payer, so its slot is the first; the others stay as they came.
    signature.copy(transaction.wire, transaction.signaturesOffset);
    return { signedTransaction: transaction.wire.toString('base64'), signature: toBase58(signature) };
  }

  async #admitSwap(
    { walletId }: Owner,
    kind: WalletKind,
    address: string,
    policy: SigningPolicy & { kind: 'swap' },
    movement: Movement,
    digest: string,
  ): Promise<void> {
    const isStrategy = kind === 'strategy';
    const moved = movement.lamportsOut + movement.lamportsIn;
    const swapKind = policy.side === 'buy' ? 'buy' : isStrategy ? 'way-out' : 'sale';
    const counted = this.#swaps.admit(walletId, moved, this.#now(), swapKind);
    if ('denied' in counted) throw new Denied(counted.denied);
    if (counted.toRecord.length > 0) await this.#state.recordSwaps(counted.toRecord);
    if (isStrategy && policy.side === 'buy') {
      await this.#strategies.admitBuy(address, toBase58(keyBytes(policy.mint)), movement, digest);
    }
  }

  /** Wallets of earlier versions become known when their sealed key is first opened, which proves what they are. */
  async #register(owner: Owner, sealedKey: SealedKey): Promise<WalletEntry> {
    const { kind } = this.#vault.openMetadata(owner, sealedKey);
    const entry = { userId: owner.userId, walletId: owner.walletId, address: sealedKey.pub, kind };
    await this.#state.registerWallet(entry);
    return entry;
  }

  async #requirePersonal(owner: Owner, sealedKey: SealedKey): Promise<void> {
    const { kind } = this.#state.register.get(sealedKey.pub) ?? (await this.#register(owner, sealedKey));
    if (kind !== 'personal') deny('WALLET_KIND', 'a strategy wallet has no password and shows no key');
  }

  #current(owner: Owner, text: string): SealedKey {
    const sealedKey = this.#vault.read(text);
    this.#state.refuseOutdated(owner.walletId, sealedKey);
    return sealedKey;
  }
}

function asDenied(error: unknown): { denied: Denial } {
  if (error instanceof Denied) return { denied: error.denial };
  throw error;
}
