import type { CallName } from '@hunter/contract/calls';
import type { CallerReadLimit } from './caller-read-limit.ts';
import type { Caller, Handlers } from './handlers.ts';

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

type AnyHandler = (request: unknown, caller: Caller) => Promise<unknown>;

export function limitReplays<Some extends Pick<Handlers, (typeof REPLAYS)[number]>>(
  handlers: Some,
  limit: CallerReadLimit,
): Some {
  const limited = REPLAYS.map((name) => {
    const handler = handlers[name] as AnyHandler;
    return [name, (request: unknown, caller: Caller) => limit.run(caller, () => handler(request, caller))];
  });
  return { ...handlers, ...Object.fromEntries(limited) };
}
