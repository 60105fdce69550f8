import { z } from 'zod';
import { call } from '../call.ts';
import { listOf, timeMs } from '../fields.ts';

/** `discover`: a filter by its name. `chart`: drawings and indicators by the token's address. `guide`: left or not. */
const kind = z.enum(['discover', 'chart', 'guide']);
const key = z.string().trim().min(1).max(64);

export const savedItemCalls = {
  getMySavedItems: call({
    method: 'GET',
    path: '/api/user/getMySavedItems',
    access: 'user',
    effect: 'read',
    about: 'What pages keep for the user across devices: all of a kind, or one; the oldest first.',
    request: z.strictObject({ kind, key: key.optional() }),
    reply: listOf(z.object({ key: z.string(), value: z.string(), savedAt: timeMs })),
  }),
  saveMyItem: call({
    method: 'POST',
    path: '/api/user/saveMyItem',
    access: 'user',
    effect: 'write',
    about:
      'Keeps a text of a page under its key, or forgets it with null; beyond the limit of its kind the oldest goes.',
    request: z.strictObject({ kind, key, value: z.string().max(16_000).nullable() }),
    reply: z.object({}),
  }),
  getMyFirstSteps: call({
    method: 'GET',
    path: '/api/user/getMyFirstSteps',
    access: 'user',
    effect: 'read',
    about: 'How far the user is in the guide, by what has happened in the account.',
    request: z.strictObject({}),
    reply: z.object({
      /** Something arrived in the wallet. */
      deposited: z.boolean(),
      /** A token is on the watchlist, or one was bought. */
      found: z.boolean(),
      bought: z.boolean(),
      /** A stop loss, take profit or trailing stop was placed. */
      protected: z.boolean(),
      /** A strategy or a wallet was followed. */
      followed: z.boolean(),
      /** The account has recorded its value since the first trade or follow. */
      recorded: z.boolean(),
      /** The user has left the guide. */
      left: z.boolean(),
    }),
  }),
};
