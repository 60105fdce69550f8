import { createHash, randomBytes } from 'node:crypto';
import { accountKeyFromBase58, keyBytes } from './account-key.ts';
import { toBase58 } from './base58.ts';
import { type Denial, Denied, deny, type HoldReason } from './denial.ts';
import type { SealedKey, SealedKeyVault, Owner, WalletMetadata } from './sealed-key.ts';
import { decideExport } from './export-rules.ts';
import type { KeyFile } from './key-file.ts';
import { type ChosenLimits, chooseLimits, isLooser, type OwnLimits } from './own-limits.ts';
import type { PasswordCheck } from './password.ts';
import { Secret } from './secret.ts';
import type { SignerState } from './signer-state.ts';
import type { SigningPool } from './signing-pool.ts';
import type { PoolCertificates } from './pool-certificates.ts';
import { readSigningPolicy, type SigningPolicy } from './signing-policy.ts';
import { STOP_KIND_OF, type StopKind } from './stop-switch.ts';
import type { StrategyRules } from './strategy-rules.ts';
import type { SwapVelocity } from './swap-velocity.ts';
import { checkCommit, checkReturn, checkTokenWithdrawal } from './transfer-check.ts';
import { checkTransaction, type Movement } from './transaction-check.ts';
import type { WalletEntry, WalletKind } from './wallet-register.ts';
import { readWireTransaction } from './wire-transaction.ts';
import {
  AUTHENTICATION_MS,
  decideWithdrawal,
  RESET_PAUSE_MS,
  type WithdrawalDecision,
  type WithdrawalLimits,
  type WithdrawalRecord,
} from './withdrawal-rules.ts';

