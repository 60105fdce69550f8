import type { CallReply } from '@hunter/contract/calls';

export type DiscoverToken = CallReply<'getTokenDiscover'>['lists'][number];

/** A young token has no price of a period ago; what it has is the one it began with. */
export function changeOf(token: DiscoverToken): { value: string | null; sinceLaunch: boolean } {
  return token.periodChange === null
    ? { value: token.changeSinceLaunch, sinceLaunch: token.changeSinceLaunch !== null }
    : { value: token.periodChange, sinceLaunch: false };
}
