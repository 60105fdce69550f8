import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keypair } from '@hunter/solana/keypair';
import { beforeEach, describe, expect, it } from 'vitest';
import { Denied } from '../denial.ts';
import {
  aPersonalWallet,
  aStrategyWallet,
  committed,
  outcomeOf,
  requestOf,
  type TestWallet,
} from '../fixtures/a-wallet.ts';
import { aSigner, COMMIT_FINAL_MS, type TestSigner } from '../fixtures/a-signer.ts';
import {
  buy,
  close,
  commit,
  mint,
  PASSWORD,
  pool,
  returned,
  type Scene,
  sell,
  SPEND,
  TOKENS,
  withdrawal,
} from '../fixtures/transaction-scenes.ts';
import { transferSol } from '@hunter/solana/system-program';

const SOL = 1_000_000_000n;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const RENT = 2_039_280n;

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
const denial = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: unknown) => {
    if (error instanceof Denied) return error.denial.code;
    throw error;
  });
/** A buy of a strategy wallet for so much SOL, all costs included. */
function buyFor(lamports: bigint, tokens = TOKENS): Scene {
  const scene = buy(strategy.address);
  // Two signatures and the rent of the token account come on top of what the pool gets.
  scene.instructions[1] = transferSol({
    from: strategy.address,
    to: pool.address,
    lamports: lamports - 10_000n - RENT,
  });
  scene.instructions[2]!.data = Buffer.from(scene.instructions[2]!.data);
  Buffer.from(scene.instructions[2]!.data.buffer, scene.instructions[2]!.data.byteOffset).writeBigUInt64LE(tokens, 1);
  scene.policy.maxLamportsOut = String(lamports);
  scene.policy.minTokensIn = String(tokens);
  return scene;
}

describe('the register of wallets', () => {
  it('keeps every kind across restarts, a torn log and a compaction', async () => {
    await commits(person, SOL);
    expect(test.state.register.get(strategy.address)).toEqual({
      ...strategy.owner,
      address: strategy.address,
      kind: 'strategy',
    });
    const path = join(test.folder, 'signer.log');
    for (const disturb of [
      () => Promise.resolve(appendFileSync(path, '0badc0de {"t":"wal","a":"')),
      () => test.state.compact(),
      () => Promise.resolve(),
    ]) {
      await disturb();
      test = await test.reopen();
      expect(test.state.register.kindOf(strategy.address)).toBe('strategy');
      expect(test.state.register.get(person.address)).toMatchObject({ ...person.owner, kind: 'personal' });
    }
  });

  it('knows a strategy wallet by its seal where the register was lost', async () => {
    await test.state.close();
    writeFileSync(join(test.folder, 'signer.log'), '');
    test = aSigner({ folder: test.folder, clock: test.clock });
    expect(test.state.register.kindOf(strategy.address)).toBeNull();
    expect(await denial(test.signer.resetPassword(strategy.owner, strategy.sealedKey, PASSWORD))).toBe('WALLET_KIND');
    expect(test.state.register.kindOf(strategy.address)).toBe('strategy');
  });

  it('registers a wallet of an earlier version when its key is first opened, and not before', async () => {
    expect(test.state.register.kindOf(person.address)).toBeNull();
    const stolen = { ...person, owner: other.owner };
    expect(await sign(stolen, close(person.address))).toBe('ENVELOPE_INVALID');
    expect(test.state.register.kindOf(person.address)).toBeNull();
    expect(await sign(person, close(person.address))).toBe('SIGNED');
    expect(test.state.register.kindOf(person.address)).toBe('personal');
    expect(test.signer.status().wallets).toEqual({ personal: 1, strategy: 1 });
  });

  it('registers a new personal wallet when it is made, and shows its key once', async () => {
    const owner = { userId: 'new', walletId: 'new' };
    const created = await test.signer.createWallet(owner, PASSWORD);
    expect(test.state.register.get(created.address)).toEqual({ ...owner, address: created.address, kind: 'personal' });
    expect(Keypair.fromBase58SecretKey(created.privateKey as string).address).toBe(created.address);
  });
});

