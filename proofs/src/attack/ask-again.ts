import { setTimeout as delay } from 'node:timers/promises';
import type { CallName } from '@hunter/contract/calls';
import { type Answer, ask, type Asking, dataOf } from '../../../scripts/product-client.ts';

const TRIES_MAX = 30;
const AGAIN_MS = 1_000;

export const PUT_OFF: readonly unknown[] = ['UNAVAILABLE', 'REQUEST_IN_PROGRESS', 'TRADE_UNDER_WAY'];

/** As `ask`, but a part of the product that is unavailable for a moment, or died over the request, puts no attacker off. */
export async function askAgain(
  web: string,
  name: CallName,
  request: object = {},
  asking: Asking = {},
): Promise<Answer> {
  for (let left = TRIES_MAX; ; left -= 1) {
    try {
      const answer = await ask(web, name, request, asking);
      if (!PUT_OFF.includes(answer.data?.['error']) || left === 1) return answer;
    } catch (error) {
      if (left === 1) throw error;
    }
    await delay(AGAIN_MS);
  }
}

/** As `insist`. */
export async function insistAgain(
  web: string,
  name: CallName,
  request: object = {},
  asking: Asking = {},
): Promise<Record<string, unknown>> {
  return dataOf(name, await askAgain(web, name, request, asking));
}
