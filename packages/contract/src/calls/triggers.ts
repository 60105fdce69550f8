import { triggerOutcomes, type TriggerOutcome } from '@hunter/domain/triggers/trigger-outcome';
import { z } from 'zod';
import { call } from '../call.ts';
import {
  bookKind,
  id,
  listOf,
  page,
  pageOf,
  percent,
  positiveDecimal,
  side,
  slippageBps,
  sol,
  solanaAddress,
  timeMs,
  usd,
} from '../fields.ts';
import { protection } from './protection.ts';

/**
 * `limit`: buys or sells once the price is below or above its level. `dca`: buys or sells a fixed amount again and again. The others
 * sell, and belong to the position that is open when they are placed: they end with it.
 */
export const triggerKind = z.enum([
  'limit',
  'stop-loss',
  'take-profit',
  'trailing-stop',
  'dca',
  'creator-sells',
  'graduates',
  'after-time',
]);

/**
 * `waiting`: written with a buy that has not traded yet, armed when it does. `firing`: its order is on its way. Only `open` ones can
 * fire.
 */
export const triggerState = z.enum(['waiting', 'open', 'paused', 'firing', 'ended']);
export const triggerOutcome = z.enum(Object.keys(triggerOutcomes) as [TriggerOutcome, ...TriggerOutcome[]]);

/** SOL or dollars per token, or the market cap in dollars. */
export const levelUnit = z.enum(['sol', 'usd', 'market-cap']);
const when = z.enum(['below', 'above']);
const level = z.object({ unit: levelUnit, value: z.string(), when });
const bound = z.object({ unit: levelUnit, value: z.string() });
const boundRequest = z.strictObject({ unit: levelUnit, value: positiveDecimal });

/** `percent-held`: of what the book holds when it fires. `percent-bought`: of what it holds when the trigger is placed or armed. */
export const triggerAmountUnit = z.enum(['sol', 'tokens', 'percent-held', 'percent-bought']);

export const TRIGGER_WARNINGS = [
  /** It would fire at once. */
  'already-past-level',
  'below-minimum',
  'insufficient-balance',
  'nothing-held',
  /** More than a hundred times away from the price now. */
  'far-from-price',
  /** Its own size moves the price by 5 % or more. */
  'high-impact',
  /** Nobody knows the price just now. */
  'no-price',
  /** The creator is not known, or the token has no launch curve to leave: it cannot fire. */
  'cannot-fire',
] as const;

const triggerRequest = z.strictObject({
  kind: triggerKind,
  /** `limit` and `dca` say it; the others sell. */
  side: side.optional(),
  /**
   * `limit` says below or above; a stop loss is below, a take profit above. `percent` counts from the position's average cost, for
   * stop loss and take profit.
   */
  level: z
    .strictObject({
      unit: z.enum([...levelUnit.options, 'percent']),
      value: positiveDecimal,
      when: when.optional(),
    })
    .optional(),
  /** What a buy spends (`sol`), what a sell sells. Left out, everything held is sold. For `dca` the amount of each purchase. */
  amount: z.strictObject({ unit: triggerAmountUnit, value: positiveDecimal }).optional(),
  /** Left out: 20 % for stop loss, trailing stop and exits, else what the settings say. */
  slippageBps: slippageBps.optional(),
  /** Left out: in 7 days, never for what protects a position. Null: never. */
  expiresAt: timeMs.nullable().optional(),
  /** Sets the SOL of a limit buy aside now, so that it is there when it fires. */
  holdFunds: z.boolean().optional(),
  trailing: z.strictObject({ percent: positiveDecimal, activation: boundRequest.optional() }).optional(),
  schedule: z
    .strictObject({
      intervalSeconds: z.number().int().min(60).max(2_592_000),
      count: z.number().int().min(2).max(1_000),
      /** Purchases outside these prices are left out. */
      lowest: boundRequest.optional(),
      highest: boundRequest.optional(),
    })
    .optional(),
  /** For `after-time`. */
  afterSeconds: z.number().int().min(60).max(31_536_000).optional(),
  /** Of a limit buy: what is placed once it has bought. */
  protect: protection.optional(),
});

const triggersRequest = z.strictObject({
  tokenContractAddress: solanaAddress,
  bookId: id.optional(),
  /** How several belong together: the first that fires cancels the others, or each sells its share. */
  group: z.enum(['one-cancels-other', 'ladder']).optional(),
  triggers: z.array(triggerRequest).min(1).max(10),
});

