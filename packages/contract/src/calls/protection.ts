import { z } from 'zod';
import { positiveDecimal, slippageBps } from '../fields.ts';

/** `percent` counts from the average cost of the position once the buy has traded; the others are prices per token. */
const protectiveLevel = z.strictObject({ unit: z.enum(['percent', 'sol', 'usd']), value: positiveDecimal });

/**
 * What is placed together with a buy and armed when it trades. Stop loss and take profit are one-cancels-other; a trailing stop is
 * placed beside a take profit likewise, and instead of a stop loss or with one.
 */
export const protection = z
  .strictObject({
    stopLoss: protectiveLevel.optional(),
    takeProfit: protectiveLevel.optional(),
    /** Percent below the highest price since the buy. */
    trailing: positiveDecimal.optional(),
    /** Of stop loss and trailing stop; 20 % where it is left out. */
    slippageBps: slippageBps.optional(),
  })
  .refine(({ stopLoss, takeProfit, trailing }) => stopLoss ?? takeProfit ?? trailing);
