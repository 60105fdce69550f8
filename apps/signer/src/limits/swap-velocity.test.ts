import type { Address } from '@hunter/solana/address';
import { transferSol } from '@hunter/solana/system-program';
import { beforeEach, describe, expect, it } from 'vitest';
import { aSigner, type TestSigner } from '../fixtures/a-signer.ts';
import { CeilingWatch } from './ceiling-watch.ts';
import { isInSwapWindow, SwapVelocity, type SwapTurnover } from './swap-velocity.ts';
import { buy, PASSWORD, pool, sell, type Scene, transactionOf } from '../fixtures/transaction-scenes.ts';

const SOL = 1_000_000_000n;
const HOUR_MS = 60 * 60_000;
const owner = { userId: 'user-1', walletId: 'wallet-1' };

let test: TestSigner;
let wallet: { address: string; sealedKey: string };

beforeEach(async () => {
  test = aSigner({ swapDailySol: 100n, swapDailyTotalSol: 250n });
  wallet = await test.signer.createWallet(owner, PASSWORD);
});

async function swap(lamports: bigint, of = { ...owner, ...wallet }): Promise<string> {
  const own = of.address as Address;
  const scene: Scene = buy(own);
  scene.instructions[1] = transferSol({ from: own, to: pool.address, lamports });
  scene.policy.maxLamportsOut = String(lamports + 10_000_000n);
  return outcomeOf(scene, of);
}

async function outcomeOf(scene: Scene, { userId, walletId, sealedKey } = { ...owner, ...wallet }): Promise<string> {
  const request = { userId, walletId, sealedKey, transaction: transactionOf(scene), policy: scene.policy };
  const [outcome] = await test.signer.sign([request]);
  return 'denied' in outcome! ? outcome.denied.code : 'SIGNED';
}

describe('swap velocity', () => {
  it('stops the swaps of a wallet at its ceiling of 24 hours', async () => {
    expect(await swap(60n * SOL)).toBe('SIGNED');
    expect(await swap(41n * SOL)).toBe('SWAP_CEILING');
    expect(await swap(39n * SOL)).toBe('SIGNED');
    expect(await swap(1n * SOL)).toBe('SWAP_CEILING');
    test.clock.now += 26 * HOUR_MS;
    expect(await swap(90n * SOL)).toBe('SIGNED');
  });

  it('counts what comes back from sales as well', async () => {
    const own = wallet.address as Address;
    const scene = sell(own);
    scene.instructions[1] = transferSol({ from: pool.address, to: own, lamports: 99n * SOL });
    expect(await outcomeOf(scene)).toBe('SIGNED');
    expect(await swap(1n * SOL)).toBe('SWAP_CEILING');
  });

  it('stops all wallets together at the ceiling over all of them', async () => {
    const other = { userId: 'user-2', walletId: 'wallet-2' };
    const second = { ...other, ...(await test.signer.createWallet(other, PASSWORD)) };
    expect(await swap(90n * SOL)).toBe('SIGNED');
    expect(await swap(36n * SOL, second)).toBe('SWAP_CEILING');
    expect(await swap(34n * SOL, second)).toBe('SIGNED');
    // The other half is there for whoever moves little.
    for (let index = 0; index < 13; index += 1) {
      const own = { userId: `little-${index}`, walletId: `little-${index}` };
      const little = { ...own, ...(await test.signer.createWallet(own, PASSWORD)) };
      expect(await swap(9_900_000_000n, little)).toBe(index < 12 ? 'SIGNED' : 'SWAP_CEILING');
    }
    const scene = sell(wallet.address as Address);
    scene.instructions[1] = transferSol({ from: pool.address, to: wallet.address as Address, lamports: 9n * SOL });
    expect(await outcomeOf(scene)).toBe('SIGNED');
  });

  it('remembers across a restart all but the last hundredth of a ceiling', async () => {
    for (let index = 0; index < 5; index += 1) expect(await swap(10n * SOL)).toBe('SIGNED');
    test.clock.now += HOUR_MS;
    for (let index = 0; index < 4; index += 1) expect(await swap(10n * SOL)).toBe('SIGNED');
    test = await test.reopen();
    expect(await swap(11n * SOL)).toBe('SWAP_CEILING');
    await test.state.compact();
    test = await test.reopen();
    expect(await swap(11n * SOL)).toBe('SWAP_CEILING');
    expect(await swap(9n * SOL)).toBe('SIGNED');
    // Ninety SOL of the wallet and of all are a day old now, nine are not.
    test.clock.now += 24 * HOUR_MS;
    expect(await swap(60n * SOL)).toBe('SWAP_CEILING');
    test.clock.now += HOUR_MS;
    expect(await swap(60n * SOL)).toBe('SIGNED');
  });

  it('never lets many requests at once pass the ceiling', async () => {
    const own = wallet.address as Address;
    const requests = Array.from({ length: 60 }, () => {
      const scene = buy(own);
      scene.instructions[1] = transferSol({ from: own, to: pool.address, lamports: 3n * SOL });
      scene.policy.maxLamportsOut = String(4n * SOL);
      return { ...owner, sealedKey: wallet.sealedKey, transaction: transactionOf(scene), policy: scene.policy };
    });
    const outcomes = await Promise.all([
      test.signer.sign(requests.slice(0, 30)),
      ...requests.slice(30).map((request) => test.signer.sign([request])),
    ]);
    expect(outcomes.flat().filter((outcome) => 'signature' in outcome)).toHaveLength(33);
  });
});

