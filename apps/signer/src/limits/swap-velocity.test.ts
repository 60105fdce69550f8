import type { Address } from '@hunter/solana/address';
import { transferSol } from '@hunter/solana/system-program';
import { beforeEach, describe, expect, it } from 'vitest';
import { aSigner, type TestSigner } from '../fixtures/a-signer.ts';
import { buy, PASSWORD, pool, sell, type Scene, transactionOf } from '../fixtures/transaction-scenes.ts';

const SOL = 1_000_000_000n;
const HOUR_MS = 60 * 60_000;
const owner = { userId: 'user-1', walletId: 'wallet-1' };

let test: TestSigner;
let wallet: { address: string; sealedKey: string };

beforeEach(async () => {
  test = aSigner({ swapDailySol: 100n, swapDailyTotalSol: 150n });
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
    expect(await swap(70n * SOL, second)).toBe('SWAP_CEILING');
    expect(await swap(50n * SOL, second)).toBe('SIGNED');
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
