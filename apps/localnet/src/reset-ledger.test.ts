import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@hunter/solana/keypair';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ledgerFolder, venueFolder } from './first-market.ts';
import { createChain } from './chain/open-chain.ts';
import { resetLedger } from './reset-ledger.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hunter-reset-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const open = () => createChain({ dataDir: ledgerFolder(dataDir), manualSlots: true });

describe('starting over', () => {
  it('removes the ledger and its market, and leaves everything else in the folder alone', async () => {
    const chain = await open();
    await chain.airdrop(Keypair.generate().address, 1_000_000_000n);
    expect(chain.isFresh()).toBe(false);
    await chain.close();
    mkdirSync(venueFolder(dataDir));
    writeFileSync(join(venueFolder(dataDir), 'listings.json'), '[]');
    writeFileSync(join(dataDir, 'notes.txt'), 'mine');
    resetLedger(dataDir);
    expect(readdirSync(dataDir)).toEqual(['notes.txt']);
    const again = await open();
    expect(again.isFresh()).toBe(true);
    expect(again.transactionCount()).toBe(0n);
    await again.close();
  });

  it('removes nothing from a folder that holds no ledger', () => {
    writeFileSync(join(dataDir, 'thesis.txt'), 'ten years of work');
    expect(() => resetLedger(dataDir)).toThrow('nothing was removed');
    expect(existsSync(join(dataDir, 'thesis.txt'))).toBe(true);
  });

  it('removes nothing under a node that is running', async () => {
    const chain = await open();
    const { address } = Keypair.generate();
    await chain.airdrop(address, 5n * 10n ** 9n);
    expect(() => resetLedger(dataDir)).toThrow();
    await chain.close();
    const again = await open();
    expect(again.account(address)!.lamports).toBe(5n * 10n ** 9n);
    await again.close();
  });

  it('has nothing to do where nothing is', () => {
    resetLedger(dataDir);
    resetLedger(join(dataDir, 'not-there'));
    expect(readdirSync(dataDir)).toEqual([]);
  });
});