describe('the turnover of swaps', () => {
  const hours = (count: number): number => count * HOUR_MS;
  const tenthsOf = (tenths: number): bigint => (BigInt(tenths) * SOL) / 10n;
  const counted = (recorded: SwapTurnover[] = []) =>
    new SwapVelocity(
      { walletLamports: 100n * SOL, totalLamports: 250n * SOL },
      recorded,
      new CeilingWatch('', 250n * SOL, () => {}),
    );
  /** What of the wallet is to be written down, by hour. */
  function written(subject: SwapVelocity, lamports: bigint, now: number): (readonly [number, bigint])[] | string {
    const outcome = subject.admit('wallet-1', lamports, now);
    if ('denied' in outcome) return outcome.denied.reason;
    return outcome.toRecord.flatMap(({ owner: of, hour, lamports: moved }) =>
      of === 'wallet-1' ? [[hour, moved] as const] : [],
    );
  }

  it('reaches a ceiling and does not pass it, and says whose it was', () => {
    const subject = counted();
    expect(subject.admit('wallet-1', 100n * SOL, 0)).toHaveProperty('toRecord');
    const denied = { code: 'SWAP_CEILING', reason: 'the swaps of this wallet reached their ceiling of 24 hours' };
    expect(subject.admit('wallet-1', 1n, 0)).toEqual({ denied });
  });

  it('keeps half of the total for wallets that moved at most a tenth of their ceiling', () => {
    const subject = counted();
    const denied = { code: 'SWAP_CEILING', reason: 'the swaps of all wallets reached their ceiling of 24 hours' };
    for (const [walletId, sol] of [
      ['wallet-1', 100n],
      ['wallet-2', 15n],
      ['wallet-3', 10n],
    ] as const) {
      expect(subject.admit(walletId, sol * SOL, 0)).toHaveProperty('toRecord');
    }
    expect(subject.admit('wallet-3', 1n, 0)).toEqual({ denied });
    for (let index = 0; index < 12; index += 1) {
      expect(subject.admit(`little-${index}`, 10n * SOL, 0)).toHaveProperty('toRecord');
    }
    expect(subject.admit('last', 5n * SOL, 0)).toHaveProperty('toRecord');
    expect(subject.admit('last', 1n, 0)).toEqual({ denied });
    expect(subject.admit('last', 1n, hours(25))).toHaveProperty('toRecord');
  });

  it('stops no sale at the total, a sale at the ceiling of its wallet, and a way out at neither', () => {
    const subject = counted();
    for (const walletId of ['wallet-1', 'wallet-2', 'wallet-3']) subject.admit(walletId, 90n * SOL, 0, 'sale');
    expect(subject.admit('wallet-1', 1n, 0, 'buy')).toHaveProperty('denied');
    expect(subject.admit('wallet-1', 10n * SOL, 0, 'sale')).toHaveProperty('toRecord');
    expect(subject.admit('wallet-1', 1n, 0, 'sale')).toHaveProperty('denied');
    expect(subject.admit('wallet-1', 50n * SOL, 0, 'way-out')).toHaveProperty('toRecord');
  });

  it('tells what a wallet moved within the last day', () => {
    const subject = counted();
    expect(subject.movedInDay('wallet-1', 0)).toBe(0n);
    subject.admit('wallet-1', 3n * SOL, hours(1));
    subject.admit('wallet-1', 4n * SOL, hours(2));
    expect(subject.movedInDay('wallet-1', hours(25))).toBe(7n * SOL);
    expect(subject.movedInDay('wallet-1', hours(26))).toBe(4n * SOL);
    expect(subject.movedInDay('wallet-2', hours(2))).toBe(0n);
  });

  it('is written down when it has grown by a hundredth of its ceiling, hour by hour', () => {
    const subject = counted();
    expect(written(subject, tenthsOf(9), 0)).toEqual([]);
    expect(written(subject, tenthsOf(1), hours(1))).toEqual([
      [0, tenthsOf(9)],
      [1, tenthsOf(1)],
    ]);
    expect(written(subject, tenthsOf(9), hours(1))).toEqual([]);
    expect(written(subject, tenthsOf(2), hours(1))).toEqual([
      [0, tenthsOf(9)],
      [1, tenthsOf(12)],
    ]);
  });

  it('counts from what was written before the start', () => {
    const subject = counted([{ owner: 'wallet-1', hour: 0, lamports: 50n * SOL }]);
    expect(written(subject, tenthsOf(9), 0)).toEqual([]);
    expect(written(subject, tenthsOf(1), 0)).toEqual([[0, 51n * SOL]]);
  });

  it('forgets hours that are over a day old, and grows again from what is left', () => {
    const subject = counted();
    expect(written(subject, 50n * SOL, 0)).toEqual([[0, 50n * SOL]]);
    expect(written(subject, SOL, hours(24))).toEqual([
      [0, 50n * SOL],
      [24, SOL],
    ]);
    expect(written(subject, tenthsOf(5), hours(26))).toEqual([]);
    expect(written(subject, tenthsOf(9), hours(26))).toEqual([]);
    expect(written(subject, tenthsOf(1), hours(26))).toEqual([
      [24, SOL],
      [26, tenthsOf(15)],
    ]);
  });

  it('keeps records of the last day', () => {
    expect(isInSwapWindow(0, hours(24))).toBe(true);
    expect(isInSwapWindow(0, hours(25) - 1)).toBe(true);
    expect(isInSwapWindow(0, hours(25))).toBe(false);
  });
});
