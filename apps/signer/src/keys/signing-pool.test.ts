import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { fromBase58 } from '../base58.ts';
import { Denied } from '../denial.ts';
import { aSigner } from '../fixtures/a-signer.ts';
import { Secret } from './secret.ts';
import { SigningPool } from './signing-pool.ts';

const metadata = {
  kind: 'personal' as const,
  passwordHash: 'unused',
  createdAt: 0,
  passwordChangedAt: null,
  passwordResetAt: null,
};
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const pools: SigningPool[] = [];

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

function setup(threads: number) {
  const { vault, keys } = aSigner();
  const pool = new SigningPool(vault);
  pools.push(pool);
  pool.start({ threads, environment: 'test', keys: keys.entries() });
  const wallets = (count: number) =>
    Array.from({ length: count }, (_, index) => {
      const owner = { userId: `u${index}`, walletId: `w${index}` };
      const created = vault.create(owner, new Secret(randomBytes(32)), metadata);
      return { owner, address: created.address, sealedKey: vault.read(created.sealedKey) };
    });
  return { pool, keys, wallets };
}

function isSignedBy(address: string, message: Buffer, signature: Buffer): boolean {
  const der = Buffer.concat([SPKI_PREFIX, fromBase58(address, 32)!]);
  return verify(null, message, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature);
}

async function signAll({ pool, wallets }: ReturnType<typeof setup>, count: number): Promise<boolean[]> {
  return Promise.all(
    wallets(count).map(async ({ owner, address, sealedKey }, index) => {
      const message = Buffer.from(`message ${index}`);
      return isSignedBy(address, message, await pool.sign(owner, sealedKey, message));
    }),
  );
}

/** Signs until every thread answers: they start with the first group of signatures. */
async function startThreads(parts: ReturnType<typeof setup>, threads: number): Promise<void> {
  expect((await signAll(parts, 20)).every(Boolean)).toBe(true);
  await expect.poll(() => parts.pool.threads).toBe(threads);
}

describe('the signing pool', () => {
  it('starts its threads with the first signatures that are worth the way to one', async () => {
    const parts = setup(2);
    let started = 0;
    const count = (): void => void (started += 1);
    process.on('worker', count);
    expect((await signAll(parts, 4)).every(Boolean)).toBe(true);
    expect(started).toBe(0);
    await startThreads(parts, 2);
    process.off('worker', count);
    expect(started).toBe(2);
  });

  it.each([0, 2])('gives every wallet its own signature with %i threads', async (threads) => {
    const parts = setup(threads);
    await startThreads(parts, threads);
    const signed = await signAll(parts, 150);
    expect(signed).toHaveLength(150);
    expect(signed.every(Boolean)).toBe(true);
  });

  it('knows new keys in every thread at once, those from before the threads too', async () => {
    const parts = setup(1);
    const rotate = (): void => {
      parts.keys.rotate();
      parts.pool.setKeys(parts.keys.entries());
    };
    rotate();
    await startThreads(parts, 1);
    expect((await signAll(parts, 40)).every(Boolean)).toBe(true);
    rotate();
    expect((await signAll(parts, 40)).every(Boolean)).toBe(true);
  });

  it('denies a sealed key of somebody else from a thread as well', async () => {
    const parts = setup(1);
    const { pool, wallets } = parts;
    await startThreads(parts, 1);
    const [first, ...others] = wallets(20);
    const outcomes = await Promise.allSettled(
      others.map(({ sealedKey }) => pool.sign(first!.owner, sealedKey, Buffer.from('message'))),
    );
    for (const outcome of outcomes) {
      expect(outcome.status === 'rejected' && outcome.reason instanceof Denied).toBe(true);
    }
  });
});
