import type { Alarm } from '../alarm.ts';
import { Denied, deny, type HoldReason } from '../denial.ts';
import type { FactorCheck } from '../factors/factor-check.ts';
import type { Intent } from '../factors/intent.ts';
import { CeilingWatch } from '../limits/ceiling-watch.ts';
import { latest } from '../storage/latest.ts';
import { type ChosenLimits, chooseLimits, isLooser, type OwnLimits } from '../limits/own-limits.ts';
import type { Owner, WalletMetadata } from '../keys/sealed-key.ts';
import type { SignerState } from '../memory/signer-state.ts';
import { readSigningPolicy, type SigningPolicy } from '../transactions/signing-policy.ts';
import {
  AUTHENTICATION_MS,
  DAY_MS,
  decideWithdrawal,
  type WithdrawalDecision,
  type WithdrawalLimits,
  type WithdrawalRecord,
} from '../limits/withdrawal-rules.ts';
import { decideTurn, type SignedAmount, TAKEN_MS, type TurnDecision } from '../limits/withdrawal-turn.ts';

type WithdrawalPolicy = SigningPolicy & { kind: 'withdrawal' };
type SealedOwner = Owner & { sealedKey: string };

const NOW: TurnDecision = { kind: 'now' };

/** Who opens sealed keys and checks passwords. */
export type WalletAccess = {
  /** Of a personal wallet whose sealed key opens for this owner; a password is checked where one is given. */
  addressOf(owner: Owner, sealedKey: string, password: string | null): Promise<string>;
  metadataOf(owner: Owner, sealedKey: string): { address: string; metadata: WalletMetadata };
};

/** What may leave a personal wallet: password, second factor, limits and holds over what the signer remembers. */
export class Withdrawals {
  readonly #state: SignerState;
  readonly #limits: WithdrawalLimits;
  readonly #factors: FactorCheck;
  readonly #wallets: WalletAccess;
  readonly #alarm: Alarm;
  readonly #watch: CeilingWatch;
  /** Every different message signed within a day, over all wallets, oldest first. */
  #recent: SignedAmount[];
  /** When those that wait for their turn are to be asked for again. */
  readonly #waiting = new Map<string, number>();
  readonly #now: () => number;

