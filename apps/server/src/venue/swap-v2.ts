// The wire of Jupiter's swap API v2, token API v2 and price API v3, as far as we read it.

import { isAddress, type Address } from '@hunter/solana/address';
import { z } from 'zod';
import type { ExecuteCode, ExecuteResult } from './execute-result.ts';

export const raw = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt);
const rawOrNumber = z.union([raw, z.number().int().nonnegative().transform(BigInt)]);

/** The door for the mints that a venue names; the type is said, because a refinement does not narrow it. */
export const mint = z.string().refine(isAddress) as z.ZodType<Address, string>;

export const orderReply = z.object({
  inAmount: raw,
  outAmount: raw,
  priceImpact: z.coerce.number().nullish(),
  feeBps: z.coerce.number().nullish(),
  signatureFeeLamports: rawOrNumber.nullish(),
  prioritizationFeeLamports: rawOrNumber.nullish(),
  rentFeeLamports: rawOrNumber.nullish(),
  requestId: z.string().min(1).max(200),
  lastValidBlockHeight: rawOrNumber.nullish(),
  expireAt: z.coerce.number().nullish(),
  transaction: z.string().nullable(),
  poolCertificate: z.string().max(200).nullish(),
  errorCode: z.number().nullish(),
});

/** Why an order came without a transaction: the taker cannot pay for it. */
export const TAKER_SHORTFALLS: ReadonlySet<number> = new Set([1, 2, 3]);

export const executeReply = z.object({
  status: z.enum(['Success', 'Failed']),
  code: z.number(),
  error: z.string().nullish(),
});

const executeCodes: Readonly<Record<number, ExecuteCode>> = {
  [-1]: 'UNKNOWN_REQUEST',
  [-2]: 'INVALID_TRANSACTION',
  [-3]: 'MESSAGE_CHANGED',
  [-1000]: 'FAILED_ON_CHAIN',
  [-1003]: 'NOT_FULLY_SIGNED',
  [-2003]: 'QUOTE_EXPIRED',
  [-2004]: 'PRICE_MOVED',
};

export function executeResult({ status, code, error }: z.output<typeof executeReply>): ExecuteResult {
  return { code: status === 'Success' ? 'SUCCESS' : (executeCodes[code] ?? 'OTHER'), error: error ?? null };
}

export const tokenReply = z.object({
  id: mint,
  name: z.string(),
  symbol: z.string(),
  icon: z.string().nullish(),
  decimals: z.number().int(),
  tokenProgram: z.string(),
  createdAt: z.string().nullish(),
  dev: z.string().nullish(),
  totalSupply: z.number().nullish(),
  firstPool: z.object({ id: z.string(), createdAt: z.string().nullish() }).nullish(),
  graduatedAt: z.string().nullish(),
  /** What the local venue adds: lamports in the launch curve at which the token graduates, and where the curve is. */
  curve: z.object({ graduatesAt: raw, address: z.string() }).nullish(),
  website: z.string().nullish(),
  twitter: z.string().nullish(),
  telegram: z.string().nullish(),
});

export const priceReply = z.record(z.string(), z.object({ usdPrice: z.number() }));
