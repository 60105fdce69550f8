import type { LegDecision, Pair, ReturnLeg } from '../limits/return-rules.ts';
import { RETURN_WINDOW_MS } from '../limits/return-rules.ts';

// What the signer remembers about the money of strategy wallets: commits and returns per pair of strategy and personal
// wallet, returns that wait, and what each token was bought for. Changed by events alone, which the signer's log keeps;
// a compacted log holds one snapshot per wallet and pair instead.

type Commit = { sig: string; dig: string; lamports: bigint; at: number; finalAt: number | null };
type Returned = { dig: string; what: string; lamports: bigint; at: number; isReplaced: boolean };
type PairState = { settledLamports: bigint; commits: Commit[]; returnedLamports: bigint; recent: Returned[] };
type Timed = { at: number; lamports: bigint };
type Price = { lamports: bigint; tokens: bigint };
type WalletState = {
  pairs: Map<string, PairState>;
  over: Timed[];
  word: Timed[];
  buys: (Timed & { dig: string })[];
  /** The dearest buy of each mint. */
  prices: Map<string, Price>;
  holds: Map<string, HeldReturn>;
};
/** `lamports` is null for tokens without a known price. */
export type HeldReturn = { to: string; what: string; lamports: string | null; at: number };

type LegRecord = { p: string; what: string; lamports: string; over: string; word: string; replaces: boolean };
type TimedRecord = { at: number; lamports: string };
export type FundsRecord =
  | { t: 'cmt'; s: string; p: string; sig: string; dig: string; lamports: string; at: number }
  | { t: 'fin'; sig: string; at: number }
  | { t: 'ret'; s: string; dig: string; at: number; legs: LegRecord[] }
  | { t: 'hld'; s: string; holds: HeldReturn[] }
  | { t: 'buy'; s: string; dig: string; m: string; lamports: string; tokens: string; at: number }
  | {
      t: 'pair';
      s: string;
      p: string;
      settled: string;
      returned: string;
      commits: (Omit<Commit, 'lamports'> & { lamports: string })[];
      recent: (Omit<Returned, 'lamports'> & { lamports: string })[];
    }
  | {
      t: 'str';
      s: string;
      over: TimedRecord[];
      word: TimedRecord[];
      buys: (TimedRecord & { dig: string })[];
      prices: [string, string, string][];
      holds: HeldReturn[];
    };

/** Longer than any message can still land, and than a server is down. */
const KEPT_MS = 7 * RETURN_WINDOW_MS;
/** A commit that never became final was dropped; it is long gone by then. */
const UNFINISHED_KEPT_MS = 30 * RETURN_WINDOW_MS;
/** A strategy buys its coins once its commit is confirmed, which is before it is final. */
const UNFINISHED_BUYS_MS = 60 * 60_000;

export class StrategyFunds {
  readonly #wallets = new Map<string, WalletState>();
  readonly #commits = new Map<string, Commit>();
  /** What all wallets returned on the server's word, without what is too old to count. */
  #words: Timed[] = [];
  readonly #finalAfterMs: number;

  constructor(finalAfterMs: number) {
    this.#finalAfterMs = finalAfterMs;
  }

  isCommitKnown(strategy: string, personal: string, digest: string): boolean {
    return this.#pair(strategy, personal)?.commits.some(({ dig }) => dig === digest) ?? false;
  }