export type SignRequest = Owner & { sealedKey: string; transaction: string; policy: unknown };
export type SignOutcome = { signedTransaction: string; signature: string } | { denied: Denial };

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
  readonly #limits: WithdrawalLimits;
  readonly #exportsPerDay: number;
  readonly #certificates: PoolCertificates;
  readonly #swaps: SwapVelocity;
  readonly #strategies: StrategyRules;
  readonly #now: () => number;

  constructor(deps: {
    vault: SealedKeyVault;
    pool: SigningPool;
    keys: KeyFile;
    state: SignerState;
    passwords: PasswordCheck;
    limits: WithdrawalLimits;
    /** Wallets whose keys may be shown in 24 hours before all signing stops. */
    exportsPerDay: number;
    certificates: PoolCertificates;
    swaps: SwapVelocity;
    strategies: StrategyRules;
    now: () => number;
  }) {
    this.#vault = deps.vault;
    this.#pool = deps.pool;
    this.#keys = deps.keys;
    this.#state = deps.state;
    this.#passwords = deps.passwords;
    this.#limits = deps.limits;
    this.#exportsPerDay = deps.exportsPerDay;
    this.#certificates = deps.certificates;
    this.#swaps = deps.swaps;
    this.#strategies = deps.strategies;
    this.#now = deps.now;
  }

  async createWallet(
    owner: Owner,
    password: string,
  ): Promise<{ address: string; sealedKey: string; privateKey: string }> {
    const passwordHash = await this.#passwords.hash(password);
    const created = await this.#create(owner, 'personal', passwordHash);
    return { ...created, privateKey: this.#vault.exportKey(owner, this.#vault.read(created.sealedKey)) };
  }

  createStrategyWallet(owner: Owner): Promise<{ address: string; sealedKey: string }> {
    return this.#create(owner, 'strategy', '');
  }

  async #create(owner: Owner, kind: WalletKind, passwordHash: string): Promise<{ address: string; sealedKey: string }> {
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
      outcomes.push(this.#signOne(request).catch(asDenied));
    }
    return Promise.all(outcomes);
  }

  async verifyPassword(owner: Owner, sealedText: string, password: string): Promise<void> {
    const sealedKey = this.#current(owner, sealedText);
    await this.#requirePersonal(owner, sealedKey);
    const { passwordHash } = this.#vault.openMetadata(owner, sealedKey);
    await this.#passwords.require(owner.walletId, password, passwordHash);
  }

  async changePassword(owner: Owner, sealedText: string, oldPassword: string, password: string): Promise<string> {
    await this.verifyPassword(owner, sealedText, oldPassword);
    return this.#setPassword(owner, sealedText, password, () => ({}));
  }

  /** Without the old password: whether a mailed code was right is nothing the signer could see. */
  async resetPassword(owner: Owner, sealedText: string, password: string): Promise<string> {
    const now = this.#now();
    return this.#setPassword(owner, sealedText, password, ({ passwordHash, passwordResetAt, beforeReset }) => ({
      passwordResetAt: now,
      // A second reset does not put its own password in the place of the owner's.
      beforeReset:
        beforeReset !== undefined && beforeReset.at > now - RESET_PAUSE_MS
          ? beforeReset
          : { passwordHash, passwordResetAt, at: now },
    }));
  }

  /** Puts the password of before the reset back, for whoever still knows it. */
  async undoReset(owner: Owner, sealedText: string, oldPassword: string): Promise<string> {
    await this.#requirePersonal(owner, this.#current(owner, sealedText));
    const { beforeReset } = this.#vault.openMetadata(owner, this.#current(owner, sealedText));
    if (beforeReset === undefined || beforeReset.at <= this.#now() - RESET_PAUSE_MS) {
      return deny('NOTHING_TO_UNDO', 'no reset of the last days');
    }
    await this.#passwords.require(owner.walletId, oldPassword, beforeReset.passwordHash);
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

  async exportKey(owner: Owner, sealedText: string, password: string): Promise<string> {
    this.#refuseWhenStopped('export');
    await this.verifyPassword(owner, sealedText, password);
    this.#refuseWhenStopped('export');
    const sealedKey = this.#current(owner, sealedText);
    const { passwordResetAt } = this.#vault.openMetadata(owner, sealedKey);
    const { walletId } = owner;
    const now = this.#now();
    const walletsPerDay = this.#exportsPerDay;
    const decision = decideExport({ now, walletId, passwordResetAt, shown: this.#state.exports, walletsPerDay });
    if (decision.kind === 'deny') throw new Denied(decision.denial);
    if (decision.kind === 'trip') {
      await this.#state.setKillSwitch(true, null);
      deny('KILL_SWITCH', 'too many keys were exported within 24 hours');
    }
    await this.#state.recordExport(walletId, now);
    this.#refuseWhenStopped('export');
    return this.#vault.exportKey(owner, this.#current(owner, sealedText));
  }

  rewrap(entries: readonly (Owner & { sealedKey: string })[]): Promise<({ sealedKey: string } | { denied: Denial })[]> {
    return Promise.all(
      entries.map(async ({ sealedKey: text, ...owner }) => {
        try {
          const sealedKey = this.#vault.rewrap(owner, this.#current(owner, text));
          await this.#state.replaceCopy(owner.walletId, sealedKey);
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

  rotate(): { keyId: string } {
    const keyId = this.#keys.rotate();
    this.#pool.setKeys(this.#keys.entries());
    return { keyId };
  }

  /** Sealed keys in the database are the operator's to know; the copies kept here are checked. */
  retireKey(keyId: string): void {
    for (const copy of this.#state.copies()) {
      if (this.#vault.read(copy).kek === keyId) deny('ENVELOPE_INVALID', 'a sealed key is still under this key');
    }
    this.#keys.retire(keyId);
    this.#pool.setKeys(this.#keys.entries());
  }

  /** Without a kind it is about all of them. */
  setKillSwitch(on: boolean, kind: StopKind | null): Promise<void> {
    return this.#state.setKillSwitch(on, kind);
  }

  status() {
    const { register, funds } = this.#state;
    return {
      stopped: [...this.#state.stopped],
      wallets: { personal: register.count('personal'), strategy: register.count('strategy') },
      /** Each of them is an alarm. */
      heldReturns: funds.heldReturns(),
      currentKeyId: this.#keys.currentKeyId,
      keyIds: this.#keys.keyIds(),
    };
  }

  async #signOne(request: SignRequest): Promise<SignOutcome> {
    const policy = readSigningPolicy(request.policy);
    const stopKind = STOP_KIND_OF[policy.kind];
    this.#refuseWhenStopped(stopKind);
    const transaction = readWireTransaction(request.transaction);
    let sealedKey = this.#current(request, request.sealedKey);
    const wallet = accountKeyFromBase58(sealedKey.pub) ?? deny('ENVELOPE_INVALID', 'the address is none');
    const { address, kind } = this.#state.register.get(sealedKey.pub) ?? (await this.#register(request, sealedKey));
    this.#strategies.refuseOtherKind(kind, policy);
    const digest = createHash('sha256').update(transaction.message).digest('base64');
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
      await this.#admitWithdrawal(request, policy, digest);
      // The password may have changed during the wait.
      sealedKey = this.#current(request, request.sealedKey);
    }

    const signature = await this.#pool.sign(request, sealedKey, transaction.message);
    this.#refuseWhenStopped(stopKind);
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
    const isWayOut = isStrategy && policy.side === 'sell';
    const counted = this.#swaps.admit(walletId, moved, this.#now(), { isWayOut });
    if ('denied' in counted) throw new Denied(counted.denied);
    if (counted.toRecord.length > 0) await this.#state.recordSwaps(counted.toRecord);
    if (isStrategy && policy.side === 'buy') {
      await this.#strategies.admitBuy(address, toBase58(keyBytes(policy.mint)), movement, digest);
    }
  }

  async #admitWithdrawal(
    owner: Owner & { sealedKey: string },
    policy: SigningPolicy & { kind: 'withdrawal' },
    digest: string,
  ): Promise<void> {
    const { walletId } = owner;
    const remembered = this.#matchingWithdrawal(walletId, policy);
    if (policy.password !== null) await this.verifyPassword(owner, owner.sealedKey, policy.password);
    else if (remembered === null || remembered.authenticatedAt < this.#now() - AUTHENTICATION_MS) {
      deny('BAD_PASSWORD', 'this withdrawal needs the password');
    }

    // From here to the record no await: what is decided is what the next request sees.
    this.#refuseWhenStopped('withdrawal');
    const now = this.#now();
    const known = this.#matchingWithdrawal(walletId, policy);
    const decision = this.#decideWithdrawal(owner, policy, digest, known);
    if (decision.kind === 'deny') throw new Denied(decision.denial);
    const signed = known?.signed ?? [];
    const isCounted = decision.kind === 'hold' || signed.some((message) => message.digest === digest);
    const record: WithdrawalRecord = {
      walletId,
      withdrawalId: policy.withdrawalId,
      destination: policy.destinationText,
      lamports: policy.lamports,
      token: policy.token && { mint: policy.token.mintText, amount: policy.token.amount },
      authenticatedAt: policy.password === null ? known!.authenticatedAt : now,
      heldUntil: decision.kind === 'hold' ? decision.until : (known?.heldUntil ?? null),
      signed: isCounted ? signed : [...signed, { digest, at: now }],
    };
    await this.#state.recordWithdrawal(record);
    if (decision.kind === 'hold') {
      const { until, reason: hold } = decision;
      throw new Denied({ code: 'HELD', reason: 'this withdrawal waits for a day', until, hold });
    }
  }

  #decideWithdrawal(
    owner: Owner & { sealedKey: string },
    policy: Pick<SigningPolicy & { kind: 'withdrawal' }, 'lamports' | 'token' | 'destinationText'>,
    digest: string,
    known: WithdrawalRecord | null,
  ): WithdrawalDecision {
    const { walletId } = owner;
    const metadata = this.#vault.openMetadata(owner, this.#current(owner, owner.sealedKey));
    return decideWithdrawal({
      now: this.#now(),
      limits: this.#limits,
      own: this.#state.ownLimits(walletId).now,
      lamports: policy.lamports,
      isToken: policy.token !== null,
      destination: policy.destinationText,
      digest,
      known,
      history: this.#state.withdrawals(walletId),
      destinations: this.#state.destinations(walletId),
      passwordChangedAt: metadata.passwordChangedAt,
      passwordResetAt: metadata.passwordResetAt,
    });
  }

  /** What would be decided about a withdrawal now; nothing is recorded, and no password is needed to ask. */
  previewWithdrawal(owner: Owner & { sealedKey: string }, policy: unknown): { holdUntil?: number; hold?: HoldReason } {
    const wanted = readSigningPolicy(policy);
    if (wanted.kind !== 'withdrawal') return deny('POLICY_INVALID', 'no withdrawal');
    const decision = this.#decideWithdrawal(owner, wanted, '', null);
    if (decision.kind === 'deny') throw new Denied(decision.denial);
    return decision.kind === 'sign' ? {} : { holdUntil: decision.until, hold: decision.reason };
  }

  ownLimits(owner: Owner): { limits: ChosenLimits; dailyLamports: bigint; largeLamports: bigint } {
    return { ...this.#limits, limits: this.#state.ownLimits(owner.walletId) };
  }

  /** Stricter needs nothing; looser needs the password and waits for a day. */
  async setOwnLimits(
    owner: Owner & { sealedKey: string },
    wanted: OwnLimits,
    password: string | null,
  ): Promise<ChosenLimits> {
    const { walletId } = owner;
    if (isLooser(this.#state.ownLimits(walletId).now, wanted)) {
      if (password === null) deny('BAD_PASSWORD', 'raising a limit needs the password');
      await this.verifyPassword(owner, owner.sealedKey, password);
    } else await this.#requirePersonal(owner, this.#current(owner, owner.sealedKey));
    const chosen = chooseLimits(this.#state.ownLimits(walletId), wanted, this.#now());
    await this.#state.recordOwnLimits(walletId, chosen);
    return chosen;
  }

  #matchingWithdrawal(walletId: string, policy: SigningPolicy & { kind: 'withdrawal' }): WithdrawalRecord | null {
    const known = this.#state.withdrawal(walletId, policy.withdrawalId);
    if (known === null) return null;
    const isSameToken = known.token?.mint === policy.token?.mintText && known.token?.amount === policy.token?.amount;
    if (known.destination !== policy.destinationText || known.lamports !== policy.lamports || !isSameToken) {
      deny('WITHDRAWAL_MISMATCH', 'this withdrawal was asked for with another destination or amount');
    }
    return known;
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

  #refuseWhenStopped(kind: StopKind): void {
    if (this.#state.stopped.has(kind)) deny('KILL_SWITCH', 'signing is stopped');
  }
}

function asDenied(error: unknown): { denied: Denial } {
  if (error instanceof Denied) return { denied: error.denial };
  throw error;
}