describe('a strategy wallet', () => {
  it('never shows its key and never has a password', async () => {
    const { owner, sealedKey } = strategy;
    expect(Object.keys(await test.signer.createStrategyWallet(owner)).sort()).toEqual(['address', 'sealedKey']);
    expect(await denial(test.signer.exportKey(owner, sealedKey, ''))).toBe('WALLET_KIND');
    expect(await denial(test.signer.verifyPassword(owner, sealedKey, PASSWORD))).toBe('WALLET_KIND');
    expect(await denial(test.signer.changePassword(owner, sealedKey, '', PASSWORD))).toBe('WALLET_KIND');
    expect(await denial(test.signer.resetPassword(owner, sealedKey, PASSWORD))).toBe('WALLET_KIND');
  });

  it('signs no withdrawal and no commit, and a personal wallet no return', async () => {
    const second = await aStrategyWallet(test);
    expect(await sign(strategy, withdrawal(strategy.address))).toBe('WALLET_KIND');
    expect(await sign(strategy, commit(strategy.address, second.address, SOL))).toBe('WALLET_KIND');
    await commits(person, SOL);
    test.clock.now += COMMIT_FINAL_MS;
    expect(await sign(other, returned(other.address, [{ to: person.address, lamports: 1n }]))).toBe('WALLET_KIND');
  });

  it('moves to a new key like any other', async () => {
    await test.signer.rotate();
    const [moved] = await test.signer.rewrap([{ ...strategy.owner, sealedKey: strategy.sealedKey }]);
    if (!('sealedKey' in moved!)) throw new Error('not moved');
    expect(await sign({ ...strategy, sealedKey: moved.sealedKey }, close(strategy.address))).toBe('SIGNED');
  });

  it('receives no withdrawal', async () => {
    const scene = withdrawal(person.address);
    scene.policy.destination = strategy.address;
    scene.instructions = [transferSol({ from: person.address, to: strategy.address, lamports: 1_000n })];
    expect(await sign(person, scene)).toBe('DESTINATION');
  });
});

describe('a commit', () => {
  it('goes to a strategy wallet of the register only', async () => {
    expect(await sign(person, commit(person.address, strategy.address, SOL))).toBe('SIGNED');
    for (const elsewhere of [other.address, person.address, Keypair.generate().address]) {
      expect(await sign(person, commit(person.address, elsewhere, SOL))).toBe('DESTINATION');
    }
    const foreign = await aStrategyWallet(aSigner());
    expect(await sign(person, commit(person.address, foreign.address, SOL))).toBe('DESTINATION');
  });

  it('counts once it is called final and twenty seconds have passed, whichever is later', async () => {
    await commits(aPersonalWallet(test), SOL);
    const { signature } = await commits(person, SOL);
    expect(await returns(SOL)).toBe('COMMIT_NOT_FINAL');
    test.clock.now += COMMIT_FINAL_MS - 1;
    expect(await returns(SOL)).toBe('COMMIT_NOT_FINAL');
    test.clock.now += 1;
    expect(await returns(SOL)).toBe('SIGNED');
    await test.signer.commitsFinal([signature, 'unknown', signature]);
    test.clock.now += 1;
    expect(await returns(SOL / 2n)).toBe('SIGNED');
    expect(await returns(1n)).toBe('HELD');

    expect(await sign(other, commit(other.address, strategy.address, SOL))).toBe('SIGNED');
    test.clock.now += DAY_MS;
    expect(await returns(SOL, other)).toBe('COMMIT_NOT_FINAL');
  });

  it('holds nothing of somebody who commits again and leaves at once: it says when the commit counts', async () => {
    await commits(other, 10n * SOL);
    await commits(person, SOL);
    test.clock.now += COMMIT_FINAL_MS;
    expect(await returns(SOL)).toBe('SIGNED');
    await commits(person, 5n * SOL);
    const scene = returned(strategy.address, [{ to: person.address, lamports: 5n * SOL }]);
    const [outcome] = await test.signer.sign([requestOf(strategy, scene)]);
    expect(outcome).toMatchObject({ denied: { code: 'COMMIT_NOT_FINAL', until: test.clock.now + COMMIT_FINAL_MS } });
    test.clock.now += COMMIT_FINAL_MS;
    expect(await returns(5n * SOL)).toBe('SIGNED');
    // One that the chain never took is waited for only as long as it could still land.
    expect(await sign(person, commit(person.address, strategy.address, SOL))).toBe('SIGNED');
    expect(await returns(4n * SOL)).toBe('COMMIT_NOT_FINAL');
    test.clock.now += 3 * 60_000;
    expect(await returns(4n * SOL)).toBe('HELD');
  });

  it('hides no return that it will not cover either: that is held with an alarm', async () => {
    await commits(other, 100n * SOL);
    await commits(person, 2n * SOL);
    test.clock.now += COMMIT_FINAL_MS;
    expect(await sign(person, commit(person.address, strategy.address, 2n * SOL))).toBe('SIGNED');
    expect(await returns(6n * SOL)).toBe('COMMIT_NOT_FINAL');
    expect(test.alarms).toEqual([]);
    expect(await returns(6n * SOL + 1n)).toBe('HELD');
    expect(JSON.stringify(test.alarms)).toContain(person.address);
  });

  it('counts a message once however often it is signed', async () => {
    const scene = commit(person.address, strategy.address, SOL);
    const { transaction } = await committed(test, person, scene);
    for (let index = 0; index < 3; index += 1) {
      const [again] = await test.signer.sign([requestOf(person, scene, transaction)]);
      await test.signer.commitsFinal([(again as { signature: string }).signature]);
    }
    test.clock.now += COMMIT_FINAL_MS;
    expect(test.state.funds.committedLamports(strategy.address, test.clock.now)).toBe(SOL);
    await commits(person, SOL);
    test.clock.now += COMMIT_FINAL_MS;
    expect(test.state.funds.committedLamports(strategy.address, test.clock.now)).toBe(2n * SOL);
  });
});