  /** Those of the signatures that are commits and were not final before. */
  unfinished(signatures: readonly string[]): string[] {
    return signatures.filter((signature) => this.#commits.get(signature)?.finalAt === null);
  }

  isReturnKnown(strategy: string, legs: readonly ReturnLeg[], digest: string): boolean {
    return legs.some(({ to }) => this.#pair(strategy, to)?.recent.some(({ dig }) => dig === digest) ?? false);
  }

  isBuyKnown(strategy: string, digest: string): boolean {
    return this.#wallets.get(strategy)?.buys.some(({ dig }) => dig === digest) ?? false;
  }

  pair(strategy: string, personal: string): Pair | null {
    const found = this.#pair(strategy, personal);
    if (found === null) return null;
    return {
      commits: [
        { lamports: found.settledLamports, signedAt: 0, countsFrom: 0 },
        ...found.commits.map((commit) => ({
          lamports: commit.lamports,
          signedAt: commit.at,
          countsFrom: this.#countsFrom(commit),
        })),
      ],
      returnedLamports: found.returnedLamports,
      recent: found.recent,
    };
  }

  hasOthers(strategy: string, personal: string): boolean {
    const pairs = this.#wallets.get(strategy)?.pairs;
    return pairs !== undefined && pairs.size > (pairs.has(personal) ? 1 : 0);
  }

  /** All commits to a wallet that count. */
  committedLamports(strategy: string, now: number): bigint {
    let sum = 0n;
    for (const { settledLamports, commits } of this.#wallets.get(strategy)?.pairs.values() ?? []) {
      sum += settledLamports;
      for (const commit of commits) if (this.#countsFrom(commit) <= now) sum += commit.lamports;
    }
    return sum;
  }

  /**
   * What a wallet has to trade with: commits less returns of everybody who is still in it. Commits signed within the last
   * hour count before they are final.
   */
  investedLamports(strategy: string, now: number): bigint {
    let sum = 0n;
    for (const { settledLamports, commits, returnedLamports } of this.#wallets.get(strategy)?.pairs.values() ?? []) {
      let invested = settledLamports - returnedLamports;
      for (const { lamports, finalAt, at } of commits) {
        if (finalAt !== null || at > now - UNFINISHED_BUYS_MS) invested += lamports;
      }
      if (invested > 0n) sum += invested;
    }
    return sum;
  }

  /** What buys spent in 24 hours. */
  boughtLamports(strategy: string, now: number): bigint {
    return sumSince(this.#wallets.get(strategy)?.buys ?? [], now);
  }

  overLamports(strategy: string, now: number): bigint {
    return sumSince(this.#wallets.get(strategy)?.over ?? [], now);
  }

  wordLamports(strategy: string, now: number): bigint {
    return sumSince(this.#wallets.get(strategy)?.word ?? [], now);
  }

  /** The same of all wallets. */
  allWordLamports(now: number): bigint {
    return sumSince(this.#words, now);
  }

  /**
   * What tokens count for: their amount at the dearest buy the signer has signed for this wallet, rounded up. Not at the
   * average: a buy that is signed and never sent could bring an average down to nothing, but can only raise this.
   */
  tokenValue(strategy: string, mint: string, amount: bigint): bigint | null {
    const price = this.#wallets.get(strategy)?.prices.get(mint);
    return price === undefined ? null : (amount * price.lamports + price.tokens - 1n) / price.tokens;
  }

  heldSince(strategy: string, to: string, what: string): number | null {
    return this.#wallets.get(strategy)?.holds.get(`${to} ${what}`)?.at ?? null;
  }

  heldReturns(): (HeldReturn & { strategyWallet: string })[] {
    return [...this.#wallets].flatMap(([strategyWallet, { holds }]) =>
      Array.from(holds.values(), (held) => ({ strategyWallet, ...held })),
    );
  }

  apply(record: FundsRecord): void {
    switch (record.t) {
      case 'cmt': {
        const { sig, dig, at } = record;
        this.#addCommit(this.#pairOf(record.s, record.p), {
          sig,
          dig,
          at,
          lamports: BigInt(record.lamports),
          finalAt: null,
        });
        break;
      }
      case 'fin': {
        const commit = this.#commits.get(record.sig);
        if (commit !== undefined) commit.finalAt ??= record.at;
        break;
      }
      case 'ret':
        this.#applyReturn(record);
        break;
      case 'hld':
        for (const held of record.holds) this.#walletOf(record.s).holds.set(`${held.to} ${held.what}`, held);
        break;
      case 'buy':
        this.#applyBuy(record);
        break;
      case 'pair': {
        const pair = this.#pairOf(record.s, record.p);
        pair.settledLamports = BigInt(record.settled);
        pair.returnedLamports = BigInt(record.returned);
        for (const commit of record.commits) this.#addCommit(pair, { ...commit, lamports: BigInt(commit.lamports) });
        pair.recent = record.recent.map((one) => ({ ...one, lamports: BigInt(one.lamports) }));
        break;
      }
      case 'str': {
        const wallet = this.#walletOf(record.s);
        wallet.over = record.over.map(timed);
        wallet.word = record.word.map(timed);
        this.#words.push(...wallet.word.filter(({ lamports }) => lamports > 0n));
        wallet.buys = record.buys.map((buy) => ({ ...buy, lamports: BigInt(buy.lamports) }));
        wallet.prices = new Map(
          record.prices.map(([mint, lamports, tokens]) => [
            mint,
            { lamports: BigInt(lamports), tokens: BigInt(tokens) },
          ]),
        );
        wallet.holds = new Map(record.holds.map((held) => [`${held.to} ${held.what}`, held]));
      }
    }
  }

  /** Everything that still matters, and forgets the rest. */
  *records(now: number): Iterable<FundsRecord> {
    this.#words = this.#words.filter(({ at }) => at > now - RETURN_WINDOW_MS);
    for (const [s, wallet] of this.#wallets) {
      this.#forget(wallet, now);
      yield {
        t: 'str',
        s,
        over: wallet.over.map(printed),
        word: wallet.word.map(printed),
        buys: wallet.buys.map(printed),
        prices: Array.from(wallet.prices, ([mint, price]) => [mint, String(price.lamports), String(price.tokens)]),
        holds: [...wallet.holds.values()],
      };
      for (const [p, { settledLamports, returnedLamports, commits, recent }] of wallet.pairs) {
        const settled = String(settledLamports);
        const returned = String(returnedLamports);
        yield { t: 'pair', s, p, settled, returned, commits: commits.map(printed), recent: recent.map(printed) };
      }
    }
  }

  #forget(wallet: WalletState, now: number): void {
    const isInWindow = ({ at }: { at: number }): boolean => at > now - RETURN_WINDOW_MS;
    wallet.over = wallet.over.filter(isInWindow);
    wallet.word = wallet.word.filter(isInWindow);
    wallet.buys = wallet.buys.filter(isInWindow);
    for (const [key, { at }] of wallet.holds) if (at < now - KEPT_MS) wallet.holds.delete(key);
    for (const pair of wallet.pairs.values()) {
      pair.recent = pair.recent.filter(({ at }) => at > now - KEPT_MS);
      pair.commits = pair.commits.filter((commit) => {
        const isSettled = this.#countsFrom(commit) <= now - KEPT_MS;
        if (isSettled) pair.settledLamports += commit.lamports;
        const isDropped = commit.finalAt === null && commit.at <= now - UNFINISHED_KEPT_MS;
        if (isSettled || isDropped) this.#commits.delete(commit.sig);
        return !isSettled && !isDropped;
      });
    }
  }

  #countsFrom({ finalAt, at }: Commit): number {
    return finalAt === null ? Infinity : Math.max(finalAt, at + this.#finalAfterMs);
  }

  #addCommit(pair: PairState, commit: Commit): void {
    pair.commits.push(commit);
    this.#commits.set(commit.sig, commit);
  }

  #applyReturn({ s, dig, at, legs }: FundsRecord & { t: 'ret' }): void {
    const wallet = this.#walletOf(s);
    for (const { p, what, replaces, ...leg } of legs) {
      const pair = this.#pairOf(s, p);
      const lamports = BigInt(leg.lamports);
      const replaced = replaces ? pair.recent.find((one) => one.what === what && !one.isReplaced) : undefined;
      if (replaced !== undefined) replaced.isReplaced = true;
      pair.returnedLamports += lamports - (replaced?.lamports ?? 0n);
      pair.recent.push({ dig, what, lamports, at, isReplaced: false });
      wallet.holds.delete(`${p} ${what}`);
    }
    // One entry per transaction: a strategy that ends returns to thousands within a day.
    wallet.over.push({ at, lamports: legs.reduce((sum, { over }) => sum + BigInt(over), 0n) });
    const word = { at, lamports: legs.reduce((sum, leg) => sum + BigInt(leg.word), 0n) };
    wallet.word.push(word);
    if (word.lamports > 0n) this.#words.push(word);
  }

  #applyBuy({ s, dig, m, at, ...buy }: FundsRecord & { t: 'buy' }): void {
    const wallet = this.#walletOf(s);
    const price = { lamports: BigInt(buy.lamports), tokens: BigInt(buy.tokens) };
    wallet.buys.push({ at, dig, lamports: price.lamports });
    const dearest = wallet.prices.get(m);
    if (dearest === undefined || price.lamports * dearest.tokens > dearest.lamports * price.tokens) {
      wallet.prices.set(m, price);
    }
  }

  #pair(strategy: string, personal: string): PairState | null {
    return this.#wallets.get(strategy)?.pairs.get(personal) ?? null;
  }

