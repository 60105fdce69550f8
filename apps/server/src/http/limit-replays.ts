import type { CallName } from '@hunter/contract/calls';
import type { CallerReadLimit } from './caller-read-limit.ts';
import type { Handlers } from './handlers.ts';
import { wrapHandlers } from './wrap-handlers.ts';

/** Each of these reads weeks of trades or pools and goes through them; some are open to anybody. */
export const REPLAYS = [
  'simulateFollow',
  'simulateWalletFollow',
  'previewWalletFollow',
  'startPaperFollow',
  'endPaperFollow',
  'getMyPaperFollows',
  'startPaperWalletFollow',
  'endPaperWalletFollow',
  'getMyPaperWalletFollows',
] as const satisfies readonly CallName[];

export function limitReplays<Some extends Pick<Handlers, (typeof REPLAYS)[number]>>(
  handlers: Some,
  limit: CallerReadLimit,
): Some {
  return wrapHandlers(handlers, REPLAYS, (caller, run) => limit.run(caller, run));
}
