import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keypair } from '@hunter/solana/keypair';
import { beforeEach, describe, expect, it } from 'vitest';
import { aSigner, COMMIT_FINAL_MS, type TestSigner } from '../fixtures/a-signer.ts';
import {
  aPersonalWallet,
  aStrategyWallet,
  committed,
  outcomeOf,
  requestOf,
  type TestWallet,
} from '../fixtures/a-wallet.ts';
import { buyFor, commit, mint, RENT, returned, type Scene } from '../fixtures/transaction-scenes.ts';

const SOL = 1_000_000_000n;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

let test: TestSigner;
let strategy: TestWallet;
let person: TestWallet;
let other: TestWallet;

beforeEach(async () => {
  test = aSigner();
  strategy = await aStrategyWallet(test);
  person = aPersonalWallet(test);
  other = aPersonalWallet(test);
});

const sign = (wallet: TestWallet, scene: Scene): Promise<string> => outcomeOf(test, wallet, scene);
const commits = (from: TestWallet, lamports: bigint) =>
  committed(test, from, commit(from.address, strategy.address, lamports));
const returns = (lamports: bigint, to = person): Promise<string> =>
  sign(strategy, returned(strategy.address, [{ to: to.address, lamports }]));
const sendTokens = (amount: bigint, of = mint, to = person): Promise<string> =>
  sign(strategy, returned(strategy.address, [], [{ to: to.address, mint: of, amount }]));
