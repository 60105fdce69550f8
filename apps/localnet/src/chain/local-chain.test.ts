import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { encodeBase58 } from '@hunter/solana/base58';
import type { Instruction } from '@hunter/solana/instruction';
import { Keypair } from '@hunter/solana/keypair';
import { compileMessage } from '@hunter/solana/message';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { transferSol } from '@hunter/solana/system-program';
import { closeTokenAccount, createAssociatedTokenAccountIdempotent } from '@hunter/solana/token-program';
import { encodeTransaction, signTransaction, transactionFromMessage } from '@hunter/solana/transaction';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerTransaction } from './chain.ts';
import { openDatabase, readMeta } from './history-database.ts';
import type { LedgerChain } from './ledger-chain.ts';
import { readLog } from './log-files.ts';
import { createChain } from './open-chain.ts';

let dataDir: string;
let chain: LedgerChain;
let nowMs: number;

const open = () => createChain({ dataDir, manualSlots: true, now: () => nowMs });

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hunter-chain-'));
  nowMs = 1_800_000_000_000;
  chain = await open();
});

afterEach(async () => {
  await chain.close();
  rmSync(dataDir, { recursive: true, force: true });
});

function transferWire(
  from: Keypair,
  to: string,
  lamports: bigint,
  blockhash = chain.latestBlockhash().blockhash,
): Uint8Array {
  const message = compileMessage({
    feePayer: from.address,
    recentBlockhash: blockhash,
    instructions: [transferSol({ from: from.address, to: address(to), lamports })],
  });
  return encodeTransaction(signTransaction(transactionFromMessage(message), [from]));
}

function signaturesFor(...[of, options]: Parameters<LedgerChain['transactionsFor']>): string[] {
  return chain.transactionsFor(of, options).map(({ signature }) => signature);
}

async function funded(lamports = 10_000_000_000n): Promise<Keypair> {
  const keypair = Keypair.generate();
  const outcome = await chain.airdrop(keypair.address, lamports);
  expect(outcome.kind).toBe('accepted');
  return keypair;
}

describe('token accounts', () => {
  it('go back to the System program when they are closed, also where the same transaction pays into them again', async () => {
    const owner = await funded();
    const mint = Keypair.generate().address;
    const mintData = Buffer.alloc(82);
    mintData[44] = 6;
    mintData[45] = 1;
    await chain.setAccounts([
      { address: mint, account: { lamports: 1_461_600n, data: mintData, owner: TOKEN_PROGRAM, executable: false } },
    ]);
    const token = associatedTokenAddress(owner.address, mint);
    const submit = (...instructions: Instruction[]) => {
      const recentBlockhash = chain.latestBlockhash().blockhash;
      const message = compileMessage({ feePayer: owner.address, recentBlockhash, instructions });
      return chain.submit(encodeTransaction(signTransaction(transactionFromMessage(message), [owner])));
    };
    const created = await submit(
      createAssociatedTokenAccountIdempotent({ payer: owner.address, owner: owner.address, mint }),
    );
    expect(created.kind).toBe('accepted');
    expect(chain.accountAt(token, 'processed')).toMatchObject({ owner: TOKEN_PROGRAM, lamports: 2_039_280n });
    const closed = await submit(
      closeTokenAccount({ account: token, destination: owner.address, owner: owner.address }),
      transferSol({ from: owner.address, to: token, lamports: 3_000_000n }),
    );
    expect(closed.kind).toBe('accepted');
    expect(chain.accountAt(token, 'processed')).toMatchObject({ owner: SYSTEM_PROGRAM, lamports: 3_000_000n });
    expect(chain.accountAt(token, 'processed')?.data).toHaveLength(0);
    expect(chain.tokenAccountsOfOwner(owner.address, 'processed')).toEqual([]);
  });
});