export const trigger = z.object({
  id: z.string(),
  kind: triggerKind,
  side,
  state: triggerState,
  tokenContractAddress: z.string(),
  tokenSymbol: z.string(),
  tokenName: z.string(),
  tokenLogoUrl: z.string(),
  bookId: z.string(),
  bookKind,
  bookName: z.string(),
  /** Null for those that do not wait for a price, and while a waiting one counts from a buy that has not traded. */
  level: level.nullable(),
  /** Null sells everything held; its value is null where the decimals of the token are not known. */
  amount: z.object({ unit: triggerAmountUnit, value: z.string().nullable() }).nullable(),
  slippageBps: z.number().int(),
  /** SOL set aside for it; null where it takes what is there when it fires. */
  heldSol: sol.nullable(),
  group: z.object({ id: z.string(), kind: z.enum(['one-cancels-other', 'ladder']) }).nullable(),
  trailing: z
    .object({
      percent: z.string(),
      activation: bound.nullable(),
      /** False until the activation price was reached. */
      isActive: z.boolean(),
      /** The highest price since it is active, and where it fires now; in SOL for its own size. */
      highPrice: sol.nullable(),
      firesAt: sol.nullable(),
    })
    .nullable(),
  schedule: z
    .object({
      intervalSeconds: z.number().int(),
      done: z.number().int(),
      count: z.number().int(),
      nextAt: timeMs.nullable(),
      lowest: bound.nullable(),
      highest: bound.nullable(),
    })
    .nullable(),
  /** When an `after-time` fires. */
  firesAt: timeMs.nullable(),
  protect: protection.nullable(),
  /** The buy that arms it. */
  entryOrderId: z.string().nullable(),
  /** The position it belongs to, by the time that was opened. */
  positionOpenedAt: timeMs.nullable(),
  createdAt: timeMs,
  expiresAt: timeMs.nullable(),
  /** When it fired last, and at which price for its own size. */
  firedAt: timeMs.nullable(),
  firedPrice: sol.nullable(),
  endedAt: timeMs.nullable(),
  outcome: triggerOutcome.nullable(),
  /**
   * Of the last order it placed; the error is a name of the error catalogue. ACCOUNT_FROZEN on one that is paused: a freeze of the
   * account has paused it, and it buys nothing until it is resumed.
   */
  orderId: z.string().nullable(),
  txHash: z.string().nullable(),
  orderError: z.string().nullable(),
  /** How often it has placed an order. */
  firings: z.number().int(),
});

export const triggerCalls = {
  placeTrigger: call({
    method: 'POST',
    path: '/api/triggers/place_trigger',
    access: 'user',
    effect: 'money',
    about: 'Places orders that wait for a price, a time or an event; several at once may form a group.',
    request: triggersRequest,
    reply: listOf(trigger),
  }),
  previewTrigger: call({
    method: 'POST',
    path: '/api/triggers/preview_trigger',
    access: 'user',
    effect: 'read',
    about: 'When triggers would fire, what they would get about, and what speaks against them; places nothing.',
    request: triggersRequest,
    reply: listOf(
      z.object({
        kind: triggerKind,
        side,
        /** What the order of this size would get per token now. */
        priceNow: sol.nullable(),
        priceNowUsd: usd.nullable(),
        /** The market price at which the order of this size gets its level, and how far that is from the market price now. */
        firesAt: z
          .object({ priceSol: sol, priceUsd: usd.nullable(), marketCap: usd.nullable(), fromNow: percent })
          .nullable(),
        /** What the order itself gets per token then: the level that a placed order shows. */
        fillsAt: z.object({ priceSol: sol, priceUsd: usd.nullable() }).nullable(),
        /** How much less it gets then than at the market price, the pool's fee included, as in a quote. */
        priceImpact: percent,
        amountIn: z.string().nullable(),
        /** Tokens for a buy, SOL for a sell. */
        getsAbout: z.string().nullable(),
        expiresAt: timeMs.nullable(),
        slippageBps: z.number().int(),
        warnings: z.array(z.enum(TRIGGER_WARNINGS)),
      }),
    ),
  }),
  editTrigger: call({
    method: 'POST',
    path: '/api/triggers/edit_trigger',
    access: 'user',
    effect: 'write',
    about: 'Changes level, amount, slippage, trailing distance or expiry of a trigger that has not fired.',
    request: z.strictObject({
      id,
      level: boundRequest.optional(),
      amount: z.strictObject({ unit: triggerAmountUnit, value: positiveDecimal }).optional(),
      slippageBps: slippageBps.optional(),
      trailingPercent: positiveDecimal.optional(),
      expiresAt: timeMs.nullable().optional(),
    }),
    reply: trigger,
  }),
  pauseTrigger: call({
    method: 'POST',
    path: '/api/triggers/pause_trigger',
    access: 'user',
    effect: 'write',
    about: 'Keeps a trigger from firing until it is resumed; its expiry goes on.',
    request: z.strictObject({ id }),
    reply: trigger,
  }),
  resumeTrigger: call({
    method: 'POST',
    path: '/api/triggers/resume_trigger',
    access: 'user',
    effect: 'write',
    about: 'Lets a paused trigger fire again; one that is past its level fires at once.',
    request: z.strictObject({ id }),
    reply: trigger,
  }),
  cancelTrigger: call({
    method: 'POST',
    path: '/api/triggers/cancel_trigger',
    access: 'user',
    effect: 'write',
    about: 'Ends a trigger that has not fired, and releases what it holds.',
    request: z.strictObject({ id }),
    reply: trigger,
  }),
  cancelAllTriggers: call({
    method: 'POST',
    path: '/api/triggers/cancel_all_triggers',
    access: 'user',
    effect: 'write',
    about: 'Ends all triggers of the user that have not fired, or those of one token or book.',
    request: z.strictObject({ tokenContractAddress: solanaAddress.optional(), bookId: id.optional() }),
    reply: z.object({ canceled: z.number().int() }),
  }),
  getMyTriggers: call({
    method: 'GET',
    path: '/api/triggers/getMyTriggers',
    access: 'user',
    effect: 'read',
    about: 'Triggers of the user, newest first: those that may still fire, or those that ended, with the reason.',
    request: z.strictObject({
      state: z.enum(['open', 'ended']).default('open'),
      tokenContractAddress: solanaAddress.optional(),
      ...page,
    }),
    reply: pageOf(trigger),
  }),
};
