import type { CallReply } from '@hunter/contract/calls';

export type FirstSteps = CallReply<'getMyFirstSteps'>;

/** In the order of the guide; where each leads. */
export const stepLinks = {
  deposit: '/account?dialog=deposit',
  find: '/discover',
  buy: '/discover',
  follow: '/strategies',
  see: '/account',
} as const;

export type StepName = keyof typeof stepLinks;

export const stepNames = Object.keys(stepLinks) as StepName[];

/** What has happened decides, never what was clicked. */
export function stepsDone(steps: FirstSteps): Record<StepName, boolean> {
  return {
    deposit: steps.deposited,
    find: steps.found,
    buy: steps.bought && steps.protected,
    follow: steps.followed,
    see: steps.recorded,
  };
}

export function doneCount(steps: FirstSteps): number {
  return Object.values(stepsDone(steps)).filter(Boolean).length;
}