describe('a return', () => {
  beforeEach(async () => {
    await commits(person, 10n * SOL);
    await commits(other, 30n * SOL);
    test.clock.now += COMMIT_FINAL_MS;
  });

  it('pays several receivers in one transaction, in SOL and in kind', async () => {
    expect(await sign(strategy, buyFor(strategy.address, SOL))).toBe('SIGNED');
    const legs = [person, other].map(({ address }) => ({ to: address, lamports: SOL }));
    const tokens = [person, other].map(({ address }) => ({ to: address, mint, amount: 100n }));
    expect(await sign(strategy, returned(strategy.address, legs, tokens))).toBe('SIGNED');
  });

  it('pays nobody who has not committed to this very wallet', async () => {
    const second = await aStrategyWallet(test);
    const stranger = aPersonalWallet(test);
    expect(await returns(1n, stranger)).toBe('DESTINATION');
    expect(await sign(second, returned(second.address, [{ to: person.address, lamports: 1n }]))).toBe('DESTINATION');
    const legs = [person, stranger].map(({ address }) => ({ to: address, lamports: 1n }));
    expect(await sign(strategy, returned(strategy.address, legs))).toBe('DESTINATION');
    expect(await returns(1n, strategy)).toBe('DESTINATION');
  });

  it('is signed at once up to 1.5 × what the receiver committed, less what went back before', async () => {
    expect(await returns(14n * SOL)).toBe('SIGNED');
    expect(await returns(SOL + 1n)).toBe('HELD');
    expect(await returns(SOL)).toBe('SIGNED');
    expect(await returns(1n)).toBe('HELD');
    expect(await returns(45n * SOL, other)).toBe('SIGNED');
  });

  it('beyond that waits an hour with an alarm, and then needs the same amount', async () => {
    const over = 16n * SOL;
    const [first] = await test.signer.sign([
      requestOf(strategy, returned(strategy.address, [{ to: person.address, lamports: over }])),
    ]);
    const until = test.clock.now + HOUR_MS;
    expect(first).toMatchObject({ denied: { code: 'HELD', until, atOnceLamports: String(15n * SOL) } });
    expect(test.alarms).toHaveLength(1);
    expect(JSON.stringify(test.alarms)).toContain(person.address);
    expect(test.signer.status().heldReturns).toMatchObject([
      { strategyWallet: strategy.address, to: person.address, lamports: String(over) },
    ]);
    test = await test.reopen();
    test.clock.now = until - 1;
    expect(await returns(over)).toBe('HELD');
    expect(test.alarms).toHaveLength(0);
    test.clock.now = until;
    expect(await returns(over + 1n)).toBe('HELD');
    expect(await returns(over)).toBe('SIGNED');
    expect(test.signer.status().heldReturns).toMatchObject([{ lamports: String(over + 1n) }]);
    // What was waited for is used up.
    expect(test.state.funds.heldSince(strategy.address, person.address, `sol ${over}`)).toBeNull();
  });

  it('beyond that never takes more than a fifth of all commits in a day', async () => {
    expect(await returns(15n * SOL)).toBe('SIGNED');
    for (const lamports of [5n * SOL, 4n * SOL, 8n * SOL, 8n * SOL + 1n]) {
      expect(await returns(lamports)).toBe(lamports > 8n * SOL ? 'RETURN_CEILING' : 'HELD');
    }
    test.clock.now += HOUR_MS;
    expect(await returns(5n * SOL)).toBe('SIGNED');
    expect(await returns(4n * SOL)).toBe('RETURN_CEILING');
    test = await test.reopen();
    await test.state.compact();
    test = await test.reopen();
    expect(await returns(4n * SOL)).toBe('RETURN_CEILING');
    test.clock.now += DAY_MS;
    expect(await returns(4n * SOL)).toBe('SIGNED');
  });

  it('counts a message once however often it is signed', async () => {
    const scene = returned(strategy.address, [{ to: person.address, lamports: 10n * SOL }]);
    const request = requestOf(strategy, scene);
    for (let index = 0; index < 3; index += 1) {
      expect(await test.signer.sign([request])).toMatchObject([{ signature: expect.any(String) as string }]);
    }
    expect(test.state.funds.pair(strategy.address, person.address)?.returnedLamports).toBe(10n * SOL);
    expect(await sign(strategy, scene)).toBe('HELD');
  });

  it('never lets many requests at once pass what one after the other could not', async () => {
    const requests = Array.from({ length: 40 }, () =>
      requestOf(strategy, returned(strategy.address, [{ to: person.address, lamports: SOL }])),
    );
    const outcomes = await Promise.all([
      test.signer.sign(requests.slice(0, 20)),
      ...requests.slice(20).map((request) => test.signer.sign([request])),
    ]);
    expect(outcomes.flat().filter((outcome) => 'signature' in outcome)).toHaveLength(15);
  });

  it('takes the place of an equal one that has expired by now', async () => {
    expect(await returns(10n * SOL)).toBe('SIGNED');
    test.clock.now += 149_999;
    expect(await returns(10n * SOL)).toBe('HELD');
    test.clock.now += 1;
    expect(await returns(10n * SOL)).toBe('SIGNED');
    test = await test.reopen();
    expect(test.state.funds.pair(strategy.address, person.address)?.returnedLamports).toBe(10n * SOL);
    // It has taken the place of one, and may itself expire.
    expect(await returns(10n * SOL)).toBe('HELD');
  });

  it('counts what one receiver gets by several legs together, and each receiver by himself', async () => {
    expect(await sign(strategy, buyFor(strategy.address, SOL, 1_000_000n))).toBe('SIGNED');
    const both = (lamports: bigint, amount: bigint): Promise<string> => {
      const legs = [
        { to: person.address, lamports },
        { to: other.address, lamports: 40n * SOL },
      ];
      return sign(strategy, returned(strategy.address, legs, [{ to: person.address, mint, amount }]));
    };
    expect(await both(14n * SOL, 1_000_000n)).toBe('HELD');
    expect(await both(14n * SOL, 990_000n)).toBe('SIGNED');
    const { returnedLamports } = test.state.funds.pair(strategy.address, person.address)!;
    expect(returnedLamports).toBe(14n * SOL + 990_000_000n + RENT);
    expect(test.state.funds.wordLamports(strategy.address, test.clock.now)).toBe(54n * SOL + 990_000_000n + RENT);
  });

  it('names the last hour that any of its receivers has to wait for', async () => {
    const legs = (first: bigint, second: bigint): Scene =>
      returned(strategy.address, [
        { to: person.address, lamports: first },
        { to: other.address, lamports: second },
      ]);
    expect(await returns(16n * SOL)).toBe('HELD');
    test.clock.now += HOUR_MS / 2;
    const [outcome] = await test.signer.sign([requestOf(strategy, legs(16n * SOL, 46n * SOL))]);
    expect(outcome).toMatchObject({ denied: { code: 'HELD', until: test.clock.now + HOUR_MS } });
    expect(test.signer.status().heldReturns).toHaveLength(2);
    test.clock.now += HOUR_MS / 2;
    expect(await sign(strategy, legs(16n * SOL, 46n * SOL))).toBe('HELD');
    test.clock.now += HOUR_MS / 2;
    expect(await sign(strategy, legs(16n * SOL, 46n * SOL))).toBe('SIGNED');
  });

  it('takes no equal one’s place while both fit', async () => {
    expect(await returns(5n * SOL)).toBe('SIGNED');
    test.clock.now += 150_000;
    expect(await returns(5n * SOL)).toBe('SIGNED');
    expect(await returns(5n * SOL)).toBe('SIGNED');
    expect(test.state.funds.pair(strategy.address, person.address)?.returnedLamports).toBe(15n * SOL);
  });

  it('remembers everything across a restart, a torn log and a compaction', async () => {
    expect(await returns(9n * SOL)).toBe('SIGNED');
    for (const disturb of [
      () => Promise.resolve(),
      () => Promise.resolve(appendFileSync(join(test.folder, 'signer.log'), '12345678 {"t":"ret"')),
      () => test.state.compact(),
    ]) {
      await disturb();
      test = await test.reopen();
      expect(test.state.funds.pair(strategy.address, person.address)).toMatchObject({ returnedLamports: 9n * SOL });
      expect(test.state.funds.committedLamports(strategy.address, test.clock.now)).toBe(40n * SOL);
    }
    test.clock.now += 40 * DAY_MS;
    await test.state.compact();
    test = await test.reopen();
    expect(readFileSync(join(test.folder, 'signer.log'), 'utf8')).not.toContain('"sig"');
    expect(test.state.funds.committedLamports(strategy.address, test.clock.now)).toBe(40n * SOL);
    expect(await returns(6n * SOL + 1n)).toBe('HELD');
    expect(await returns(6n * SOL)).toBe('SIGNED');
  });
});

