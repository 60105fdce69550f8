import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SealedKey } from '../keys/sealed-key.ts';
import { SignerState } from './signer-state.ts';

const OFTEN = 10_500;

let folder: string;
let path: string;
let state: SignerState;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signer-state-'));
  path = join(folder, 'signer.log');
  state = new SignerState(path, () => 1_700_000_000_000, 20_000);
});

afterEach(async () => {
  await state.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the log of a signer', () => {
  const sealedKey = { rev: 1 } as SealedKey;
  const lines = (): number => readFileSync(path, 'utf8').split('\n').length - 1;

  it.each<[string, () => Promise<void>]>([
    ['own limits', () => state.recordOwnLimits('wallet', { now: { dailyLamports: 1n, delaysNew: true }, next: null })],
    ['stops', () => state.setKillSwitch(true, 'swap', 'by a server')],
    ['sealed keys wrapped anew', () => state.replaceCopy('wallet', 'sealed')],
    ['keys that are shown', () => state.recordExport('wallet', 1_700_000_000_000)],
  ])('grows no longer than what matters by %s that are asked for again and again', async (_what, ask) => {
    await state.advanceRevision('wallet', sealedKey, 'sealed');
    await Promise.all(Array.from({ length: OFTEN }, ask));
    await expect.poll(lines).toBeLessThan(10);
  });
});
