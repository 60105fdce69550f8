import { AppError } from '@hunter/contract/app-error';
import { calls } from '@hunter/contract/calls';
import type { Handlers } from './handlers.ts';

/** The given handlers; every other call answers that it is unavailable. */
export function onlyHandlers(given: Partial<Handlers>): Handlers {
  const unavailable = async () => {
    throw new AppError('UNAVAILABLE');
  };
  const others = Object.fromEntries(Object.keys(calls).map((name) => [name, unavailable]));
  return { ...others, ...given } as Handlers;
}