  constructor(deps: {
    state: SignerState;
    limits: WithdrawalLimits;
    factors: FactorCheck;
    wallets: WalletAccess;
    alarm: Alarm;
    now: () => number;
  }) {
    this.#state = deps.state;
    this.#limits = deps.limits;
    this.#factors = deps.factors;
    this.#wallets = deps.wallets;
    this.#alarm = deps.alarm;
    const what = 'what all wallets may withdraw in 24 hours has left';
    this.#watch = new CeilingWatch(what, deps.limits.totalLamports, deps.alarm);
    this.#now = deps.now;
    this.#recent = Array.from(deps.state.allWithdrawals(), ({ lamports, signed }) =>
      signed.map(({ at }) => ({ at, lamports })),
    ).flat();
    this.#recent.sort((left, right) => left.at - right.at);
  }

  async admit(owner: SealedOwner, address: string, policy: WithdrawalPolicy, digest: string): Promise<void> {
    const { walletId } = owner;
    this.#refuseFrozen(walletId);
    const remembered = this.#matching(walletId, policy);
    if (policy.password !== null) await this.#wallets.addressOf(owner, owner.sealedKey, policy.password);
    else if (remembered === null || remembered.authenticatedAt < this.#now() - AUTHENTICATION_MS) {
      deny('BAD_PASSWORD', 'this withdrawal needs the password');
    }
    const factorAt = await this.#confirmedAt(address, policy, remembered);

    // From here to the record no await: what is decided is what the next request sees.
    const { metadata } = this.#wallets.metadataOf(owner, owner.sealedKey);
    const isStopped = this.#state.stopped.has('withdrawal') || this.#state.isStoppedByReset(metadata.passwordResetAt);
    if (isStopped) deny('KILL_SWITCH', 'signing is stopped');
    this.#refuseFrozen(walletId);
    // It may have been enrolled during the wait.
    if (factorAt === null && this.#factors.isEnrolled(address)) {
      deny('SECOND_FACTOR_REQUIRED', 'this wallet has a second factor');
    }
    const now = this.#now();
    const known = this.#matching(walletId, policy);
    const decision = this.#decide(owner, policy, digest, known);
    if (decision.kind === 'deny') throw new Denied(decision.denial);
    const signed = known?.signed ?? [];
    const isCounted = decision.kind === 'hold' || signed.some((message) => message.digest === digest);
    const turn = isCounted ? NOW : this.#turn(walletId, policy.lamports);
    if (turn.kind === 'never') deny('VELOCITY', 'more than all wallets together may withdraw at once');
    const isSigned = !isCounted && turn.kind === 'now';
    if (isSigned) this.#count({ at: now, lamports: policy.lamports });
    this.#wait(`${walletId} ${policy.withdrawalId}`, address, turn.kind === 'wait' ? turn.until : null);
    const record: WithdrawalRecord = {
      walletId,
      withdrawalId: policy.withdrawalId,
      destination: policy.destinationText,
      lamports: policy.lamports,
      token: policy.token && { mint: policy.token.mintText, amount: policy.token.amount },
      authenticatedAt: policy.password === null ? known!.authenticatedAt : now,
      factorAt,
      heldUntil: decision.kind === 'hold' ? decision.until : (known?.heldUntil ?? null),
      signed: isSigned ? [...signed, { digest, at: now }] : signed,
    };
    await this.#state.recordWithdrawal(record);
    if (decision.kind === 'hold') {
      const { until, reason: hold } = decision;
      throw new Denied({ code: 'HELD', reason: 'this withdrawal waits for a day', until, hold });
    }
    if (turn.kind === 'wait') {
      const { until } = turn;
      throw new Denied({ code: 'HELD', reason: 'this withdrawal waits for its turn', until, hold: 'many-withdrawals' });
    }
  }

  /** How many wait for their turn, and what part of the total of 24 hours has left. */
  status(): { waiting: number; part: number } {
    const now = this.#now();
    let waiting = 0;
    for (const until of this.#waiting.values()) if (until > now) waiting += 1;
    const { totalLamports } = this.#limits;
    return { waiting, part: totalLamports === 0n ? 0 : Number((this.#sum(now) * 1_000n) / totalLamports) / 1_000 };
  }

  #turn(walletId: string, lamports: bigint): TurnDecision {
    const now = this.#now();
    const taken = this.#state
      .withdrawals(walletId)
      .flatMap((row) => row.signed.filter(({ at }) => at > now - TAKEN_MS).map(() => row.lamports))
      .reduce((sum, one) => sum + one, 0n);
    return decideTurn({ now, limits: this.#limits, lamports, taken, signed: this.#recent });
  }

  #count(signed: SignedAmount): void {
    this.#recent = this.#recent.filter(({ at }) => at > signed.at - DAY_MS);
    this.#recent.push(signed);
    this.#watch.used(this.#sum(signed.at), signed.at);
  }

  #sum(now: number): bigint {
    return this.#recent.reduce((sum, { at, lamports }) => (at > now - DAY_MS ? sum + lamports : sum), 0n);
  }

  /** An alarm for each that begins to wait. */
  #wait(key: string, address: string, until: number | null): void {
    if (until !== null && !this.#waiting.has(key)) {
      this.#alarm({
        msg: `too much is withdrawn; this withdrawal waits until ${new Date(until).toISOString()}`,
        address,
      });
    }
    this.#waiting.delete(key);
    if (until === null) return;
    this.#waiting.set(key, until);
    // The server gave those up that it did not ask for again.
    for (const [other, at] of this.#waiting) if (at <= this.#now() - DAY_MS) this.#waiting.delete(other);
  }

  #refuseFrozen(walletId: string): void {
    if (this.#state.owners.isFrozen(walletId)) deny('FROZEN', 'the owner stopped withdrawals and exports');
  }

  /** A withdrawal that was confirmed by a factor needs none for some days, as with the password; null where none is enrolled. */
  async #confirmedAt(
    address: string,
    policy: WithdrawalPolicy,
    remembered: WithdrawalRecord | null,
  ): Promise<number | null> {
    const before = remembered?.factorAt ?? null;
    const isFresh = before !== null && before >= this.#now() - AUTHENTICATION_MS;
    if (isFresh && policy.factor === null) return before;
    const isVerified = await this.#factors.require(address, withdrawalIntent(policy), policy.factor);
    return isVerified ? this.#now() : null;
  }

  #decide(
    owner: SealedOwner,
    policy: Pick<WithdrawalPolicy, 'lamports' | 'token' | 'destinationText'>,
    digest: string,
    known: WithdrawalRecord | null,
  ): WithdrawalDecision {
    const { walletId } = owner;
    const { address, metadata } = this.#wallets.metadataOf(owner, owner.sealedKey);
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
      passwordChangedAt: latest(metadata.passwordChangedAt, this.#factors.resetAt(address)),
      passwordResetAt: metadata.passwordResetAt,
    });
  }

  /** What would be decided about a withdrawal now; nothing is recorded, and no password is needed to ask. */
  preview(owner: SealedOwner, policy: unknown): { holdUntil?: number; hold?: HoldReason } {
    const wanted = readSigningPolicy(policy);
    if (wanted.kind !== 'withdrawal') return deny('POLICY_INVALID', 'no withdrawal');
    const decision = this.#decide(owner, wanted, '', null);
    if (decision.kind === 'deny') throw new Denied(decision.denial);
    if (decision.kind === 'hold') return { holdUntil: decision.until, hold: decision.reason };
    const turn = this.#turn(owner.walletId, wanted.lamports);
    if (turn.kind === 'never') deny('VELOCITY', 'more than all wallets together may withdraw at once');
    return turn.kind === 'now' ? {} : { holdUntil: turn.until, hold: 'many-withdrawals' };
  }

  ownLimits(owner: Owner): { limits: ChosenLimits; dailyLamports: bigint; largeLamports: bigint } {
    return { ...this.#limits, limits: this.#state.ownLimits(owner.walletId) };
  }

  /** Stricter needs nothing; looser needs the password and waits for a day. */
  async setOwnLimits(owner: SealedOwner, wanted: OwnLimits, password: string | null): Promise<ChosenLimits> {
    const { walletId } = owner;
    const isRaise = (): boolean => isLooser(this.#state.ownLimits(walletId).now, wanted);
    const proof = isRaise() ? password : null;
    await this.#wallets.addressOf(owner, owner.sealedKey, proof);
    // Asked now, and not only before: a limit that was lowered during the wait makes this one a raise.
    if (proof === null && isRaise()) deny('BAD_PASSWORD', 'raising a limit needs the password');
    const chosen = chooseLimits(this.#state.ownLimits(walletId), wanted, this.#now());
    await this.#state.recordOwnLimits(walletId, chosen);
    return chosen;
  }

  #matching(walletId: string, policy: WithdrawalPolicy): WithdrawalRecord | null {
    const known = this.#state.withdrawal(walletId, policy.withdrawalId);
    if (known === null) return null;
    const isSameToken = known.token?.mint === policy.token?.mintText && known.token?.amount === policy.token?.amount;
    if (known.destination !== policy.destinationText || known.lamports !== policy.lamports || !isSameToken) {
      deny('WITHDRAWAL_MISMATCH', 'this withdrawal was asked for with another destination or amount');
    }
    return known;
  }
}

function withdrawalIntent({ token, lamports, destinationText, withdrawalId }: WithdrawalPolicy): Intent {
  return {
    kind: 'withdrawal',
    asset: token === null ? 'SOL' : token.mintText,
    destination: destinationText,
    amount: String(token === null ? lamports : token.amount),
    id: withdrawalId,
  };
}
