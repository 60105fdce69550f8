import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { address, type Address, addressBytes } from '@hunter/solana/address';
import { encodeBase58 } from '@hunter/solana/base58';
import type { Instruction } from '@hunter/solana/instruction';
import { Keypair } from '@hunter/solana/keypair';
import { compileMessage } from '@hunter/solana/message';
import { SYSTEM_PROGRAM } from '@hunter/solana/program-ids';
import { transferSol } from '@hunter/solana/system-program';
import { encodeTransaction, signTransaction, transactionFromMessage } from '@hunter/solana/transaction';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LedgerChain } from './ledger-chain.ts';
import { createChain } from './open-chain.ts';

const RECENT_BLOCKHASHES = address('SysvarRecentB1ockHashes11111111111111111111');
const RENT = address('SysvarRent111111111111111111111111111111111');
const NONCE_BYTES = 80;

let dataDir: string;
let chain: LedgerChain;
const open = () => createChain({ dataDir, manualSlots: true });

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hunter-nonce-'));
  chain = await open();
});

afterEach(async () => {
  await chain.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const at = (account: Address, signer: boolean, writable: boolean) => ({ address: account, signer, writable });

function createNonce(payer: Address, nonce: Address, lamports: bigint): Instruction[] {
  const create = Buffer.alloc(52);
  create.writeBigUInt64LE(lamports, 4);
  create.writeBigUInt64LE(BigInt(NONCE_BYTES), 12);
  create.set(addressBytes(SYSTEM_PROGRAM), 20);
  const initialize = Buffer.alloc(36);
  initialize[0] = 6;
  initialize.set(addressBytes(payer), 4);
  return [
    { program: SYSTEM_PROGRAM, accounts: [at(payer, true, true), at(nonce, true, true)], data: create },
    {
      program: SYSTEM_PROGRAM,
      accounts: [at(nonce, false, true), at(RECENT_BLOCKHASHES, false, false), at(RENT, false, false)],
      data: initialize,
    },
  ];
}

function advance(nonce: Address, authority: Address): Instruction {
  const accounts = [at(nonce, false, true), at(RECENT_BLOCKHASHES, false, false), at(authority, true, false)];
  return { program: SYSTEM_PROGRAM, accounts, data: Uint8Array.of(4, 0, 0, 0) };
}

function wire(signers: Keypair[], recentBlockhash: string, instructions: Instruction[]): Uint8Array {
  const message = compileMessage({ feePayer: signers[0]!.address, recentBlockhash, instructions });
  return encodeTransaction(signTransaction(transactionFromMessage(message), signers));
}

const valueOf = (nonce: Address): string => encodeBase58(chain.account(nonce)!.data.subarray(40, 72));

it('accepts a transaction on a durable nonce long after any blockhash would have died, and once only', async () => {
  const payer = Keypair.generate();
  const nonce = Keypair.generate();
  const to = Keypair.generate().address;
  await chain.airdrop(payer.address, 10_000_000_000n);
  const rent = chain.rentExemptLamports(NONCE_BYTES);
  const created = wire([payer, nonce], chain.latestBlockhash().blockhash, [
    ...createNonce(payer.address, nonce.address, rent),
  ]);
  expect((await chain.submit(created)).kind).toBe('accepted');
  const pay = (value: string, lamports: bigint): Uint8Array =>
    wire([payer], value, [advance(nonce.address, payer.address), transferSol({ from: payer.address, to, lamports })]);

  const first = valueOf(nonce.address);
  const held = pay(first, 1_000_000_000n);
  await chain.advanceSlots(400);
  expect(chain.isBlockhashValid(first)).toBe(false);
  expect((await chain.submit(held)).kind).toBe('accepted');
  expect(chain.account(to)!.lamports).toBe(1_000_000_000n);
  const second = valueOf(nonce.address);
  expect(second).not.toBe(first);
  // One use a slot: its next value would be the one it has.
  expect((await chain.submit(pay(second, 2_000_000n))).kind).toBe('refused');

  // The same again, at once and after every recent signature is forgotten.
  expect((await chain.submit(held)).kind).not.toBe('accepted');
  await chain.advanceSlots(400);
  expect((await chain.submit(held)).kind).not.toBe('accepted');
  expect((await chain.submit(pay(first, 2_000_000n))).kind).toBe('refused');

  await chain.close();
  chain = await open();
  expect(valueOf(nonce.address)).toBe(second);
  // One that fails costs its fee and uses the nonce up all the same.
  const before = chain.account(payer.address)!.lamports;
  const tooMuch = await chain.submit(pay(second, 10n ** 15n), { skipPreflight: true });
  expect(tooMuch).toMatchObject({ kind: 'accepted', transaction: { err: { InstructionError: [1, { Custom: 1 }] } } });
  expect(chain.account(payer.address)!.lamports).toBe(before - 5_000n);
  const third = valueOf(nonce.address);
  expect(third).not.toBe(second);
  await chain.advanceSlots(1);
  expect((await chain.submit(pay(third, 3_000_000n))).kind).toBe('accepted');
  expect(chain.account(to)!.lamports).toBe(1_003_000_000n);
});