describe('commitments', () => {
  it('shows a transfer as processed at once, confirmed a slot later and final eight slots later', async () => {
    const from = await funded(5_000_000_000n);
    const balance = (commitment: 'processed' | 'confirmed' | 'finalized') =>
      chain.accountAt(from.address, commitment)?.lamports ?? 0n;
    expect([balance('processed'), balance('confirmed'), balance('finalized')]).toEqual([5_000_000_000n, 0n, 0n]);
    await chain.advanceSlots(1);
    expect([balance('confirmed'), balance('finalized')]).toEqual([5_000_000_000n, 0n]);
    await chain.advanceSlots(6);
    expect(balance('finalized')).toBe(0n);
    await chain.advanceSlots(1);
    expect(balance('finalized')).toBe(5_000_000_000n);
  });

  it('keeps the state of each slot that is not final', async () => {
    const from = await funded(5_000_000_000n);
    await chain.advanceSlots(1);
    const to = Keypair.generate().address;
    await chain.submit(transferWire(from, to, 1_000_000_000n));
    expect(chain.accountAt(to, 'processed')?.lamports).toBe(1_000_000_000n);
    expect(chain.accountAt(to, 'confirmed')).toBeNull();
    expect(chain.accountAt(from.address, 'confirmed')?.lamports).toBe(5_000_000_000n);
  });
});

describe('lifetimes', () => {
  it('accepts a blockhash for 150 slots and refuses it after', async () => {
    const from = await funded();
    const { blockhash, lastValidBlockHeight } = chain.latestBlockhash();
    await chain.advanceSlots(150);
    expect(chain.blockHeight('processed')).toBe(lastValidBlockHeight);
    const onTime = await chain.submit(transferWire(from, Keypair.generate().address, 1_000_000n, blockhash));
    expect(onTime.kind).toBe('accepted');
    await chain.advanceSlots(1);
    const late = await chain.submit(transferWire(from, Keypair.generate().address, 1_000_000n, blockhash));
    expect(late).toMatchObject({ kind: 'refused', code: -32002, data: { err: 'BlockhashNotFound' } });
  });

  it('answers a duplicate as already processed and applies it once', async () => {
    const from = await funded();
    const to = Keypair.generate().address;
    const wire = transferWire(from, to, 2_000_000n);
    expect((await chain.submit(wire)).kind).toBe('accepted');
    expect((await chain.submit(wire)).kind).toBe('already-processed');
    expect(chain.account(to)?.lamports).toBe(2_000_000n);
  });
});

describe('failures', () => {
  it('charges the fee of a failed transaction and keeps it in history', async () => {
    const from = await funded(1_000_000_000n);
    const outcome = await chain.submit(transferWire(from, Keypair.generate().address, 2_000_000_000n), {
      skipPreflight: true,
    });
    expect(outcome).toMatchObject({
      kind: 'accepted',
      transaction: { fee: 5000n, err: { InstructionError: [0, { Custom: 1 }] } },
    });
    expect(chain.account(from.address)?.lamports).toBe(999_995_000n);
  });

  it('refuses it in preflight without a fee or a trace', async () => {
    const from = await funded(1_000_000_000n);
    const outcome = await chain.submit(transferWire(from, Keypair.generate().address, 2_000_000_000n));
    expect(outcome).toMatchObject({ kind: 'refused', code: -32002 });
    expect(chain.account(from.address)?.lamports).toBe(1_000_000_000n);
    expect(signaturesFor(from.address)).toHaveLength(1);
    expect((await chain.submit(transferWire(from, Keypair.generate().address, 900_000_000n))).kind).toBe('accepted');
  });

  it('refuses a payer without funds and charges nobody', async () => {
    const outcome = await chain.submit(transferWire(Keypair.generate(), Keypair.generate().address, 1n), {
      skipPreflight: true,
    });
    expect(outcome).toMatchObject({ kind: 'refused', data: { err: 'AccountNotFound' } });
  });
});

