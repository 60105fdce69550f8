// The small schemas that calls are made of. Requests parse to branded values here, once; replies carry decimal text.
import { isAddress, type Address } from '@hunter/domain/address';
import { readDecimal } from '@hunter/domain/numbers/decimal';
import { readSol } from '@hunter/domain/numbers/lamports';
import { z } from 'zod';

/** `custom` issues carry the input reason in their params, so that the edge can name it. */
function refuse(context: z.RefinementCtx, reason: 'format' | 'range' | 'length'): never {
  context.addIssue({ code: 'custom', params: { reason }, message: reason });
  return z.NEVER;
}

const DECIMAL_TEXT = /^(0|[1-9]\d{0,19})(\.\d{1,18})?$/;

/**
 * A positive amount as decimal text, for assets whose decimals are only known once the token is loaded. Zeros at the end
 * are dropped, so that one amount has one text.
 */
export const positiveDecimal = z.string().transform((text, context) => {
  if (!DECIMAL_TEXT.test(text)) return refuse(context, 'format');
  if (!/[1-9]/.test(text)) return refuse(context, 'range');
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
});

/** A positive amount of SOL as decimal text, at most nine decimals, as lamports. */
export const solAmount = positiveDecimal.transform((text, context) => {
  const reading = readSol(text);
  if (reading.ok) return reading.amount;
  return refuse(context, reading.problem === 'too-large' ? 'range' : 'format');
});

/** Decimal text of either sign as an integer of `10^-decimals`: a bound to compare figures with. */
export function bound(decimals: number) {
  return z
    .string()
    .max(30)
    .transform((text, context) => {
      const reading = readDecimal(text, decimals);
      return reading.ok ? reading.raw : refuse(context, 'format');
    });
}

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
/** The door for addresses from outside. The type is said, because a refinement does not narrow it. */
export const solanaAddress = z.string().regex(BASE58).refine(isAddress) as z.ZodType<Address, string>;
/** What was kept before addresses were checked in full can still be taken away. */
export const keptAddress = z.string().regex(BASE58);
export const email = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/);
/** Bounded so that hashing a password cannot be made expensive by its length. */
export const password = z.string().min(1).max(256);
export const verificationCode = z.string().regex(/^\d{6}$/);
/** Of a link in a mail. */
export const linkToken = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
export const slippageBps = z.number().int().min(1).max(5000);
export const slug = z
  .string()
  .min(1)
  .max(80)
  .regex(/^[\p{L}\p{N}]+(-[\p{L}\p{N}]+)*$/u);
export const id = z.uuid();
export const chainId = z.enum(['501', '501_1']);

/** A whole number of a query, which is text: in digits only, so that one number has one spelling. */
export function queryNumber(minimum: number, maximum = Number.MAX_SAFE_INTEGER) {
  const digits = /^-?(0|[1-9]\d{0,15})$/;
  return z.preprocess(
    (text) => (typeof text === 'string' && digits.test(text) ? Number(text) : text),
    z.number().int().min(minimum).max(maximum),
  );
}

export const page = {
  pageNo: queryNumber(1, 100_000).default(1),
  pageSize: queryNumber(1, 100).default(20),
};
export const cursor = z.string().max(200).optional();

// Replies. Their names say the unit; all are decimal text.
export const sol = z.string();
export const usd = z.string();
/** A sum or a count over a time of which not everything is on record is null. */
export const usdOrUnknown = usd.nullable();
export const countOrUnknown = z.number().int().nullable();
export const tokens = z.string();
/** Null where the token's decimals are not known. */
export const tokensOrUnknown = tokens.nullable();
/** Percent points: "12.5" is 12.5 %. Null where there is nothing to compute it from. */
export const percent = z.string().nullable();
/** Milliseconds since 1970, as far as a date goes. */
export const timeMs = z.number().int().min(-8_640_000_000_000_000).max(8_640_000_000_000_000);

export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ lists: z.array(row), total: z.number().int(), pageNo: z.number().int(), pageSize: z.number().int() });
export const cursorOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ lists: z.array(row), nextCursor: z.string().nullable() });
export const listOf = <Row extends z.ZodType>(row: Row) => z.object({ lists: z.array(row) });

export const bookKind = z.enum(['personal', 'strategy', 'follow', 'wallet-follow']);
export const side = z.enum(['buy', 'sell']);
