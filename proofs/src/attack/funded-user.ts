import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type ProductUser, registerUser, untilFunded } from '../../../scripts/product-client.ts';

const TRIES_MAX = 5;
const AGAIN_MS = 2_000;

/** Somebody with the welcome money, and with what `prepare` adds. Where a part of the product died meanwhile it is somebody else. */
export async function fundedUser<More extends object>(
  web: string,
  name: string,
  prepare: (user: ProductUser) => Promise<More> = async () => ({}) as More,
): Promise<ProductUser & More> {
  for (let left = TRIES_MAX; ; left -= 1) {
    try {
      const user = await registerUser(web, `${name}-${randomUUID()}@example.com`);
      await untilFunded(web, user);
      return { ...user, ...(await prepare(user)) };
    } catch (error) {
      if (left === 1) throw error;
      await delay(AGAIN_MS);
    }
  }
}