describe('the ledger on disk', () => {
  it('comes back with accounts, history, signatures, slot and blockhashes', async () => {
    const from = await funded();
    const to = Keypair.generate().address;
    const wire = transferWire(from, to, 3_000_000n);
    const outcome = await chain.submit(wire);
    if (outcome.kind !== 'accepted') throw new Error('not accepted');
    const before = chain.transaction(outcome.transaction.signature);
    const slot = chain.slot('processed');
    const { blockhash } = chain.latestBlockhash();
    await chain.close();
    chain = await open();
    expect(chain.account(to)?.lamports).toBe(3_000_000n);
    expect(chain.transaction(outcome.transaction.signature)).toEqual({ ...before, wire: new Uint8Array(wire) });
    expect(signaturesFor(from.address)).toHaveLength(2);
    expect(chain.slot('processed')).toBeGreaterThan(slot);
    expect(chain.isBlockhashValid(blockhash)).toBe(true);
    expect((await chain.submit(wire)).kind).toBe('already-processed');
    expect(chain.isFresh()).toBe(false);
  });

  it('pages history by address, before and until', async () => {
    const from = await funded();
    const signatures: string[] = [];
    for (let i = 0; i < 12; i += 1) {
      const outcome = await chain.submit(transferWire(from, Keypair.generate().address, 1_000_000n + BigInt(i)));
      if (outcome.kind === 'accepted') signatures.unshift(outcome.transaction.signature);
      if (i % 4 === 3) await chain.advanceSlots(1);
    }
    expect(signaturesFor(from.address, { limit: 5 })).toEqual(signatures.slice(0, 5));
    expect(signaturesFor(from.address, { before: signatures[4]!, limit: 3 })).toEqual(signatures.slice(5, 8));
    expect(signaturesFor(from.address, { until: signatures[4]! })).toEqual(signatures.slice(0, 4));
  });

  it('imports a past that reads like any other history', async () => {
    await chain.close();
    rmSync(dataDir, { recursive: true });
    chain = await open();
    expect(chain.isFresh()).toBe(true);
    const from = Keypair.generate();
    const to = Keypair.generate().address;
    const wire = transferWire(from, to, 5_000_000n);
    const past: LedgerTransaction = {
      signature: encodeBase58(wire.subarray(1, 65)),
      slot: chain.slot('processed') - 1000n,
      index: 0,
      blockTime: 1_799_999_600,
      wire,
      err: null,
      fee: 5000n,
      accountKeys: [from.address, to, '11111111111111111111111111111111'],
      preBalances: [10_000_000n, 0n, 1n],
      postBalances: [4_995_000n, 5_000_000n, 1n],
      preTokenBalances: [],
      postTokenBalances: [],
      innerInstructions: [],
      logMessages: ['Program 11111111111111111111111111111111 success'],
      computeUnitsConsumed: 150n,
    };
    await chain.importPast([past]);
    expect(chain.isFresh()).toBe(false);
    expect(signaturesFor(to)).toEqual([past.signature]);
    expect(chain.transaction(past.signature)).toMatchObject({ slot: past.slot, postBalances: past.postBalances });
    await expect(chain.importPast([past])).rejects.toThrow('without transactions');
  });

  it('belongs to one process at a time', async () => {
    await expect(open()).rejects.toThrow('in use by another running localnet');
  });
});

describe('bursts', () => {
  it('accepts what is genuine once, and refuses forgeries and copies, on whatever thread they are checked', async () => {
    const from = await funded();
    const receivers = Array.from({ length: 3 }, () => Keypair.generate().address);
    let accepted = 0n;
    // The first burst starts the second thread; once it runs, bursts are checked there.
    for (let burst = 0; burst < 40; burst += 1) {
      const wires = receivers.flatMap((to, i) => {
        const wire = transferWire(from, to, 1_000_000n + BigInt(burst * 10 + i));
        const forged = Uint8Array.from(wire);
        forged[20]! ^= 1;
        return [forged, wire, wire];
      });
      const outcomes = await Promise.all(wires.map((wire) => chain.submit(wire)));
      const kinds = outcomes.map((outcome) => (outcome.kind === 'refused' ? outcome.code : outcome.kind));
      expect(kinds).toEqual(receivers.flatMap(() => [-32003, 'accepted', 'already-processed']));
      accepted += BigInt(receivers.length);
    }
    const fees = accepted * 5_000n;
    const received = receivers.reduce((sum, to) => sum + chain.account(to)!.lamports, 0n);
    expect(chain.account(from.address)!.lamports + received + fees).toBe(10_000_000_000n);
  });
});

