import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@hunter/solana/keypair';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readLog } from './log-files.ts';
import { LogWriter } from './log-writer.ts';
import { createChain } from './open-chain.ts';

type Synced = (error: Error | null) => void;
/** While it holds syncs, what was asked for waits in `asked`. */
const disk = vi.hoisted(() => ({ holds: false, asked: [] as Synced[] }));
vi.mock(import('node:fs'), async (importOriginal) => {
  const fs = await importOriginal();
  const fdatasync = (fd: number, synced: Synced): void => {
    if (disk.holds) disk.asked.push(synced);
    else fs.fdatasync(fd, synced);
  };
  return { ...fs, fdatasync: fdatasync as typeof fs.fdatasync };
});

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hunter-log-'));
  disk.asked = [];
});
afterEach(() => {
  disk.holds = false;
  rmSync(directory, { recursive: true, force: true });
});

it('acknowledges nothing after a sync that failed, and leaves a log that can be read', async () => {
  const writer = new LogWriter(directory, 1, 1);
  const failures: Error[] = [];
  writer.onFailure = (error) => failures.push(error);
  await writer.append(Buffer.from('one'));
  disk.holds = true;
  const second = writer.append(Buffer.from('two'));
  second.catch(() => undefined);
  await expect.poll(() => disk.asked).toHaveLength(1);
  const third = writer.append(Buffer.from('three'));
  disk.holds = false;
  disk.asked[0]!(new Error('no space left on device'));
  await expect(second).rejects.toThrow('cannot be written');
  await expect(third).rejects.toThrow('cannot be written');
  await expect(writer.append(Buffer.from('four'))).rejects.toThrow('cannot be written');
  await writer.close();
  expect(failures).toHaveLength(1);
  expect([...readLog(directory)].map(({ frame }) => frame.payload.toString())).toEqual(['one', 'two']);
});

it('tells whoever runs the chain, who has to end the process', async () => {
  const failures: Error[] = [];
  const chain = await createChain({
    dataDir: directory,
    manualSlots: true,
    onFailure: (error) => failures.push(error),
  });
  disk.holds = true;
  const dropped = chain.airdrop(chain.faucetAddress, 1n);
  dropped.catch(() => undefined);
  await expect.poll(() => disk.asked).toHaveLength(1);
  disk.holds = false;
  disk.asked[0]!(new Error('no space left on device'));
  await expect(dropped).rejects.toThrow('cannot be written');
  expect(failures.map(({ message }) => message)).toEqual(['the ledger cannot be written to disk']);
  await chain.close();
});

it('calls no state final that is not on disk, however long a sync takes', async () => {
  const chain = await createChain({ dataDir: directory, manualSlots: true });
  const { address } = Keypair.generate();
  disk.holds = true;
  const funded = chain.airdrop(address, 1_000_000n);
  await expect.poll(() => disk.asked).toHaveLength(1);
  const later = chain.advanceTo(Number(chain.slot('processed')) + 20);
  expect(chain.accountAt(address, 'processed')?.lamports).toBe(1_000_000n);
  expect([chain.accountAt(address, 'confirmed'), chain.accountAt(address, 'finalized')]).toEqual([null, null]);
  disk.holds = false;
  disk.asked[0]!(null);
  await Promise.all([funded, later]);
  await chain.advanceSlots(1);
  expect(chain.accountAt(address, 'finalized')?.lamports).toBe(1_000_000n);
  await chain.close();
});