  #walletOf(strategy: string): WalletState {
    let wallet = this.#wallets.get(strategy);
    if (wallet === undefined) {
      wallet = { pairs: new Map(), over: [], word: [], buys: [], prices: new Map(), holds: new Map() };
      this.#wallets.set(strategy, wallet);
    }
    return wallet;
  }

  #pairOf(strategy: string, personal: string): PairState {
    const { pairs } = this.#walletOf(strategy);
    let pair = pairs.get(personal);
    if (pair === undefined) {
      pair = { settledLamports: 0n, commits: [], returnedLamports: 0n, recent: [] };
      pairs.set(personal, pair);
    }
    return pair;
  }
}

export function returnRecord(strategy: string, digest: string, at: number, legs: readonly LegDecision[]): FundsRecord {
  return {
    t: 'ret',
    s: strategy,
    dig: digest,
    at,
    legs: legs.map((leg) => ({
      p: leg.to,
      what: leg.what,
      lamports: String(leg.lamports),
      over: String(leg.overLamports),
      word: String(leg.wordLamports),
      replaces: leg.replaces,
    })),
  };
}

function sumSince(rows: readonly Timed[], now: number): bigint {
  let sum = 0n;
  for (const { at, lamports } of rows) if (at > now - RETURN_WINDOW_MS) sum += lamports;
  return sum;
}

function timed({ at, lamports }: TimedRecord): Timed {
  return { at, lamports: BigInt(lamports) };
}

function printed<Row extends { lamports: bigint }>(row: Row): Omit<Row, 'lamports'> & { lamports: string } {
  return { ...row, lamports: String(row.lamports) };
}
