import { describe, expect, it } from 'vitest';
import {
  DAY_MS,
  decideWithdrawal,
  RESET_PAUSE_MS,
  SIGNATURES_MAX,
  TOKEN_WITHDRAWALS_PER_DAY,
  type WithdrawalRecord,
} from './withdrawal-rules.ts';

const NOW = 1_800_000_000_000;
const LIMITS = { dailyLamports: 1_000n, largeLamports: 100n, totalLamports: 10_000n };
type Input = Parameters<typeof decideWithdrawal>[0];

/** A small withdrawal to a destination that was paid long ago. */
function decide(overrides: Partial<Input> = {}) {
  return decideWithdrawal({
    now: NOW,
    limits: LIMITS,
    lamports: 10n,
    isToken: false,
    destination: 'old',
    digest: 'digest',
    known: null,
    history: [],
    destinations: new Map([['old', 0]]),
    passwordChangedAt: null,
    passwordResetAt: null,
    own: { dailyLamports: 2n ** 64n, delaysNew: false },
    ...overrides,
  });
}

function aRecord(overrides: Partial<WithdrawalRecord> = {}): WithdrawalRecord {
  return {
    walletId: 'wallet',
    withdrawalId: 'withdrawal',
    destination: 'old',
    lamports: 10n,
    token: null,
    authenticatedAt: NOW,
    factorAt: null,
    heldUntil: null,
    signed: [],
    ...overrides,
  };
}
const signedAt = (...times: number[]) => times.map((at, index) => ({ digest: `${at} ${index}`, at }));
const SIGN = { kind: 'sign' };
const denied = (code: string) => expect.objectContaining({ kind: 'deny', denial: expect.objectContaining({ code }) });

describe('signing a withdrawal again', () => {
  it('is free for the same message, however often', () => {
    const signed = [...signedAt(...Array.from({ length: SIGNATURES_MAX }, () => NOW)), { digest: 'digest', at: NOW }];
    expect(decide({ lamports: 5_000n, known: aRecord({ signed }) })).toEqual(SIGN);
  });

  it('takes so many different messages and no more', () => {
    const times = Array.from({ length: SIGNATURES_MAX }, () => NOW - 2 * DAY_MS);
    expect(decide({ known: aRecord({ signed: signedAt(...times.slice(1)) }) })).toEqual(SIGN);
    expect(decide({ known: aRecord({ signed: signedAt(...times) }) })).toEqual(denied('WITHDRAWAL_RESIGNED_TOO_OFTEN'));
  });
});

describe('the limit of 24 hours', () => {
  it('counts every message of the last day with its amount', () => {
    const history = [aRecord({ lamports: 400n, signed: signedAt(NOW - DAY_MS + 1, NOW - DAY_MS + 1) })];
    expect(decide({ lamports: 200n, history })).toEqual(SIGN);
    expect(decide({ lamports: 201n, history })).toEqual(denied('VELOCITY'));
    const over = [aRecord({ lamports: 400n, signed: signedAt(NOW - DAY_MS, NOW - DAY_MS) })];
    expect(decide({ lamports: 1_000n, history: over })).toEqual(SIGN);
  });

  it('is the lower one of the installation and of the owner', () => {
    const own = { dailyLamports: 50n, delaysNew: false };
    expect(decide({ lamports: 50n, own })).toEqual(SIGN);
    expect(decide({ lamports: 51n, own })).toEqual(denied('VELOCITY'));
    expect(decide({ lamports: 1_001n })).toEqual(denied('VELOCITY'));
  });

  it('counts withdrawals of tokens by their number', () => {
    const token = { mint: 'mint', amount: 5n };
    const tokens = (count: number) =>
      Array.from({ length: count }, () => aRecord({ lamports: 0n, token, signed: signedAt(NOW - 1) }));
    const sol = aRecord({ lamports: 1n, signed: signedAt(NOW - 1) });
    const ask = { isToken: true, lamports: 0n };
    expect(decide({ ...ask, history: [sol, ...tokens(TOKEN_WITHDRAWALS_PER_DAY - 1)] })).toEqual(SIGN);
    expect(decide({ ...ask, history: tokens(TOKEN_WITHDRAWALS_PER_DAY) })).toEqual(denied('VELOCITY'));
    expect(decide({ history: tokens(TOKEN_WITHDRAWALS_PER_DAY) })).toEqual(SIGN);
  });
});