describe('a return', () => {
  beforeEach(async () => {
    await commits(person, 10n * SOL);
    await commits(other, 30n * SOL);
    test.clock.now += COMMIT_FINAL_MS;
  });

  it('pays several receivers in one transaction, in SOL and in kind', async () => {
    expect(await sign(strategy, buyFor(SOL))).toBe('SIGNED');
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
    expect(await sign(strategy, buyFor(SOL, 1_000_000n))).toBe('SIGNED');
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

describe('a return in kind', () => {
  beforeEach(async () => {
    await commits(person, 10n * SOL);
    await commits(other, 30n * SOL);
    test.clock.now += COMMIT_FINAL_MS;
  });

  it('counts at the dearest buy of the mint, rent of a new account included', async () => {
    expect(await sign(strategy, buyFor(SOL, 1_000_000n))).toBe('SIGNED');
    expect(await sendTokens(14_990_000n)).toBe('SIGNED');
    expect(test.state.funds.pair(strategy.address, person.address)?.returnedLamports).toBe(14_990_000n * 1_000n + RENT);
    expect(await sendTokens(10_000n)).toBe('HELD');
    // A buy that costs next to nothing, which nobody has to send, makes nothing cheaper.
    expect(await sign(strategy, buyFor(3_000_000n, 10n ** 15n))).toBe('SIGNED');
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

describe('swaps of a strategy wallet', () => {
  it('buy for at most three times what is committed in a day, and always sell', async () => {
    expect(await sign(strategy, buyFor(SOL))).toBe('SWAP_CEILING');
    await commits(person, 10n * SOL);
    // A strategy buys as soon as its commit is confirmed, long before it is final.
    for (let index = 0; index < 3; index += 1) expect(await sign(strategy, buyFor(10n * SOL))).toBe('SIGNED');
    expect(await sign(strategy, buyFor(3_000_000n))).toBe('SWAP_CEILING');
    expect(await sign(strategy, sell(strategy.address))).toBe('SIGNED');
    test = await test.reopen();
    await test.state.compact();
    test = await test.reopen();
    expect(await sign(strategy, buyFor(3_000_000n))).toBe('SWAP_CEILING');
    test.clock.now += DAY_MS;
    expect(await sign(strategy, buyFor(10n * SOL))).toBe('SIGNED');
    expect(await returns(9n * SOL)).toBe('SIGNED');
    expect(await sign(strategy, buyFor(SOL))).toBe('SWAP_CEILING');
  });

  it('stop counting a commit that did not become final within an hour', async () => {
    expect(await sign(person, commit(person.address, strategy.address, 10n * SOL))).toBe('SIGNED');
    test.clock.now += HOUR_MS - 1;
    expect(await sign(strategy, buyFor(SOL))).toBe('SIGNED');
    test.clock.now += 1;
    expect(await sign(strategy, buyFor(SOL))).toBe('SWAP_CEILING');
  });

  it('count a message once however often it is signed', async () => {
    await commits(person, SOL);
    const request = requestOf(strategy, buyFor(3n * SOL));
    for (let index = 0; index < 3; index += 1) {
      expect(await test.signer.sign([request])).toMatchObject([{ signature: expect.any(String) as string }]);
    }
  });

  it('sell past the ceiling that stops the swaps of other wallets', async () => {
    test = aSigner({ swapDailySol: 2n });
    strategy = await aStrategyWallet(test);
    person = aPersonalWallet(test);
    expect(SPEND).toBe(SOL);
    for (let index = 0; index < 3; index += 1) expect(await sign(strategy, sell(strategy.address))).toBe('SIGNED');
    expect(await sign(person, sell(person.address))).toBe('SIGNED');
    expect(await sign(person, sell(person.address))).toBe('SWAP_CEILING');
  });
});

describe('the kill switch', () => {
  const scenes = (): Record<string, () => Promise<string>> => ({
    swap: () => sign(person, sell(person.address)),
    close: () => sign(strategy, close(strategy.address)),
    commit: () => sign(person, commit(person.address, strategy.address, SOL)),
    return: () => returns(1n),
    withdrawal: () => sign(person, withdrawal(person.address)),
    export: async () => String(await denial(test.signer.exportKey(person.owner, person.sealedKey, 'guess'))),
  });
  /** The others are refused for their own reasons: this wallet has no password. */
  const open = {
    swap: 'SIGNED',
    close: 'SIGNED',
    commit: 'SIGNED',
    return: 'SIGNED',
    withdrawal: 'BAD_PASSWORD',
    export: 'BAD_PASSWORD',
  };
  const outcomes = async (): Promise<Record<string, string>> => {
    const found: Record<string, string> = {};
    for (const [name, ask] of Object.entries(scenes())) found[name] = await ask();
    return found;
  };

  beforeEach(async () => {
    await commits(person, 10n * SOL);
    test.clock.now += COMMIT_FINAL_MS;
  });

  it.each([
    ['swap', ['swap', 'close']],
    ['transfer', ['commit', 'return']],
    ['withdrawal', ['withdrawal']],
    ['export', ['export']],
  ] as const)('stops %s alone, across restarts, until it is released', async (kind, names) => {
    await test.signer.stops.set(true, kind);
    test = await test.reopen();
    await test.state.compact();
    test = await test.reopen();
    expect(test.signer.status().stopped).toEqual([kind]);
    const expected = { ...open, ...Object.fromEntries(names.map((name) => [name, 'KILL_SWITCH'])) };
    expect(await outcomes()).toEqual(expected);
    await test.signer.stops.set(false, kind);
    test = await test.reopen();
    expect(await outcomes()).toEqual(open);
  });

  it('stops and releases everything where no kind is named', async () => {
    await test.signer.stops.set(true, 'export');
    await test.signer.stops.set(true, null);
    expect(new Set(Object.values(await outcomes()))).toEqual(new Set(['KILL_SWITCH']));
    await test.signer.stops.set(false, 'transfer');
    expect(await scenes().return!()).toBe('SIGNED');
    await test.signer.stops.set(false, null);
    expect(await outcomes()).toEqual(open);
  });
});
