import { AppError } from '@hunter/contract/app-error';
import type { CallName } from '@hunter/contract/calls';
import type { SharedRateLimit } from '../platform/shared-rate-limit.ts';
import type { Handlers } from './handlers.ts';
import { wrapHandlers } from './wrap-handlers.ts';

/** Each of these needs no password, and is mailed to the owner. */
const MAILED_CHANGES = [
  'saveWithdrawalAddress',
  'removeWithdrawalAddress',
  'cancelRecovery',
  'connectTelegram',
] as const satisfies readonly CallName[];

/** Nobody with a session buries the one mail that matters under thousands, or keeps the mails of all others waiting. */
export function limitMailedChanges<Some extends Pick<Handlers, (typeof MAILED_CHANGES)[number]>>(
  handlers: Some,
  limit: Pick<SharedRateLimit, 'take'>,
): Some {
  return wrapHandlers(handlers, MAILED_CHANGES, async ({ session }, run) => {
    const retryAfterSeconds = await limit.take(session!.userId);
    if (retryAfterSeconds > 0) throw new AppError('RATE_LIMITED', { retryAfterSeconds });
    return run();
  });
}
