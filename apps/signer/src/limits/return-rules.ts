import type { Denial } from '../denial.ts';

// What a strategy wallet may send back, and to whom. The signer sees no chain: that a commit is final, and that an
// earlier return has expired, is what the server says. What is returned on the server's word alone (against commits
// younger than a day, in the place of an expired return, or beyond 1.5 × the commits) therefore has a ceiling per wallet and
// day, and one over all wallets: a hostile server makes as many of them as it likes, and moves anybody's SOL in. Returns
// against older commits have none but the commits themselves. Where nobody but the receiver has ever committed, there is
// nobody whose SOL he could be given, and no limit applies.

export type ReturnLimits = {
  /** What one strategy wallet returns on the server's word in 24 hours, at most. */
  wordLamports: bigint;
  /** What all of them together do. */
  wordTotalLamports: bigint;
};

/** Of the total a wallet that returned more than this part of its own ceiling may use half only, or one person would stop all others. */
const MUCH = 10n;

/** One receiver's part of a return: SOL, or tokens of one mint at their value. */
export type ReturnLeg = {
  to: string;
  /** Names exactly what is sent, so that the same request is recognised when it comes again. */
  what: string;
  /** What it counts for; null for tokens that nobody knows a price of. */
  lamports: bigint | null;
};

/** What the signer knows about the SOL between a strategy wallet and one personal wallet. */
export type Pair = {
  /** Commits by when they begin to count: never, as long as the server has not called them final. */
  commits: readonly { lamports: bigint; signedAt: number; countsFrom: number }[];
  /** Every distinct message signed, less those that a later one took the place of. */
  returnedLamports: bigint;
  /** Returns that a later one may take the place of. */
  recent: readonly { what: string; lamports: bigint; at: number; isReplaced: boolean }[];
};

export type LegDecision = {
  to: string;
  what: string;
  lamports: bigint;
  /** The part beyond 1.5 × the commits. */
  overLamports: bigint;
  /** The part that rests on the server's word. */
  wordLamports: bigint;
  replaces: boolean;
};
export type ReturnDecision =
  | { kind: 'sign'; legs: LegDecision[] }
  | { kind: 'hold'; holds: { to: string; what: string; lamports: bigint | null }[]; denial: Denial }
  | { kind: 'deny'; denial: Denial };

export const RETURN_WINDOW_MS = 24 * 60 * 60_000;
export const RETURN_HOLD_MS = 60 * 60_000;
/** A blockhash lives about a minute; what was signed longer ago than this either landed or never will. */
const EXPIRED_AFTER_MS = 150_000;