describe('a return to the only one who has committed', () => {
  it('has no limit, in SOL and in kind, until somebody else commits', async () => {
    await commits(person, SOL);
    expect(await returns(SOL)).toBe('COMMIT_NOT_FINAL');
    test.clock.now += COMMIT_FINAL_MS;
    expect(await returns(50n * SOL)).toBe('SIGNED');
    expect(await sendTokens(5n, Keypair.generate().address)).toBe('SIGNED');
    expect(await returns(1n, other)).toBe('DESTINATION');
    // From the moment a second one's commit is signed, final or not, there is somebody to protect.
    expect(await sign(other, commit(other.address, strategy.address, SOL))).toBe('SIGNED');
    test = await test.reopen();
    expect(await returns(1n)).toBe('HELD');
    await test.state.compact();
    test = await test.reopen();
    expect(await returns(1n)).toBe('HELD');
  });
});

describe('returns on the server’s word', () => {
  beforeEach(async () => {
    test = aSigner({ wordSol: 10n });
    strategy = await aStrategyWallet(test);
    person = aPersonalWallet(test);
    other = aPersonalWallet(test);
    await commits(aPersonalWallet(test), SOL);
    await commits(person, 100n * SOL);
    test.clock.now += COMMIT_FINAL_MS;
  });

  it('stop at their ceiling while commits are younger than a day', async () => {
    expect(await returns(6n * SOL)).toBe('SIGNED');
    expect(await returns(5n * SOL)).toBe('RETURN_CEILING');
    expect(await returns(4n * SOL)).toBe('SIGNED');
    test = await test.reopen();
    await test.state.compact();
    test = await test.reopen();
    expect(await returns(1n)).toBe('RETURN_CEILING');
    test.clock.now += DAY_MS;
    expect(await returns(80n * SOL)).toBe('SIGNED');
    // 60 SOL are left of 1.5 × 100; ten more rest on the server's word again.
    expect(await returns(71n * SOL)).toBe('RETURN_CEILING');
    expect(await returns(60n * SOL)).toBe('SIGNED');
  });

  it('let an expired return be signed again up to the ceiling only', async () => {
    test.clock.now += DAY_MS;
    expect(await returns(140n * SOL)).toBe('SIGNED');
    expect(await returns(10n * SOL)).toBe('SIGNED');
    test.clock.now += 150_000;
    expect(await returns(140n * SOL)).toBe('RETURN_CEILING');
    expect(await returns(10n * SOL)).toBe('SIGNED');
    test.clock.now += 150_000;
    expect(await returns(10n * SOL)).toBe('RETURN_CEILING');
  });

  it('let a made-up commit take no more than the ceiling out of a full wallet', async () => {
    test.clock.now += DAY_MS;
    await commits(other, 1_000_000n * SOL);
    test.clock.now += COMMIT_FINAL_MS;
    expect(await returns(11n * SOL, other)).toBe('RETURN_CEILING');
    expect(await returns(10n * SOL, other)).toBe('SIGNED');
    expect(await returns(1n, other)).toBe('RETURN_CEILING');
    // Those whose commits are older are not locked in by that.
    expect(await returns(100n * SOL)).toBe('SIGNED');
  });
});