describe('after a reset of the password', () => {
  const passwordResetAt = NOW - RESET_PAUSE_MS + 1;

  it('money goes only where it went before the reset, until the pause is over', () => {
    const until = passwordResetAt + RESET_PAUSE_MS;
    expect(decide({ passwordResetAt })).toEqual(SIGN);
    expect(decide({ passwordResetAt, destination: 'new' })).toMatchObject({
      denial: { code: 'NEW_ADDRESS_AFTER_RESET', until },
    });
    const since = (at: number) => decide({ passwordResetAt, destinations: new Map([['old', at]]) });
    expect(since(passwordResetAt)).toEqual(denied('NEW_ADDRESS_AFTER_RESET'));
    expect(since(passwordResetAt - 1)).toEqual(SIGN);
    expect(decide({ passwordResetAt: NOW - RESET_PAUSE_MS, destination: 'new' })).toEqual(SIGN);
  });
});

describe('a withdrawal to a new destination', () => {
  const ask = { destination: 'new' };
  const hold = (reason: string, until = NOW + DAY_MS) => ({ kind: 'hold', until, reason });

  it('waits for a day where it is large, alone or together with others to new destinations', () => {
    expect(decide({ ...ask, lamports: 99n })).toEqual(SIGN);
    expect(decide({ ...ask, lamports: 100n })).toEqual(hold('new-address'));
    const others = (destination: string) => [aRecord({ destination, lamports: 60n, signed: signedAt(NOW - 1) })];
    expect(decide({ ...ask, lamports: 40n, history: others('other') })).toEqual(hold('new-address'));
    expect(decide({ ...ask, lamports: 40n, history: others('old') })).toEqual(SIGN);
  });

  it('is new for a day after it was first paid', () => {
    const paid = (at: number) => decide({ ...ask, lamports: 100n, destinations: new Map([['new', at]]) });
    expect(paid(NOW - DAY_MS + 1)).toEqual(hold('new-address'));
    expect(paid(NOW - DAY_MS)).toEqual(SIGN);
  });

  it('waits where it is of tokens, or where the owner chose so', () => {
    expect(decide({ ...ask, isToken: true, lamports: 0n })).toEqual(hold('new-address-token'));
    const own = { dailyLamports: 2n ** 64n, delaysNew: true };
    expect(decide({ ...ask, own })).toEqual(hold('own-delay'));
    expect(decide({ own })).toEqual(SIGN);
  });

  it('is signed when its day is over, and waits anew where the password was changed meanwhile', () => {
    const held = (heldUntil: number, authenticatedAt = NOW) =>
      decide({ ...ask, lamports: 100n, known: aRecord({ destination: 'new', heldUntil, authenticatedAt }) });
    expect(held(NOW)).toEqual(SIGN);
    expect(held(NOW + 1)).toEqual(hold('new-address', NOW + 1));
    const changed = (authenticatedAt: number) =>
      decide({
        ...ask,
        lamports: 100n,
        passwordChangedAt: NOW - 5,
        known: aRecord({ destination: 'new', heldUntil: NOW, authenticatedAt }),
      });
    expect(changed(NOW - 6)).toEqual(hold('password-changed'));
    expect(changed(NOW - 5)).toEqual(SIGN);
    expect(decide({ ...ask, lamports: 100n, known: aRecord({ destination: 'new' }) })).toEqual(hold('new-address'));
  });
});

describe('after a change of the password', () => {
  it('a large withdrawal waits to any destination, for a day', () => {
    const changed = (passwordChangedAt: number, lamports = 100n) => decide({ passwordChangedAt, lamports });
    expect(changed(NOW - DAY_MS + 1)).toMatchObject({ kind: 'hold', reason: 'password-changed' });
    expect(changed(NOW - DAY_MS + 1, 99n)).toEqual(SIGN);
    expect(changed(NOW - DAY_MS)).toEqual(SIGN);
    const history = [aRecord({ lamports: 60n, signed: signedAt(NOW - 1) })];
    expect(decide({ passwordChangedAt: NOW - 1, lamports: 40n, history })).toMatchObject({ kind: 'hold' });
    const own = { dailyLamports: 2n ** 64n, delaysNew: true };
    expect(decide({ passwordChangedAt: NOW - 1, own })).toEqual(SIGN);
  });
});
