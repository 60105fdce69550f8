import type { ProductProcess } from '../../../scripts/product-process.ts';
import { checkInvariants, type Invariants } from './invariants.ts';
import type { Crowd } from './people.ts';
import { metric } from './product-parts.ts';
import { verifyAll } from './verify-all.ts';

/** What must hold once nobody uses the product any more. `jobs` is where the process that reconciles shows its figures. */
export async function checkAtRest(product: ProductProcess, crowd: Crowd, jobs: string): Promise<Invariants> {
  const invariants = await checkInvariants(product.endpoints);
  const { broken } = invariants;
  for (const { key, orders } of crowd.presses) {
    if (orders.size > 1) broken.push(`the key ${key} made ${orders.size} orders`);
  }
  for (const line of crowd.counts.internal) broken.push(`internal error: ${line}`);
  const unexplained = await metric(jobs, 'hunter_unexplained_lamports');
  if (unexplained !== 0) broken.push(`${unexplained} lamports are unexplained`);
  const differing = await verifyAll(product);
  if (differing !== null) broken.push(`npm run verify -- --all: ${differing}`);
  return invariants;
}
