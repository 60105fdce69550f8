import type { CallReply } from '@hunter/contract/calls';

export type Trigger = CallReply<'getMyTriggers'>['lists'][number];

/** The same on the chart and in lists: what buys and what takes a profit is green, what stops a loss red. */
export function triggerTone({ side, kind }: Trigger): 'up' | 'down' {
  return side === 'buy' || kind === 'take-profit' ? 'up' : 'down';
}

/** What waits for an event or a time and sells everything has no figure to change. */
export function hasFigures({ level, trailing, amount }: Trigger): boolean {
  return level !== null || trailing !== null || amount !== null;
}

/** Whether it can still be edited, paused and canceled. */
export function isChangeable({ state }: Trigger): boolean {
  return state === 'open' || state === 'paused' || state === 'waiting';
}
