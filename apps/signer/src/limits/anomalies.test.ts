import { randomBytes } from 'node:crypto';
import type { Address } from '@hunter/solana/address';
import { Keypair } from '@hunter/solana/keypair';
import { transferSol } from '@hunter/solana/system-program';
import { describe, expect, it } from 'vitest';
import { fromBase58, toBase58 } from '../base58.ts';
import { aSigner, type TestSigner } from '../fixtures/a-signer.ts';
import { aWithdrawal } from '../fixtures/a-withdrawal.ts';
import { outcomeOf } from '../fixtures/an-owner.ts';
import { buy, PASSWORD, type Scene, transactionOf } from '../fixtures/transaction-scenes.ts';
import { DAY_MS, RESET_PAUSE_MS } from './withdrawal-rules.ts';

const SOL = 1_000_000_000n;

type Wallet = { userId: string; walletId: string; address: string; sealedKey: string };

async function wallets(test: TestSigner, count: number): Promise<Wallet[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const owner = { userId: `user-${index}`, walletId: `wallet-${index}` };
      return { ...owner, ...(await test.signer.createWallet(owner, PASSWORD)) };
    }),
  );
}

async function swap(test: TestSigner, wallet: Wallet, to?: Address): Promise<string> {
  const own = wallet.address as Address;
  const scene: Scene = buy(own);
  if (to !== undefined) scene.instructions[1] = transferSol({ from: own, to, lamports: SOL });
  const { userId, walletId, sealedKey } = wallet;
  const request = { userId, walletId, sealedKey, transaction: transactionOf(scene), policy: scene.policy };
  const [outcome] = await test.signer.sign([request]);
  return 'denied' in outcome! ? outcome.denied.code : 'SIGNED';
}

async function withdraw(test: TestSigner, { address, sealedKey, ...owner }: Wallet, lamports: bigint): Promise<string> {
  const bytes = randomBytes(32);
  const to = { bytes, text: toBase58(bytes) };
  const from = fromBase58(address, 32)!;
  const withdrawalId = randomBytes(8).toString('hex');
  const request = aWithdrawal({ owner, sealedKey, from, withdrawalId, to, lamports, password: PASSWORD });
  const [outcome] = await test.signer.sign([request]);
  return 'denied' in outcome! ? outcome.denied.code : 'SIGNED';
}

describe('anomalies', () => {
  it('stop a kind once too many requests for it were forged, and nothing else', async () => {
    const test = aSigner({ forgedPerHour: 12 });
    const all = await wallets(test, 3);
    const stranger = Keypair.generate().address;
    // One wallet counts five times, so that its owner alone cannot stop the others.
    for (let index = 0; index < 30; index += 1) expect(await swap(test, all[0]!, stranger)).toBe('DESTINATION');
    for (let index = 0; index < 5; index += 1) expect(await swap(test, all[1]!, stranger)).toBe('DESTINATION');
    expect(await swap(test, all[2]!)).toBe('SIGNED');
    test.clock.now += 61 * 60_000;
    for (const wallet of all.slice(0, 2)) {
      for (let index = 0; index < 5; index += 1) await swap(test, wallet, stranger);
    }
    expect(await swap(test, all[2]!)).toBe('SIGNED');
    for (let index = 0; index < 2; index += 1) await swap(test, all[2]!, stranger);
    expect(await swap(test, all[2]!)).toBe('KILL_SWITCH');
    expect(await withdraw(test, all[2]!, SOL)).toBe('SIGNED');
    const why = 'too many forged requests within an hour';
    expect(test.signer.status().stops).toEqual([{ kind: 'swap', why, at: test.clock.now }]);
    expect(test.alarms).toContainEqual({ msg: `swap stopped until an operator releases it: ${why}` });
    expect((await test.reopen()).signer.status().stopped).toEqual(['swap']);
  });

  it('stop withdrawals and exports of the wallets whose passwords were reset once too many were, and of no others', async () => {
    let test = aSigner({ resetsPerDay: 2 });
    const all = await wallets(test, 6);
    const reset = async (index: number): Promise<void> => {
      const { sealedKey, ...owner } = all[index]!;
      all[index]!.sealedKey = await test.signer.resetPassword(owner, sealedKey, PASSWORD);
    };
    const show = (index: number): Promise<string> => {
      const { sealedKey, ...owner } = all[index]!;
      return outcomeOf(test.signer.exportKey(owner, sealedKey, PASSWORD));
    };
    await reset(5);
    test.clock.now += DAY_MS;
    for (const index of [0, 0, 1]) await reset(index);
    test = await test.reopen();
    await test.state.compact();
    test = await test.reopen();
    expect(test.signer.status().stopped).toEqual([]);
    await reset(2);
    test = await test.reopen();
    expect(test.signer.status().stopped).toEqual(['reset']);
    // A later one, and one whose pause after the reset is over.
    await reset(4);
    test.clock.now += RESET_PAUSE_MS;
    for (const index of [0, 1, 2, 4]) {
      expect([await withdraw(test, all[index]!, SOL), await show(index)]).toEqual([
        'KILL_SWITCH',
        'KILL_SWITCH: signing is stopped',
      ]);
    }
    for (const index of [3, 5]) {
      expect([await withdraw(test, all[index]!, SOL), await show(index)]).toEqual(['SIGNED', 'DONE']);
    }
    expect(await swap(test, all[0]!)).toBe('SIGNED');
    await test.signer.stops.askRelease('reset', 1);
    expect([await withdraw(test, all[0]!, SOL), await show(0)]).toEqual(['SIGNED', 'DONE']);
  });

  it('give a wallet back to the owner who undoes its reset with the password of before', async () => {
    const test = aSigner({ resetsPerDay: 1 });
    const [first, second] = await wallets(test, 2);
    for (const wallet of [first!, second!]) {
      wallet.sealedKey = await test.signer.resetPassword(wallet, wallet.sealedKey, 'set by a thief');
    }
    expect(test.signer.status().stopped).toEqual(['reset']);
    second!.sealedKey = await test.signer.undoReset(second!, second!.sealedKey, { oldPassword: PASSWORD });
    expect(await withdraw(test, second!, SOL)).toBe('SIGNED');
  });
});
