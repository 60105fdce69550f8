import { LOCALNET_GENESIS_HASH } from '@hunter/solana/localnet-genesis';
// The older client library, as much of the ecosystem still uses it.

import { Connection, Keypair, sendAndConfirmTransaction, SystemProgram, Transaction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestNode, type TestNode } from './node-for-test.ts';

let node: TestNode;
let connection: Connection;

beforeAll(async () => {
  node = await startTestNode({ slotMs: 100 });
  connection = new Connection(node.url, { commitment: 'confirmed', wsEndpoint: node.wsUrl });
});

afterAll(() => node.close());

describe('web3.js against the localnet', () => {
  it('confirms an airdrop and a transfer, and reads the transfer parsed', async () => {
    const [from, to] = [Keypair.generate(), Keypair.generate()];
    const airdrop = await connection.requestAirdrop(from.publicKey, 2_000_000_000);
    const latest = await connection.getLatestBlockhash();
    const confirmed = await connection.confirmTransaction({ signature: airdrop, ...latest }, 'confirmed');
    expect(confirmed.value.err).toBeNull();

    const instruction = SystemProgram.transfer({
      fromPubkey: from.publicKey,
      toPubkey: to.publicKey,
      lamports: 1_000_000,
    });
    const signature = await sendAndConfirmTransaction(connection, new Transaction().add(instruction), [from]);
    const parsed = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(parsed?.transaction.message.instructions[0]).toMatchObject({
      program: 'system',
      parsed: { type: 'transfer', info: { lamports: 1_000_000, source: from.publicKey.toBase58() } },
    });
    expect(parsed?.meta?.fee).toBe(5000);
    expect(await connection.getBalance(to.publicKey)).toBe(1_000_000);
    const history = await connection.getSignaturesForAddress(from.publicKey);
    expect(history.map((row) => row.signature)).toEqual([signature, airdrop]);
  });

  it('reads what the cluster says about itself', async () => {
    expect(await connection.getGenesisHash()).toBe(LOCALNET_GENESIS_HASH);
    expect((await connection.getEpochInfo()).slotsInEpoch).toBe(432_000);
    expect((await connection.getSupply()).value.total).toBeGreaterThan(0);
    expect((await connection.getVoteAccounts()).current).toEqual([]);
    expect((await connection.getVersion())['solana-core']).toBeTypeOf('string');
    const first = await connection.getFirstAvailableBlock();
    // The slot a chain begins in has no block of its own.
    await expect.poll(() => connection.getSlot('finalized')).toBeGreaterThan(first + 1);
    const slot = await connection.getSlot('finalized');
    const blocks = await connection.getBlocks(slot - 1, slot);
    expect(blocks.at(-1)).toBe(slot);
    expect(await connection.getBlockTime(slot)).toBeGreaterThan(1_600_000_000);
  });
});
