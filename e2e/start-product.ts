import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from '../scripts/product-process.ts';

/**
 * Playwright's global setup. `HUNTER_URL` points the tests at an instance that is running already; without it they get
 * one of their own, with an empty data folder. Tests read the address through `baseURL`.
 */
export default async function startForTests(): Promise<() => Promise<void>> {
  const given = process.env['HUNTER_URL'];
  if (given !== undefined && given !== '') return () => Promise.resolve();
  const folder = mkdtempSync(join(tmpdir(), 'hunter-e2e-'));
  chmodSync(folder, 0o755);
  const product = await startProduct(join(folder, 'data'), {
    MARKET_SEED: process.env['MARKET_SEED'] ?? '7',
    // Low enough for the gift of a new account to hold one.
    SIGNER_LARGE_SOL: '4',
    // A gift of that size makes no wallet whose key should wait for a day.
    SIGNER_EXPORT_DELAY_SECONDS: '0',
    // Short enough to see the end of it.
    SIGNER_RECOVERY_SECONDS: '6',
  });
  process.env['HUNTER_URL'] = product.endpoints.web;
  process.env['HUNTER_DATA_DIR'] = product.dataDirectory;
  return async () => {
    const code = await product.stop();
    rmSync(folder, { recursive: true, force: true });
    if (code !== 0) throw new Error(`the product exited with ${code} when it was stopped`);
  };
}
