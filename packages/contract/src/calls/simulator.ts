import { z } from 'zod';
import { call } from '../call.ts';
import { page, pageOf, percent, slug, sol, solAmount, timeMs } from '../fields.ts';
import { followMode, multiplier, protection, protectionRequest } from './follows.ts';

const chosenFollow = {
  slug,
  mode: followMode,
  amount: solAmount,
  multiplier: multiplier.default('1'),
  protection: protectionRequest.default({}),
};

/** A follow that never was: replayed over the rounds that took place, decided by the rules of real follows. */
const simulation = z.object({
  slug: z.string(),
  mode: followMode,
  amount: sol,
  /** From when it was replayed; later than asked for where the past was not kept. */
  since: timeMs,
  until: timeMs,
  equity: sol,
  pnl: sol,
  changeRate: percent,
  /** Of the strategy over the same time. */
  strategyChangeRate: percent,
  maxDrawdown: percent,
  networkFees: sol,
  /** What ended it before `until`. */
  endedBy: z.enum(['stop-loss', 'take-profit']).nullable(),
  endedAt: timeMs.nullable(),
  copied: z.number().int(),
  limited: z.number().int(),
  skipped: z.number().int(),
  /** What limited or skipped copies, the most frequent first. */
  reasons: z.array(z.object({ reason: z.string(), count: z.number().int() })),
  lists: z
    .array(z.object({ t: timeMs, changeRate: z.string() }))
    .describe('Its value over time, in percent of the amount.'),
  strategy: z.array(z.object({ t: timeMs, changeRate: z.string() })),
});

const paperFollow = z.object({
  id: z.string(),
  slug: z.string(),
  strategyName: z.string(),
  mode: followMode,
  amount: sol,
  multiplier: z.string(),
  protection,
  startTime: timeMs,
  endTime: timeMs.nullable(),
  equity: sol,
  pnl: sol,
  changeRate: percent,
  strategyChangeRate: percent,
  copied: z.number().int(),
  skipped: z.number().int(),
  /** `time`: it had lasted 30 days, as long as the past is kept. */
  endedBy: z.enum(['stop-loss', 'take-profit', 'follower', 'strategy-end', 'time']).nullable(),
});

export const simulatorCalls = {
  simulateFollow: call({
    method: 'POST',
    path: '/api/strategy/simulate_follow',
    access: 'open',
    effect: 'read',
    about:
      'What following since a past moment would have become, replayed over the real rounds with costs and protection.',
    request: z.strictObject({
      ...chosenFollow,
      since: timeMs.optional().describe('Since it was published where left out.'),
    }),
    reply: simulation,
  }),
  startPaperFollow: call({
    method: 'POST',
    path: '/api/strategy/start_paper_follow',
    access: 'user',
    effect: 'write',
    about: 'Follows from now on without money, for 30 days at most.',
    request: z.strictObject(chosenFollow),
    reply: paperFollow,
  }),
  endPaperFollow: call({
    method: 'POST',
    path: '/api/strategy/end_paper_follow',
    access: 'user',
    effect: 'write',
    about: 'Ends a paper follow and keeps its result.',
    request: z.strictObject({ id: z.uuid() }),
    reply: paperFollow,
  }),
  getMyPaperFollows: call({
    method: 'GET',
    path: '/api/strategy/getMyPaperFollows',
    access: 'user',
    effect: 'read',
    about: "The user's paper follows, the latest first.",
    request: z.strictObject(page),
    reply: pageOf(paperFollow),
  }),
};
