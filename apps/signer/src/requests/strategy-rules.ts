import type { Alarm } from '../alarm.ts';
import { Denied, deny } from '../denial.ts';
import { CeilingWatch } from '../limits/ceiling-watch.ts';
import { decideReturn, type ReturnLeg } from '../limits/return-rules.ts';
import type { SignerState } from '../memory/signer-state.ts';
import type { CommitPolicy, ReturnPolicy, SigningPolicy } from '../transactions/signing-policy.ts';
import { returnRecord } from '../memory/strategy-funds.ts';
import type { Movement } from '../transactions/transaction-check.ts';
import type { WalletKind } from '../keys/wallet-register.ts';

export type StrategyLimits = {
  /** A commit never counts earlier than this after it was signed. */
  commitFinalMs: number;
  /** What one strategy wallet returns in 24 hours on the server's word. */
  wordLamports: bigint;
  /** What all of them return so. */
  wordTotalLamports: bigint;
  /** Buys of 24 hours, in multiples of the commits. */
  turnover: bigint;
};

/** What each kind of wallet may sign. */
const KINDS: Readonly<Record<SigningPolicy['kind'], readonly WalletKind[]>> = {
  swap: ['personal', 'strategy'],
  'close-token-account': ['personal', 'strategy'],
  withdrawal: ['personal'],
  commit: ['personal'],
  return: ['strategy'],
};

/** The rules of strategy wallets over what the signer remembers. Every distinct message counts, and counts once. */
export class StrategyRules {
  readonly #state: SignerState;
  readonly #limits: StrategyLimits;
  readonly #now: () => number;
  readonly #alarm: Alarm;
  readonly #wordWatch: CeilingWatch;

  constructor(state: SignerState, limits: StrategyLimits, now: () => number, alarm: Alarm) {
    this.#state = state;
    this.#limits = limits;
    this.#now = now;
    this.#alarm = alarm;
    const what = 'what strategy wallets may return on the server’s word in 24 hours has left';
    this.#wordWatch = new CeilingWatch(what, limits.wordTotalLamports, alarm);
  }

  refuseOtherKind(kind: WalletKind, policy: SigningPolicy): void {
    if (!KINDS[policy.kind].includes(kind)) deny('WALLET_KIND', `a ${kind} wallet signs no ${policy.kind}`);
    const target =
      policy.kind === 'commit'
        ? policy.strategyWalletText
        : policy.kind === 'withdrawal'
          ? policy.destinationText
          : null;
    const isToStrategy = target !== null && this.#state.register.kindOf(target) === 'strategy';
    if (policy.kind === 'commit' && !isToStrategy) deny('DESTINATION', 'not a strategy wallet of this signer');
    if (policy.kind === 'withdrawal' && isToStrategy) deny('DESTINATION', 'a strategy wallet receives commits only');
  }

  /** After signing and before the signature leaves: only then is it known by which signature its finality is told. */
  async recordCommit(personal: string, policy: CommitPolicy, digest: string, signature: string): Promise<void> {
    const strategy = policy.strategyWalletText;
    if (this.#state.funds.isCommitKnown(strategy, personal, digest)) return;
    await this.#state.recordFunds({
      t: 'cmt',
      s: strategy,
      p: personal,
      sig: signature,
      dig: digest,
      lamports: String(policy.lamports),
      at: this.#now(),
    });
  }

  async commitsFinal(signatures: readonly string[]): Promise<void> {
    const at = this.#now();
    const unfinished = this.#state.funds.unfinished(signatures);
    await Promise.all(unfinished.map((sig) => this.#state.recordFunds({ t: 'fin', sig, at })));
  }

  /** Denies, or counts the return before it is signed. `rents` are those of the token legs. */
  async admitReturn(strategy: string, policy: ReturnPolicy, rents: readonly bigint[], digest: string): Promise<void> {
    const { funds } = this.#state;
    const now = this.#now();
    const legs: ReturnLeg[] = policy.legs.map(({ toText, lamports }) => ({
      to: toText,
      what: `sol ${lamports}`,
      lamports,
    }));
    for (const [index, { toText, mintText, amount }] of policy.tokens.entries()) {
      const value = funds.tokenValue(strategy, mintText, amount);
      const lamports = value === null ? null : value + rents[index]!;
      legs.push({ to: toText, what: `${mintText} ${amount}`, lamports });
    }
    if (funds.isReturnKnown(strategy, legs, digest)) return;
    const decision = decideReturn({
      now,
      limits: this.#limits,
      legs,
      pair: (to) => funds.pair(strategy, to),
      hasOthers: (to) => funds.hasOthers(strategy, to),
      committedLamports: () => funds.committedLamports(strategy, now),
      overLamports: funds.overLamports(strategy, now),
      wordLamports: funds.wordLamports(strategy, now),
      allWordLamports: funds.allWordLamports(now),
      heldSince: (to, what) => funds.heldSince(strategy, to, what),
    });
    if (decision.kind === 'sign') {
      const recorded = this.#state.recordFunds(returnRecord(strategy, digest, now, decision.legs));
      this.#wordWatch.used(funds.allWordLamports(now), now);
      await recorded;
      return;
    }
    if (decision.kind === 'hold' && decision.holds.length > 0) {
      const holds = decision.holds.map(({ to, what, lamports }) => ({
        to,
        what,
        lamports: lamports === null ? null : String(lamports),
        at: now,
      }));
      this.#alarm({
        msg: `returns beyond the ordinary were asked for; held for an hour: ${JSON.stringify(holds)}`,
        strategyWallet: strategy,
      });
      await this.#state.recordFunds({ t: 'hld', s: strategy, holds });
    }
    throw new Denied(decision.denial);
  }

  /** Buys of a strategy wallet are bounded by its commits; sells are the way back to SOL and never are. */
  async admitBuy(strategy: string, mint: string, { lamportsOut, tokensIn }: Movement, digest: string): Promise<void> {
    const { funds } = this.#state;
    if (funds.isBuyKnown(strategy, digest)) return;
    const now = this.#now();
    const ceiling = funds.investedLamports(strategy, now) * this.#limits.turnover;
    if (funds.boughtLamports(strategy, now) + lamportsOut > ceiling) {
      deny('SWAP_CEILING', 'the buys of this strategy wallet reached their multiple of its commits');
    }
    const lamports = String(lamportsOut);
    await this.#state.recordFunds({
      t: 'buy',
      s: strategy,
      dig: digest,
      m: mint,
      lamports,
      tokens: String(tokensIn),
      at: now,
    });
  }
}
