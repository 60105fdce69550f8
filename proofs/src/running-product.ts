import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../scripts/product-client.ts';
import { startProduct, type ProductProcess } from '../../scripts/product-process.ts';
import { notReady } from './soak/killer.ts';

/** The whole product in a folder of its own, ready to be used, stopped and swept up afterwards. */
export async function withProduct<T>(
  environment: Readonly<Record<string, string>>,
  work: (product: ProductProcess) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'hunter-proof-'));
  const product = await startProduct(folder, { RATE_LIMIT_PER_SECOND: '100000', ...environment });
  try {
    await until(async () => (await notReady(product.endpoints.web)).length === 0, 'the product to be ready', 180_000);
    return await work(product);
  } finally {
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