describe('returns of many strategy wallets on the server’s word', () => {
  const thief = () => aPersonalWallet(test);
  /** A wallet made for this: somebody's SOL goes in, and the thief's commit is signed, called final and never sent. */
  const drained = async (lamports: bigint): Promise<string> => {
    strategy = await aStrategyWallet(test);
    const by = thief();
    await commits(person, lamports);
    await commits(by, lamports);
    test.clock.now += COMMIT_FINAL_MS;
    return returns(lamports, by);
  };

  beforeEach(() => {
    test = aSigner({ wordSol: 10n, wordTotalSol: 40n });
    person = aPersonalWallet(test);
  });

  it('have a ceiling over all of them; its tenth and its half are alarms, on each further day, too', async () => {
    expect(await drained(10n * SOL)).toBe('SIGNED');
    expect(await drained(10n * SOL)).toBe('SIGNED');
    const left = 'what strategy wallets may return on the server’s word in 24 hours has left';
    expect(test.alarms).toEqual([{ msg: `a tenth of ${left}` }]);
    expect(await drained(2n * SOL)).toBe('RETURN_CEILING');
    // The other half is there for wallets that return little.
    expect(await drained(SOL)).toBe('SIGNED');
    expect(test.alarms.splice(0).at(-1)).toEqual({ msg: `half of ${left}` });
    test = await test.reopen();
    expect(await drained(2n * SOL)).toBe('RETURN_CEILING');
    await test.state.compact();
    test = await test.reopen();
    expect(await drained(2n * SOL)).toBe('RETURN_CEILING');
    for (let index = 0; index < 20; index += 1)
      expect(await drained(SOL)).toBe(index < 19 ? 'SIGNED' : 'RETURN_CEILING');
    // Told anew by the restarted one, and once a day.
    expect(test.alarms.splice(0)).toEqual([{ msg: `half of ${left}` }]);
    test.clock.now += DAY_MS;
    expect(await drained(10n * SOL)).toBe('SIGNED');
    expect(test.alarms).toEqual([{ msg: `a tenth of ${left}, on 2 days in a row` }]);
  });

  it('keep nobody from what he committed a day ago', async () => {
    strategy = await aStrategyWallet(test);
    const old = strategy;
    await commits(thief(), SOL);
    await commits(person, 100n * SOL);
    test.clock.now += DAY_MS + COMMIT_FINAL_MS;
    for (let index = 0; index < 4; index += 1) await drained(10n * SOL);
    for (let index = 0; index < 21; index += 1) await drained(SOL);
    strategy = old;
    expect(await returns(150n * SOL)).toBe('SIGNED');
  });
});

describe('a return in kind', () => {
  beforeEach(async () => {
    await commits(person, 10n * SOL);
    await commits(other, 30n * SOL);
    test.clock.now += COMMIT_FINAL_MS;
  });

  it('counts at the dearest buy of the mint, rent of a new account included', async () => {
    expect(await sign(strategy, buyFor(strategy.address, SOL, 1_000_000n))).toBe('SIGNED');
    expect(await sendTokens(14_990_000n)).toBe('SIGNED');
    expect(test.state.funds.pair(strategy.address, person.address)?.returnedLamports).toBe(14_990_000n * 1_000n + RENT);
    expect(await sendTokens(10_000n)).toBe('HELD');
    // A buy that costs next to nothing, which nobody has to send, makes nothing cheaper.
    expect(await sign(strategy, buyFor(strategy.address, 3_000_000n, 10n ** 15n))).toBe('SIGNED');
    expect(await sendTokens(10_000n)).toBe('HELD');
    test = await test.reopen();
    await test.state.compact();
    test = await test.reopen();
    expect(await sendTokens(10_000n)).toBe('HELD');
    test.clock.now += HOUR_MS;
    expect(await sendTokens(10_000n)).toBe('SIGNED');
  });

  it('of tokens never bought waits an hour', async () => {
    const gift = Keypair.generate().address;
    expect(await sendTokens(5n, gift)).toBe('HELD');
    expect(test.signer.status().heldReturns).toMatchObject([{ to: person.address, lamports: null }]);
    test.clock.now += HOUR_MS;
    expect(await sendTokens(5n, gift)).toBe('SIGNED');
    expect(await sendTokens(5n, gift)).toBe('HELD');
    expect(await sendTokens(5n, gift, aPersonalWallet(test))).toBe('DESTINATION');
  });
});
