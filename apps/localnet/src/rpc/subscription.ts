// What clients can subscribe to, read from their parameters.

import type { Account, Commitment } from '../chain/chain.ts';
import { accountFiltersIn } from './account-methods.ts';
import { type AccountView, accountViewIn } from './account-encoding.ts';
import {
  addressAt,
  addressOf,
  booleanIn,
  commitmentIn,
  configAt,
  requireCount,
  signatureOf,
  stringAt,
} from './params.ts';
import { invalidParams } from './rpc-error.ts';

export type Subscription =
  | { kind: 'slot' }
  | { kind: 'root' }
  | { kind: 'signature'; signature: string; commitment: Commitment; wantsReceived: boolean }
  | { kind: 'account'; address: string; commitment: Commitment; view: AccountView }
  | { kind: 'logs'; mention: string | null; commitment: Commitment }
  | {
      kind: 'program';
      program: string;
      commitment: Commitment;
      view: AccountView;
      filters: ((account: Account) => boolean)[];
    };

function logsMention(value: unknown): string | null {
  if (value === 'all' || value === 'allWithVotes') return null;
  if (typeof value === 'object' && value !== null && 'mentions' in value && Array.isArray(value.mentions)) {
    if (value.mentions.length !== 1) throw invalidParams('Invalid Request: Only 1 address supported');
    return addressOf(value.mentions[0]);
  }
  throw invalidParams('Invalid params: unknown variant, expected one of `all`, `allWithVotes`, `mentions`.');
}

// A map and not an object: the names come from the client.
const READERS = new Map<string, (params: unknown[]) => Subscription>([
  ['slotSubscribe', () => ({ kind: 'slot' })],
  ['rootSubscribe', () => ({ kind: 'root' })],
  [
    'signatureSubscribe',
    (params) => {
      const config = configAt(params, 1);
      return {
        kind: 'signature',
        signature: signatureOf(stringAt(params, 0)),
        commitment: commitmentIn(config),
        wantsReceived: booleanIn(config, 'enableReceivedNotification'),
      };
    },
  ],
  [
    'accountSubscribe',
    (params) => {
      const config = configAt(params, 1);
      return {
        kind: 'account',
        address: addressAt(params, 0),
        commitment: commitmentIn(config),
        view: accountViewIn(config),
      };
    },
  ],
  [
    'logsSubscribe',
    (params) => {
      requireCount(params, 1);
      return { kind: 'logs', mention: logsMention(params[0]), commitment: commitmentIn(configAt(params, 1)) };
    },
  ],
  [
    'programSubscribe',
    (params) => {
      const config = configAt(params, 1);
      return {
        kind: 'program',
        program: addressAt(params, 0),
        commitment: commitmentIn(config),
        view: accountViewIn(config),
        filters: accountFiltersIn(config),
      };
    },
  ],
]);

/** Null where the method is no subscription. */
export function readSubscription(method: string, params: unknown[]): Subscription | null {
  return READERS.get(method)?.(params) ?? null;
}

export function isUnsubscribe(method: string): boolean {
  return method.endsWith('Unsubscribe') && READERS.has(method.replace(/Unsubscribe$/, 'Subscribe'));
}
