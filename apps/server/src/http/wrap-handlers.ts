import type { CallName } from '@hunter/contract/calls';
import type { Caller, Handlers } from './handlers.ts';

type AnyHandler = (request: unknown, caller: Caller) => Promise<unknown>;

/** The handlers, of which those named run within `around`. */
export function wrapHandlers<Name extends CallName, Some extends Pick<Handlers, Name>>(
  handlers: Some,
  names: readonly Name[],
  around: (caller: Caller, run: () => Promise<unknown>) => Promise<unknown>,
): Some {
  const wrapped = names.map((name) => {
    const handler = handlers[name] as AnyHandler;
    return [name, (request: unknown, caller: Caller) => around(caller, () => handler(request, caller))];
  });
  return { ...handlers, ...Object.fromEntries(wrapped) };
}
