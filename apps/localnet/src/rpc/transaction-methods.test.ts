import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@hunter/solana/keypair';
import { compileMessage } from '@hunter/solana/message';
import { MEMO_PROGRAM } from '@hunter/solana/program-ids';
import { transferSol } from '@hunter/solana/system-program';
import { encodeTransaction, signTransaction, transactionFromMessage } from '@hunter/solana/transaction';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LedgerChain } from '../chain/ledger-chain.ts';
import { createChain } from '../chain/open-chain.ts';
import { getSignaturesForAddress } from './transaction-methods.ts';

let dataDir: string;
let chain: LedgerChain;
const open = () => createChain({ dataDir, manualSlots: true, now: () => 1_800_000_000_000 });

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hunter-rpc-'));
  chain = await open();
});
afterEach(async () => {
  await chain.close();
  rmSync(dataDir, { recursive: true, force: true });
});

it('lists transactions with their errors and memos, the same from memory and from disk', async () => {
  const from = Keypair.generate();
  const to = Keypair.generate().address;
  await chain.airdrop(from.address, 1_000_000_000n);
  const submit = (lamports: bigint, ...memos: string[]) => {
    const notes = memos.map((text) => ({ program: MEMO_PROGRAM, accounts: [], data: Buffer.from(text) }));
    const message = compileMessage({
      feePayer: from.address,
      recentBlockhash: chain.latestBlockhash().blockhash,
      instructions: [transferSol({ from: from.address, to, lamports }), ...notes],
    });
    const wire = encodeTransaction(signTransaction(transactionFromMessage(message), [from]));
    return chain.submit(wire, { skipPreflight: true });
  };
  await submit(1_000_000n, 'first', 'second');
  await submit(2_000_000_000n);
  await submit(1_000_001n);
  await chain.advanceSlots(10);
  const list = (address: string) => getSignaturesForAddress(chain, [address]) as object[];
  const listed = [list(from.address), list(to)];
  const full = chain.transactionsFor(from.address);
  const memos = [null, null, '[5] first; [6] second', null];
  expect(listed[0]).toEqual(
    full.map(({ signature, slot, blockTime, err }, index) => {
      return { signature, slot: Number(slot), blockTime, err, memo: memos[index], confirmationStatus: 'finalized' };
    }),
  );
  expect(full.map(({ err }) => err)).toEqual([null, { InstructionError: [0, { Custom: 1 }] }, null, null]);
  expect(listed[1]).toEqual(listed[0]!.slice(0, 3));
  await chain.close();
  chain = await open();
  await chain.advanceSlots(10);
  expect([list(from.address), list(to)]).toEqual(listed);
});
