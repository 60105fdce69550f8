import type { Alarm } from '../alarm.ts';
import { Denied, deny } from '../denial.ts';
import { CeilingWatch } from '../limits/ceiling-watch.ts';
import { type AskedExport, countWithinDay, decideExport } from '../limits/export-rules.ts';
import type { FactorCheck } from '../factors/factor-check.ts';
import { latest } from '../storage/latest.ts';
import type { Owner, WalletMetadata } from '../keys/sealed-key.ts';
import type { SecondFactor } from '../factors/second-factor.ts';
import type { SignerState } from '../memory/signer-state.ts';
import type { SwapVelocity } from '../limits/swap-velocity.ts';

export type ExportLimits = {
  /** Wallets whose keys may be shown in 24 hours; those of further ones wait for their turn. */
  walletsPerDay: number;
  /** From this much on a wallet's key is shown only after a delay. */
  largeLamports: bigint;
  delayMs: number;
};

export type ExportProof = {
  /** A passkey signs it, so that one touch shows the key once. */
  exportId: string | null;
  factor: SecondFactor | null;
  /** What the server says that the wallet is worth. */
  worthLamports?: bigint | null;
};

type WalletAccess = {
  addressOf(owner: Owner, sealedKey: string, password: string | null): Promise<string>;
  metadataOf(owner: Owner, sealedKey: string): { address: string; metadata: WalletMetadata };
};

/** Who may see a key: password, second factor, time since a reset, a delay for large wallets, and a turn among many. */
export class KeyExports {
  readonly #state: SignerState;
  readonly #factors: FactorCheck;
  readonly #wallets: WalletAccess;
  readonly #swaps: SwapVelocity;
  readonly #limits: ExportLimits;
  readonly #alarm: Alarm;
  readonly #watch: CeilingWatch;
  readonly #now: () => number;

  constructor(deps: {
    state: SignerState;
    factors: FactorCheck;
    wallets: WalletAccess;
    swaps: SwapVelocity;
    limits: ExportLimits;
    alarm: Alarm;
    now: () => number;
  }) {
    this.#state = deps.state;
    this.#factors = deps.factors;
    this.#wallets = deps.wallets;
    this.#swaps = deps.swaps;
    this.#limits = deps.limits;
    this.#alarm = deps.alarm;
    this.#watch = new CeilingWatch('the keys of 24 hours are shown', BigInt(deps.limits.walletsPerDay), deps.alarm);
    this.#now = deps.now;
  }

  /** Denies, or has recorded durably that the key is shown now. */
  async admit(owner: Owner, sealedText: string, password: string, proof: ExportProof): Promise<void> {
    const { exportId, factor } = proof;
    this.#refuseWhenStopped(owner);
    const address = await this.#wallets.addressOf(owner, sealedText, password);
    this.#refuseWhenStopped(owner);
    const intent = { kind: 'export', asset: 'SOL', destination: address, amount: '0', id: exportId ?? '' } as const;
    await this.#factors.require(address, intent, exportId === null && factor?.kind === 'passkey' ? null : factor);
    const { metadata } = this.#wallets.metadataOf(owner, sealedText);
    if (this.#state.isStoppedByReset(metadata.passwordResetAt)) deny('KILL_SWITCH', 'signing is stopped');
    const { walletId } = owner;
    const now = this.#now();
    const decision = decideExport({
      now,
      walletId,
      resetAt: latest(metadata.passwordResetAt, this.#factors.resetAt(address)),
      shown: this.#state.exports,
      waiting: this.#state.owners.askedExports,
      walletsPerDay: this.#limits.walletsPerDay,
      isLarge: this.#isLarge(walletId, proof.worthLamports ?? 0n, now),
      delayMs: this.#limits.delayMs,
    });
    if (decision.kind === 'deny') throw new Denied(decision.denial);
    if (decision.kind === 'wait') {
      const { until, isNew, isCrowded } = decision;
      if (isCrowded) {
        const msg = `too many keys are asked for within 24 hours; this one is shown at ${new Date(until).toISOString()}`;
        this.#alarm({ msg, address });
      }
      if (isNew) await this.#remember(walletId, { at: now, readyAt: until });
      throw new Denied({ code: 'EXPORT_DELAYED', reason: 'the key is shown after a delay', until });
    }
    // Together: between the two its place would be free for another.
    const isAsked = this.#state.owners.askedExport(walletId) !== null;
    await Promise.all([this.#state.recordExport(walletId, now), ...(isAsked ? [this.#remember(walletId, null)] : [])]);
    this.#watch.used(countWithinDay(this.#state.exports, now), now);
    this.#refuseWhenStopped(owner);
  }

  /** Without a proof: stopping it can only keep things as they are. */
  async cancel(owner: Owner, sealedText: string): Promise<void> {
    await this.#wallets.addressOf(owner, sealedText, null);
    if (this.#state.owners.askedExport(owner.walletId) !== null) await this.#remember(owner.walletId, null);
  }

  /**
   * The signer sees no chain, so it is told what the wallet is worth; a server that lies is caught only where the wallet itself
   * moved as much within the last day.
   */
  #isLarge(walletId: string, worthLamports: bigint, now: number): boolean {
    const { largeLamports } = this.#limits;
    return worthLamports >= largeLamports || this.#swaps.movedInDay(walletId, now) >= largeLamports;
  }

  #remember(walletId: string, asked: AskedExport | null): Promise<void> {
    return this.#state.recordOwner({ t: 'xpd', w: walletId, asked });
  }

  #refuseWhenStopped({ walletId }: Owner): void {
    if (this.#state.stopped.has('export')) deny('KILL_SWITCH', 'signing is stopped');
    if (this.#state.owners.isFrozen(walletId)) deny('FROZEN', 'the owner stopped withdrawals and exports');
  }
}
