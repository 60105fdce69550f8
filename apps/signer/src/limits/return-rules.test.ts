import { describe, expect, it } from 'vitest';
import { decideReturn, type Pair } from './return-rules.ts';

const NOW = 1_000_000_000;
const SIGNED_MS_AGO = 2_000;
const LANDED_OR_EXPIRED_MS = 150_000;

/** A follower who committed 500 a minute ago, beside others. */
function askAgain(recent: Pair['recent'], now = NOW, lamports = 499n) {
  const pair: Pair = {
    commits: [{ lamports: 500n, signedAt: NOW - 60_000, countsFrom: NOW - 30_000 }],
    returnedLamports: recent.reduce((sum, one) => sum + one.lamports, 0n),
    recent,
  };
  return decideReturn({
    now,
    limits: { wordLamports: 10_000n, wordTotalLamports: 100_000n },
    legs: [{ to: 'follower', what: `sol ${lamports}`, lamports }],
    pair: () => pair,
    hasOthers: () => true,
    committedLamports: () => 100_000n,
    overLamports: 0n,
    wordLamports: 0n,
    allWordLamports: 0n,
    heldSince: () => null,
  });
}

describe('a return whose signature the server lost', () => {
  const signed = { what: 'sol 499', lamports: 499n, at: NOW - SIGNED_MS_AGO, isReplaced: false };
  const expiredAt = signed.at + LANDED_OR_EXPIRED_MS;

  it('waits until the first one has landed or expired, not for an hour', () => {
    const decision = askAgain([signed]);
    expect(decision).toMatchObject({ kind: 'deny', denial: { code: 'HELD', until: expiredAt } });
    expect(askAgain([signed], expiredAt - 1)).toEqual(decision);
  });

  it('is signed in its place from then on, once', () => {
    expect(askAgain([signed], expiredAt)).toMatchObject({ kind: 'sign', legs: [{ replaces: true }] });
    const after = [
      { ...signed, isReplaced: true },
      { ...signed, at: expiredAt },
    ];
    expect(askAgain(after, expiredAt + 1)).toMatchObject({ kind: 'deny' });
  });

  it('is held for an hour, with an alarm, where another amount is asked for', () => {
    expect(askAgain([signed], NOW, 498n)).toMatchObject({ kind: 'hold' });
  });
});
