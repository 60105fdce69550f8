import type { CallReply } from '@hunter/contract/calls';

export type Trigger = CallReply<'getMyTriggers'>['lists'][number];

/** Whether it can still be edited, paused and canceled. */
export function isChangeable({ state }: Trigger): boolean {
  return state === 'open' || state === 'paused' || state === 'waiting';
}
