import { setImmediate as nextTurn } from 'node:timers/promises';
import { address, type Address } from '@hunter/solana/address';
import { Keypair } from '@hunter/solana/keypair';
import { compileMessage } from '@hunter/solana/message';
import { transferSol } from '@hunter/solana/system-program';
import { encodeTransaction, signTransaction, transactionFromMessage } from '@hunter/solana/transaction';
import { afterEach, expect, it, vi } from 'vitest';
import { SignatureChecker } from './signature-checker.ts';

const checker = new SignatureChecker();
afterEach(() => checker.close());

function transfer(from: Keypair, to: Address): Uint8Array {
  const message = compileMessage({
    feePayer: from.address,
    recentBlockhash: address('So11111111111111111111111111111111111111112'),
    instructions: [transferSol({ from: from.address, to, lamports: 1n })],
  });
  return encodeTransaction(signTransaction(transactionFromMessage(message), [from]));
}

it('tells genuine transactions from forged ones, in the order they came', async () => {
  const from = Keypair.generate();
  checker.start();
  await vi.waitFor(() => expect(checker.isReady).toBe(true), { timeout: 120_000 });
  const wires = Array.from({ length: 40 }, () => transfer(from, Keypair.generate().address));
  const isForged = (index: number): boolean => index % 7 === 3;
  wires.forEach((wire, index) => {
    if (isForged(index)) wire[10]! ^= 1;
  });
  const order: number[] = [];
  const answers = wires.map(async (wire, index) => {
    const isGenuine = await checker.check(wire);
    order.push(index);
    return isGenuine;
  });
  expect(checker.isBusy).toBe(true);
  expect(await Promise.all(answers)).toEqual(wires.map((_, index) => !isForged(index)));
  expect(order).toEqual(wires.map((_, index) => index));
  await nextTurn();
  expect(checker.isBusy).toBe(false);
});
