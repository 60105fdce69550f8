import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMark } from '../../apps/launcher/src/child-record.ts';
import { isAlive } from '../../apps/launcher/src/process-alive.ts';
import { hotMints, insist, registerUser, until, untilFunded, type ProductUser } from '../../scripts/product-client.ts';
import { startProduct } from '../../scripts/product-process.ts';
import { checkInvariants } from '../../proofs/src/soak/invariants.ts';
import { backUp, restore } from './backup.ts';

const operator = generateKeyPairSync('x25519');
const environment = { SIMULATED_STRATEGIES: 'off', MARKET_PAST_TRADES: '20' };
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hunter-backup-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function holdings(web: string, { token }: ProductUser): Promise<unknown> {
  const positions = (await insist(web, 'getMyPositions', {}, { token })) as { lists: { amount: string }[] };
  const { walletInfo } = await insist(web, 'myWallet', {}, { token });
  // What they are worth moves with the market.
  const { equity: _, ...balances } = walletInfo as Record<string, unknown>;
  return [balances, positions.lists.map((position) => position.amount)];
}

describe('a backup', () => {
  it('brings accounts, keys, money and chain back into an empty folder', async () => {
    const data = join(folder, 'data');
    const file = join(folder, 'backup.sealed');
    const first = await startProduct(data, environment);
    const { web } = first.endpoints;
    const user = await registerUser(web, 'saved@example.com').catch(async (error: unknown) => {
      await first.stop();
      throw error;
    });
    let before: unknown;
    let mint: string | undefined;
    try {
      await untilFunded(web, user);
      [mint] = await hotMints(web);
      const order = { tokenContractAddress: mint, side: 'buy', amount: '0.5' };
      const { id } = await insist(web, 'tokenTransfer', order, { token: user.token });
      await until(
        async () => (await insist(web, 'getOrder', { id }, { token: user.token }))['status'] === 'finalized',
        'the order to be final',
      );
      before = await holdings(web, user);
      await expect(backUp(data, file, operator.publicKey)).rejects.toThrow(
        /is in use by another Hunter \(process \d+ on .+\); stop it there .+ and take the backup then$/,
      );
    } finally {
      await first.stop();
    }

    const secret = readFileSync(join(data, 'server.secret'));
    const report = await backUp(data, file, operator.publicKey);
    expect(report.parts).toEqual(['postgres', 'localnet', 'signer', 'server.secret']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await expect(backUp(data, file, operator.publicKey)).rejects.toThrow('exists already');
    // The old one is gone for good; whatever works from here on came out of the file.
    rmSync(data, { recursive: true });

    const restored = join(folder, 'restored');
    await expect(restore(restored, file, null)).rejects.toThrow('is encrypted');
    const stranger = generateKeyPairSync('x25519').privateKey;
    await expect(restore(restored, file, stranger)).rejects.toThrow('cannot be opened');
    expect(readdirSync(folder).filter((name) => name.includes('restor'))).toEqual([]);
    await restore(restored, file, operator.privateKey);
    expect(readFileSync(join(restored, 'server.secret'))).toEqual(secret);
    const second = await startProduct(restored, environment);
    try {
      expect(await holdings(second.endpoints.web, user)).toEqual(before);
      // The key opens and the chain goes on.
      await insist(
        second.endpoints.web,
        'tokenClose',
        { tokenContractAddress: mint, slippageBps: 2000 },
        { token: user.token },
      );
      expect((await checkInvariants(second.endpoints)).broken).toEqual([]);
    } finally {
      await second.stop();
    }
  });

  it('is restored into an empty folder only, and only from a backup', async () => {
    const full = mkdtempSync(join(folder, 'full-'));
    writeFileSync(join(full, 'something'), '');
    const noBackup = join(folder, 'no-backup.tar.gz');
    writeFileSync(noBackup, 'nothing of use');
    await expect(restore(full, noBackup, null)).rejects.toThrow('is not empty');
    await expect(restore('/dev', noBackup, null)).rejects.toThrow('is a mount point');
    await expect(restore(join(folder, 'other'), noBackup, null)).rejects.toThrow('cannot be restored: tar failed: ');
    await expect(restore(join(folder, 'other'), join(folder, 'missing'), null)).rejects.toThrow('there is no');
    await expect(backUp(full, join(folder, 'x.tar.gz'), null)).rejects.toThrow('is no data folder of Hunter');
    expect(readdirSync(full)).toEqual(['something']);
  });

  it('waits for what an instance that was killed has left running, and is not taken of half a first start', async () => {
    const data = mkdtempSync(join(folder, 'killed-'));
    mkdirSync(join(data, 'signer'));
    const child = spawn('sleep', ['1']);
    const pid = child.pid!;
    writeFileSync(join(data, 'children.json'), JSON.stringify([{ name: 'signer', pid, startMark: startMark(pid) }]));
    await backUp(data, join(folder, 'killed.tar.gz'), null);
    expect(isAlive(pid)).toBe(false);
    writeFileSync(join(data, 'first-start'), '');
    await expect(backUp(data, join(folder, 'half.tar.gz'), null)).rejects.toThrow('start Hunter once');
  });

  it.each(['postgres', 'signer/older', 'server.secret'])(
    'is not taken where %s is a link, which would be all of it in the archive',
    async (name) => {
      const data = mkdtempSync(join(folder, 'linked-'));
      const elsewhere = mkdtempSync(join(folder, 'elsewhere-'));
      mkdirSync(join(data, 'signer'));
      symlinkSync(elsewhere, join(data, name));
      const file = join(elsewhere, 'linked.tar.gz');
      await expect(backUp(data, file, null)).rejects.toThrow(`${join(data, name)} is a link`);
      expect(readdirSync(elsewhere)).toEqual([]);
    },
  );

  it('without a key is an ordinary archive', async () => {
    const data = mkdtempSync(join(folder, 'small-'));
    mkdirSync(join(data, 'signer'));
    writeFileSync(join(data, 'signer', 'keys.json'), 'keys');
    const file = join(folder, 'small.tar.gz');
    await backUp(data, file, null);
    const restored = join(folder, 'small-again');
    expect(await restore(restored, file, null)).toMatchObject({ parts: ['signer'] });
    expect(readFileSync(join(restored, 'signer', 'keys.json'), 'utf8')).toBe('keys');
  });
});
