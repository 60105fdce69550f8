import { AppError } from '@hunter/contract/app-error';
import type { CallName } from '@hunter/contract/calls';
import type { SharedRateLimit } from '../platform/shared-rate-limit.ts';
import type { Handlers, SignedInCaller } from './handlers.ts';

/** Each of these needs no password, and is mailed to the owner. */
const MAILED_CHANGES = [
  'saveWithdrawalAddress',
  'removeWithdrawalAddress',
  'cancelRecovery',
  'connectTelegram',
] as const satisfies readonly CallName[];

type AnyHandler = (request: unknown, caller: SignedInCaller) => Promise<unknown>;

/** Nobody with a session buries the one mail that matters under thousands, or keeps the mails of all others waiting. */
export function limitMailedChanges<Some extends Pick<Handlers, (typeof MAILED_CHANGES)[number]>>(
  handlers: Some,
  limit: Pick<SharedRateLimit, 'take'>,
): Some {
  const limited = MAILED_CHANGES.map((name) => {
    const handler = handlers[name] as AnyHandler;
    const first: AnyHandler = async (request, caller) => {
      const retryAfterSeconds = await limit.take(caller.session.userId);
      if (retryAfterSeconds > 0) throw new AppError('RATE_LIMITED', { retryAfterSeconds });
      return handler(request, caller);
    };
    return [name, first];
  });
  return { ...handlers, ...Object.fromEntries(limited) };
}