describe('a history that outgrows its place', () => {
  it('forgets whole slots from the oldest on, and says truthfully where it begins', async () => {
    await chain.close();
    chain = await createChain({
      dataDir,
      manualSlots: true,
      now: () => nowMs,
      retention: { bytesMax: 300_000, slotsMin: 20 },
      isFilingAwaited: true,
    });
    const from = await funded();
    const begun = chain.firstSlot();
    const to = Keypair.generate().address;
    const signatures: string[] = [];
    // The thread looks at the size now and then, so it takes more than the limit before anything goes.
    for (let round = 0; chain.firstSlot() === begun; round += 1) {
      const wires = Array.from({ length: 25 }, (_, i) => transferWire(from, to, BigInt(1_000_000 + round * 25 + i)));
      const outcomes = await chain.submitMany(wires);
      for (const outcome of outcomes) if (outcome.kind === 'accepted') signatures.push(outcome.transaction.signature);
      await chain.advanceSlots(3);
    }
    const first = chain.firstSlot();
    expect(first).toBeGreaterThan(begun);
    expect(first).toBeLessThanOrEqual(chain.slot('processed') - 20n);
    expect(chain.transaction(signatures[0]!)).toBeNull();
    // Signatures are remembered for the life of a blockhash, whatever becomes of their transactions.
    await chain.advanceSlots(155);
    expect(chain.status(signatures[0]!, true)).toBeNull();
    expect(chain.blockTime(first - 1n)).toBeNull();
    const kept = signaturesFor(to, { limit: 100_000 });
    expect(kept).toEqual(signatures.slice(-kept.length).reverse());
    expect(kept.length).toBeLessThan(signatures.length);
    // The state is whole, whatever is forgotten of how it came about.
    const spent = signatures.reduce((sum, _, i) => sum + BigInt(1_000_000 + i), 0n);
    expect(chain.account(to)!.lamports).toBe(spent);
    const before = { first, count: chain.transactionCount() };
    await chain.close();
    chain = await open();
    expect(chain.firstSlot()).toBeGreaterThanOrEqual(before.first);
    expect(chain.transactionCount()).toBe(before.count);
    // The thread may have forgotten more before it ended, but again whole slots from the oldest on.
    const left = signaturesFor(to, { limit: 100_000 });
    expect(left.length).toBeGreaterThan(0);
    expect(left).toEqual(kept.slice(0, left.length));
    expect(chain.transaction(left.at(-1)!)).not.toBeNull();
    expect(chain.account(to)!.lamports).toBe(spent);
  });
});

describe('filing', () => {
  /** What a start would have to file before anything else if the chain were killed now. */
  function unfiledMegabytes(): number {
    const database = openDatabase(join(dataDir, 'history.sqlite'), true);
    const filed = Number(readMeta(database, 'frame') ?? 0);
    database.close();
    const frames = [...readLog(join(dataDir, 'log'))].map(({ frame }) => frame).filter(({ number }) => number > filed);
    return frames.reduce((sum, { payload }) => sum + payload.length, 0) / 2 ** 20;
  }

  it('falls at most 12 MB behind: what comes then waits', async () => {
    const megabyte = () => ({ lamports: 10_000_000_000n, data: randomBytes(2 ** 20), owner: SYSTEM_PROGRAM });
    const write = () =>
      chain.setAccounts([{ address: Keypair.generate().address, account: { ...megabyte(), executable: false } }]);
    await Promise.all(Array.from({ length: 40 }, write));
    await write();
    expect(unfiledMegabytes()).toBeLessThan(14);
  });
});
