import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keypair } from '@hunter/solana/keypair';
import { setComputeUnitLimit, setComputeUnitPrice } from '@hunter/solana/compute-budget-program';
import { transferSol } from '@hunter/solana/system-program';
import { beforeEach, describe, expect, it } from 'vitest';
import { Denied } from '../denial.ts';
import { aSigner, COMMIT_FINAL_MS, type TestSigner } from '../fixtures/a-signer.ts';
import {
  aPersonalWallet,
  aStrategyWallet,
  committed,
  outcomeOf,
  requestOf,
  type TestWallet,
} from '../fixtures/a-wallet.ts';
import {
  buyFor,
  close,
  commit,
  PASSWORD,
  returned,
  type Scene,
  sell,
  SPEND,
  withdrawal,
} from '../fixtures/transaction-scenes.ts';

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
const denial = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: unknown) => {
    if (error instanceof Denied) return error.denial.code;
    throw error;
  });

describe('network fees', () => {
  const DEAREST = 4_995_000n;
  const dear = (scene: Scene, at: number): Scene => {
    const budget = [setComputeUnitLimit(1_000_000), setComputeUnitPrice(DEAREST - BigInt(at % 2))];
    return { ...scene, instructions: [...budget, ...scene.instructions] };
  };

  it.each([
    ['closings', () => strategy, () => close(strategy.address)],
    ['commits', () => person, () => commit(person.address, strategy.address, 1n)],
  ])('of %s take a SOL of a wallet in 24 hours at most', async (_what, by, scene) => {
    for (let index = 0; index < 200; index += 1) expect(await sign(by(), dear(scene(), index))).toBe('SIGNED');
    expect(await sign(by(), dear(scene(), 0))).toBe('VELOCITY');
    test.clock.now += DAY_MS + HOUR_MS;
    expect(await sign(by(), dear(scene(), 0))).toBe('SIGNED');
  });
});

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

  it('makes no second wallet under an id that is taken, across restarts', async () => {
    const taken = { userId: 'new', walletId: 'new' };
    const { sealedKey } = await test.signer.createWallet(taken, PASSWORD);
    await test.signer.freeze(taken, sealedKey);
    await test.state.compact();
    test = await test.reopen();
    // Its freeze, its limits and the destinations it has paid would be those of the second one, too.
    const second = (owner: typeof taken) => [
      denial(test.signer.createWallet(owner, 'of the server')),
      denial(test.signer.createStrategyWallet(owner)),
    ];
    const another = { ...taken, userId: 'another' };
    expect(await Promise.all([taken, another].flatMap(second))).toEqual(
      Array.from({ length: 4 }, () => 'WALLET_EXISTS'),
    );
    // Of two at the same moment one is made.
    const asked = { userId: 'new', walletId: 'next' };
    const twins = [1, 2].map(() => denial(test.signer.createWallet(asked, PASSWORD)));
    expect((await Promise.all(twins)).filter((outcome) => outcome === 'WALLET_EXISTS')).toHaveLength(1);
  });
});

describe('a strategy wallet', () => {
  it('never shows its key and never has a password', async () => {
    const { owner, sealedKey } = strategy;
    const created = await test.signer.createStrategyWallet({ ...owner, walletId: 'new' });
    expect(Object.keys(created).sort()).toEqual(['address', 'sealedKey']);
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

describe('swaps of a strategy wallet', () => {
  it('buy for at most three times what is committed in a day, and always sell', async () => {
    expect(await sign(strategy, buyFor(strategy.address, SOL))).toBe('SWAP_CEILING');
    await commits(person, 10n * SOL);
    // A strategy buys as soon as its commit is confirmed, long before it is final.
    for (let index = 0; index < 3; index += 1)
      expect(await sign(strategy, buyFor(strategy.address, 10n * SOL))).toBe('SIGNED');
    expect(await sign(strategy, buyFor(strategy.address, 3_000_000n))).toBe('SWAP_CEILING');
    expect(await sign(strategy, sell(strategy.address))).toBe('SIGNED');
    test = await test.reopen();
    await test.state.compact();
    test = await test.reopen();
    expect(await sign(strategy, buyFor(strategy.address, 3_000_000n))).toBe('SWAP_CEILING');
    test.clock.now += DAY_MS;
    expect(await sign(strategy, buyFor(strategy.address, 10n * SOL))).toBe('SIGNED');
    expect(await returns(9n * SOL)).toBe('SIGNED');
    expect(await sign(strategy, buyFor(strategy.address, SOL))).toBe('SWAP_CEILING');
  });

  it('stop counting a commit that did not become final within an hour', async () => {
    expect(await sign(person, commit(person.address, strategy.address, 10n * SOL))).toBe('SIGNED');
    test.clock.now += HOUR_MS - 1;
    expect(await sign(strategy, buyFor(strategy.address, SOL))).toBe('SIGNED');
    test.clock.now += 1;
    expect(await sign(strategy, buyFor(strategy.address, SOL))).toBe('SWAP_CEILING');
  });

  it('count a message once however often it is signed', async () => {
    await commits(person, SOL);
    const request = requestOf(strategy, buyFor(strategy.address, 3n * SOL));
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
    await test.signer.stops.switchOn(kind, 1);
    test = await test.reopen();
    await test.state.compact();
    test = await test.reopen();
    expect(test.signer.status().stopped).toEqual([kind]);
    const expected = { ...open, ...Object.fromEntries(names.map((name) => [name, 'KILL_SWITCH'])) };
    expect(await outcomes()).toEqual(expected);
    await test.signer.stops.askRelease(kind, 1);
    test = await test.reopen();
    expect(await outcomes()).toEqual(open);
  });

  it('stops and releases everything where no kind is named', async () => {
    await test.signer.stops.switchOn('export', 1);
    await test.signer.stops.switchOn(null, 1);
    expect(new Set(Object.values(await outcomes()))).toEqual(new Set(['KILL_SWITCH']));
    await test.signer.stops.askRelease('transfer', 1);
    expect(await scenes().return!()).toBe('SIGNED');
    await test.signer.stops.askRelease(null, 1);
    expect(await outcomes()).toEqual(open);
  });
});
