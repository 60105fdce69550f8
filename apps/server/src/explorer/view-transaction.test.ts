import { address } from '@hunter/solana/address';
import { compileMessage } from '@hunter/solana/message';
import type { Instruction } from '@hunter/solana/instruction';
import { Keypair } from '@hunter/solana/keypair';
import { MEMO_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import type { ChainTransaction } from '@hunter/solana/rpc-replies';
import { transferSol } from '@hunter/solana/system-program';
import { transferChecked } from '@hunter/solana/token-program';
import { encodeTransaction, transactionFromMessage } from '@hunter/solana/transaction';
import { describe, expect, it } from 'vitest';
import { viewTransaction } from './view-transaction.ts';

const payer = Keypair.generate().address;
const friend = Keypair.generate().address;
const source = Keypair.generate().address;
const destination = Keypair.generate().address;
const mint = Keypair.generate().address;
const stranger = Keypair.generate().address;
const ROUND_MEMO = `hunter:a1:${'A'.repeat(43)}`;

const tokenOf = (wanted: string) => ({
  tokenContractAddress: wanted,
  tokenSymbol: wanted === mint ? 'FROG' : null,
  tokenLogoUrl: null,
});

function aTransaction(overrides: Partial<ChainTransaction> = {}): ChainTransaction {
  const memo = (text: string): Instruction => ({ program: MEMO_PROGRAM, accounts: [], data: Buffer.from(text) });
  const instructions: Instruction[] = [
    transferSol({ from: payer, to: friend, lamports: 1_500_000_000n }),
    transferChecked({ source, mint, destination, owner: payer, amount: 2_500_000n, decimals: 6 }),
    memo(ROUND_MEMO),
    memo('thanks'),
    { program: stranger, accounts: [], data: Uint8Array.of(7) },
  ];
  const message = compileMessage({ feePayer: payer, instructions, recentBlockhash: mint });
  const keys = message.staticAccounts;
  const balances = (of: Partial<Record<string, bigint>>) => keys.map((key) => of[key] ?? 1n);
  const held = (key: string, owner: string, amount: bigint) => ({
    accountIndex: keys.indexOf(address(key)),
    mint,
    owner: address(owner),
    tokenProgram: TOKEN_PROGRAM,
    amount,
    decimals: 6,
  });
  return {
    signature: 'S',
    slot: 42n,
    blockTime: 1_790_000_000,
    err: null,
    fee: 5_000n,
    accountKeys: keys,
    requiredSignatures: 1,
    preBalances: balances({ [payer]: 3_000_005_000n, [friend]: 0n }),
    postBalances: balances({ [payer]: 1_500_000_000n, [friend]: 1_500_000_000n }),
    preTokenBalances: [held(source, payer, 4_000_000n), held(destination, friend, 0n)],
    postTokenBalances: [held(source, payer, 1_500_000n), held(destination, friend, 2_500_000n)],
    logMessages: ['Program log: done'],
    wire: encodeTransaction(transactionFromMessage(message)),
    ...overrides,
  };
}
const isPoolOf = (_mint: string, owner: string): boolean => owner === friend;
const landed = { slot: 42n, confirmations: null, err: null, confirmationStatus: 'finalized' as const };

describe('a transaction in the explorer', () => {
  it('shows who signed, what it cost and what changed hands', () => {
    const view = viewTransaction('S', aTransaction(), landed, tokenOf, isPoolOf, true);
    expect(view).toMatchObject({ status: 'success', confirmation: 'finalized', slot: 42, time: 1_790_000_000_000 });
    expect(view.details).toMatchObject({ fee: '0.000005', signers: [payer] });
    expect(view.details!.solChanges).toEqual([
      { address: payer, change: '-1.500005', after: '1.5' },
      { address: friend, change: '1.5', after: '1.5' },
    ]);
    expect(
      view.details!.tokenChanges.map(({ tokenSymbol, owner, isPool, change, after }) => [
        tokenSymbol,
        owner,
        isPool,
        change,
        after,
      ]),
    ).toEqual([
      ['FROG', payer, false, '-2.5', '1.5'],
      ['FROG', friend, true, '2.5', '2.5'],
    ]);
  });

  it('names the programs it knows, and what they were asked for', () => {
    const { instructions } = viewTransaction('S', aTransaction(), landed, tokenOf, isPoolOf, true).details!;
    expect(
      instructions.map(({ programName, name, amount, token }) => [programName, name, amount, token?.tokenSymbol]),
    ).toEqual([
      ['System Program', 'Transfer', '1.5', undefined],
      ['Token Program', 'TransferChecked', '2.5', 'FROG'],
      ['Memo Program', 'Memo', null, undefined],
      ['Memo Program', 'Memo', null, undefined],
      [null, null, null, undefined],
    ]);
    expect(instructions[4]).toMatchObject({ program: stranger, data: '8' });
  });

  it('tells the memo of a round from any other', () => {
    expect(viewTransaction('S', aTransaction(), landed, tokenOf, isPoolOf, true).details!.memos).toEqual([
      { text: ROUND_MEMO, kind: 'round' },
      { text: 'thanks', kind: 'text' },
    ]);
    const strangers = viewTransaction('S', aTransaction(), landed, tokenOf, isPoolOf, false);
    expect(strangers.details!.memos).toEqual([
      { text: ROUND_MEMO, kind: 'text' },
      { text: 'thanks', kind: 'text' },
    ]);
  });

  it('says which instruction failed and why', () => {
    const err = { InstructionError: [1, { Custom: 6001 }] };
    const view = viewTransaction('S', aTransaction({ err }), { ...landed, err }, tokenOf, isPoolOf, true);
    expect(view).toMatchObject({ status: 'failed', error: { instruction: 2, reason: 'Custom 6001' } });
    const other = viewTransaction('S', aTransaction({ err: 'AccountNotFound' }), landed, tokenOf, isPoolOf, true);
    expect(other.error).toEqual({ instruction: null, reason: 'AccountNotFound' });
  });

  it('tells what the node has forgotten from what it never knew', () => {
    expect(viewTransaction('S', null, landed, tokenOf, isPoolOf, true)).toMatchObject({
      status: 'pruned',
      slot: 42,
      details: null,
    });
    expect(viewTransaction('S', null, null, tokenOf, isPoolOf, true)).toMatchObject({
      status: 'unknown',
      slot: null,
      details: null,
    });
  });

  it('does not call forgotten what was only just processed', () => {
    const processed = { ...landed, confirmations: 0, confirmationStatus: 'processed' as const };
    expect(viewTransaction('S', null, processed, tokenOf, isPoolOf, true)).toMatchObject({
      status: 'success',
      confirmation: 'processed',
      details: null,
    });
    const failed = { ...processed, err: { InstructionError: [0, { Custom: 1 }] } };
    expect(viewTransaction('S', null, failed, tokenOf, isPoolOf, true)).toMatchObject({
      status: 'failed',
      error: { instruction: 1 },
    });
  });
});
