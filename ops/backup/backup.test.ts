import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hotMints, insist, registerUser, until, untilFunded, type ProductUser } from '../../scripts/product-client.ts';
import { startProduct } from '../../scripts/product-process.ts';
import { checkInvariants } from '../../proofs/src/soak/invariants.ts';
import { backUp, restore } from './backup.ts';

const environment = { SIMULATED_STRATEGIES: 'off', MARKET_PAST_TRADES: '20' };
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hunter-backup-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function holdings(web: string, { token }: ProductUser): Promise<unknown> {
  const positions = (await insist(web, 'getMyPositions', {}, { token })) as { lists: { amount: string }[] };
  const { walletInfo } = await insist(web, 'myWallet', {}, { token });
  return [walletInfo, positions.lists.map((position) => position.amount)];
}

describe('a backup', () => {
  it('brings accounts, keys, money and chain back into an empty folder', async () => {
    const data = join(folder, 'data');
    const file = join(folder, 'backup.tar.gz');
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
      expect(() => backUp(data, file)).toThrow(/is in use by another Hunter/);
    } finally {
      await first.stop();
    }

    const report = backUp(data, file);
    expect(report.parts).toEqual(['postgres', 'localnet', 'signer', 'server.secret']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(() => backUp(data, file)).toThrow('exists already');
    // The old one is gone for good; whatever works from here on came out of the file.
    rmSync(data, { recursive: true });

    const restored = join(folder, 'restored');
    restore(restored, file);
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
  }, 300_000);

  it('is restored into an empty folder only, and only from a backup', () => {
    const full = mkdtempSync(join(folder, 'full-'));
    writeFileSync(join(full, 'something'), '');
    const noBackup = join(folder, 'no-backup.tar.gz');
    writeFileSync(noBackup, 'nothing of use');
    expect(() => restore(full, noBackup)).toThrow('is not empty');
    expect(() => restore(join(folder, 'other'), noBackup)).toThrow('is no backup of Hunter');
    expect(() => restore(join(folder, 'other'), join(folder, 'missing'))).toThrow('there is no');
    expect(() => backUp(full, join(folder, 'x.tar.gz'))).toThrow('is no data folder of Hunter');
    expect(readdirSync(full)).toEqual(['something']);
  });
});