/** Pure: called with no await between reading what was and recording the outcome, or parallel requests would race. */
export function decideReturn(input: {
  now: number;
  limits: ReturnLimits;
  legs: readonly ReturnLeg[];
  pair: (to: string) => Pair | null;
  /** Whether anybody else has committed to the wallet, be it final or not. */
  hasOthers: (to: string) => boolean;
  /** All commits that count, of everybody. */
  committedLamports: () => bigint;
  /** What went out within 24 hours beyond 1.5 × the commits, and on the server's word. */
  overLamports: bigint;
  wordLamports: bigint;
  /** The latter of all wallets. */
  allWordLamports: bigint;
  heldSince: (to: string, what: string) => number | null;
}): ReturnDecision {
  const { now } = input;
  const decided: LegDecision[] = [];
  const held: { to: string; what: string; lamports: bigint | null; since: number | null; atOnce: bigint }[] = [];
  let over = input.overLamports;
  let word = input.wordLamports;
  for (const leg of input.legs) {
    const pair = input.pair(leg.to);
    if (pair === null) return refuse('DESTINATION', 'the receiver has never committed to this wallet');
    const earlier = decided.filter(({ to }) => to === leg.to).reduce((sum, { lamports }) => sum + lamports, 0n);
    const allowance = allowanceOf(pair, earlier, now);
    if (allowance.committed === 0n && pair.commits.some(({ countsFrom }) => countsFrom > now)) {
      return notFinal(pair, now);
    }
    const lamports = leg.lamports ?? 0n;
    if (!input.hasOthers(leg.to)) {
      decided.push({ to: leg.to, what: leg.what, lamports, overLamports: 0n, wordLamports: 0n, replaces: false });
      continue;
    }
    let { atOnce } = allowance;
    const mayReplace = lamports > atOnce && word + lamports <= input.limits.wordLamports;
    const same = mayReplace ? pair.recent.filter((one) => one.what === leg.what && !one.isReplaced) : [];
    const replaces = same.some(({ at }) => at <= now - EXPIRED_AFTER_MS);
    if (replaces) atOnce += lamports;
    // A server that lost the first signature asks again at once. In a moment that one has landed or never will: no hour, no alarm.
    else if (same.length > 0) return stillOnItsWay(Math.min(...same.map(({ at }) => at)));
    // Somebody who followed again and cancels at once: his newest commit counts in a moment, so nothing is held for an hour. What
    // it will not cover either is held and alarmed like any other.
    if (lamports > atOnce && lamports <= allowance.soon) return notFinal(pair, now);
    const overLamports = larger(lamports - atOnce, 0n);
    const wordLamports = replaces ? lamports : larger(lamports - allowance.matured, 0n);
    over += overLamports;
    word += wordLamports;
    if (overLamports > 0n || leg.lamports === null) {
      held.push({ ...leg, since: input.heldSince(leg.to, leg.what), atOnce });
    }
    decided.push({ to: leg.to, what: leg.what, lamports, overLamports, wordLamports, replaces });
  }
  if (over > input.overLamports && over > (input.committedLamports() * 20n) / 100n) {
    return refuse('RETURN_CEILING', 'beyond 1.5 × the commits at most 20 % of all commits leave in 24 hours');
  }
  if (word > input.limits.wordLamports) {
    return refuse('RETURN_CEILING', 'the returns on the server’s word reached their ceiling of 24 hours');
  }
  const { wordLamports, wordTotalLamports } = input.limits;
  const room = word > wordLamports / MUCH ? wordTotalLamports / 2n : wordTotalLamports;
  if (word > input.wordLamports && input.allWordLamports + word - input.wordLamports > room) {
    return refuse('RETURN_CEILING', 'the returns of all strategy wallets on the server’s word reached theirs');
  }
  const waiting = held.filter(({ since }) => since === null || since + RETURN_HOLD_MS > now);
  if (waiting.length === 0) return { kind: 'sign', legs: decided };
  const until = Math.max(...waiting.map(({ since }) => (since ?? now) + RETURN_HOLD_MS));
  const reason = 'a return beyond 1.5 × the commits, or of tokens without a known price, waits for an hour';
  return {
    kind: 'hold',
    holds: waiting.filter(({ since }) => since === null).map(({ to, what, lamports }) => ({ to, what, lamports })),
    denial: { code: 'HELD', reason, until, atOnceLamports: String(waiting[0]!.atOnce) },
  };
}

/** Rounded down: half a lamport is nobody's. `soon` is zero where no commit is about to count. */
function allowanceOf(pair: Pair, alreadyLamports: bigint, now: number) {
  let committed = 0n;
  let old = 0n;
  let pending = 0n;
  for (const commit of pair.commits) {
    const { lamports, countsFrom } = commit;
    if (isPending(commit, now)) pending += lamports;
    if (countsFrom > now) continue;
    committed += lamports;
    if (countsFrom <= now - RETURN_WINDOW_MS) old += lamports;
  }
  const gone = pair.returnedLamports + alreadyLamports;
  return {
    committed,
    atOnce: larger((committed * 3n) / 2n - gone, 0n),
    matured: larger((old * 3n) / 2n - gone, 0n),
    soon: pending === 0n ? 0n : larger(((committed + pending) * 3n) / 2n - gone, 0n),
  };
}

function isPending({ signedAt, countsFrom }: Pair['commits'][number], now: number): boolean {
  return countsFrom > now && (countsFrom !== Infinity || signedAt > now - EXPIRED_AFTER_MS);
}

function notFinal({ commits }: Pair, now: number): ReturnDecision {
  const from = commits.map(({ countsFrom }) => countsFrom).filter((at) => at > now && at !== Infinity);
  const until = from.length > 0 ? { until: Math.min(...from) } : {};
  return {
    kind: 'deny',
    denial: { code: 'COMMIT_NOT_FINAL', reason: 'a commit of the receiver is not final yet', ...until },
  };
}

function stillOnItsWay(signedAt: number): ReturnDecision {
  const reason = 'an earlier transaction of this return may still land';
  return { kind: 'deny', denial: { code: 'HELD', reason, until: signedAt + EXPIRED_AFTER_MS } };
}

function refuse(code: Denial['code'], reason: string): ReturnDecision {
  return { kind: 'deny', denial: { code, reason } };
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
