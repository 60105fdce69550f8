import { AppError } from '@hunter/contract/app-error';
import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { Side } from '@hunter/domain/swap-maths';
import { WRAPPED_SOL_MINT } from '@hunter/solana/program-ids';
import { z } from 'zod';

const raw = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt);
const rawOrNumber = z.union([raw, z.number().int().nonnegative().transform(BigInt)]);

const orderReply = z.object({
  inAmount: raw,
  outAmount: raw,
  otherAmountThreshold: raw,
  priceImpact: z.coerce.number().nullish(),
  feeBps: z.coerce.number().nullish(),
  signatureFeeLamports: rawOrNumber.nullish(),
  prioritizationFeeLamports: rawOrNumber.nullish(),
  rentFeeLamports: rawOrNumber.nullish(),
  requestId: z.string().min(1).max(200),
  lastValidBlockHeight: rawOrNumber.nullish(),
  expireAt: z.coerce.number().nullish(),
  transaction: z.string().nullable(),
  errorCode: z.number().nullish(),
});

const executeReply = z.object({
  status: z.enum(['Success', 'Failed']),
  signature: z.string().nullish(),
  code: z.number(),
  error: z.string().nullish(),
});

const roundReply = z.object({
  roundId: z.string().min(1).max(200),
  lastValidBlockHeight: raw,
  scaledBps: z.number(),
  participants: z.array(z.object({ id: z.string(), inAmount: raw, outAmount: raw, transaction: z.string() })),
});

const roundExecuteReply = z.object({ lists: z.array(executeReply.extend({ id: z.string() })) });
const venueReply = z.object({ address: z.string(), rounds: z.boolean(), feeBps: z.number() });

export type VenueFacts = { rounds: boolean; feeBps: number };

export type VenueQuote = {
  requestId: string;
  inAmount: bigint;
  outAmount: bigint;
  /** Percent points by which the price gets worse, never negative. */
  impactPercent: number;
  feeBps: number;
  networkFeeLamports: bigint;
  rentLamports: bigint;
  /** Unsigned; null for a quote without a taker. */
  wire: Uint8Array | null;
  lastValidBlockHeight: bigint | null;
  expiresAtMs: number | null;
};

export type ExecuteResult = { status: 'Success' | 'Failed'; code: number; error: string | null };

export type RoundQuote = {
  roundId: string;
  lastValidBlockHeight: bigint;
  scaledBps: number;
  /** By the caller's ids; the lead's is `lead`. `wire` is null for an amount too small to trade. */
  participants: Map<string, { inAmount: bigint; outAmount: bigint; wire: Uint8Array | null }>;
};

export type RoundInput = {
  mint: string;
  side: Side;
  slippageBps: number;
  lead: { taker: string; amount: bigint };
  participants: { id: string; taker: string; amount: bigint }[];
};

/** What the engine needs of a venue. Refusals throw AppError; `UNAVAILABLE` means that no usable answer came. */
export interface VenueClient {
  facts(): Promise<VenueFacts>;
  quote(input: { mint: string; side: Side; amount: bigint; slippageBps: number; taker?: string }): Promise<VenueQuote>;
  /** Repeating it with the same bytes must have no second effect. */
  execute(input: { requestId: string; wire: Uint8Array; lastValidBlockHeight: bigint }): Promise<ExecuteResult>;
  openRound(input: RoundInput): Promise<RoundQuote>;
  executeRound(roundId: string, transactions: { id: string; wire: Uint8Array }[]): Promise<Map<string, ExecuteResult>>;
  releaseRound(roundId: string): Promise<void>;
}

/** Answers of `execute` that no later request for the same bytes can get past: forgotten, expired, malformed. */
const LASTING_REFUSAL_CODES = new Set([-1, -2, -3, -1003, -2003]);
/** The price is out of bounds right now; it may come back while the quote lives. */
const PRICE_REFUSAL_CODE = -2004;

/** Not co-signed and not sent, by the answer to the one and only request that was made for these bytes. */
export function isRefusal(result: ExecuteResult): boolean {
  return isLastingRefusal(result) || (result.status === 'Failed' && result.code === PRICE_REFUSAL_CODE);
}

/** Holds even where an earlier request for the same bytes may still be on its way. */
export function isLastingRefusal(result: ExecuteResult): boolean {
  return result.status === 'Failed' && LASTING_REFUSAL_CODES.has(result.code);
}

const TIMEOUT_MS = 8_000;
const ROUND_TIMEOUT_MS = 30_000;
const QUOTE_TRIES = 3;
const RETRY_PAUSE_MS = 150;

/** Jupiter's swap API v2, and the rounds of venues that have them. */
export class HttpVenueClient implements VenueClient {
  readonly #base: string;
  readonly #headers: Record<string, string>;
  #facts: Promise<VenueFacts> | null = null;

  constructor(options: { url: string; apiKey?: string }) {
    this.#base = options.url.replace(/\/+$/, '');
    this.#headers = { 'content-type': 'application/json', ...(options.apiKey ? { 'x-api-key': options.apiKey } : {}) };
  }

  facts(): Promise<VenueFacts> {
    this.#facts ??= this.#loadFacts().catch((error: unknown) => {
      this.#facts = null;
      throw error;
    });
    return this.#facts;
  }

  async #loadFacts(): Promise<VenueFacts> {
    const { status, body } = await this.#fetch('GET', '/swap/v2/venue', undefined, TIMEOUT_MS);
    // A venue that does not know the question has no rounds.
    if (status === 404 || status === 400) return { rounds: false, feeBps: 0 };
    return parse(venueReply, body);
  }

  async quote(input: { mint: string; side: Side; amount: bigint; slippageBps: number; taker?: string }) {
    const query = new URLSearchParams({
      inputMint: input.side === 'buy' ? WRAPPED_SOL_MINT : input.mint,
      outputMint: input.side === 'buy' ? input.mint : WRAPPED_SOL_MINT,
      amount: input.amount.toString(),
      slippageBps: String(input.slippageBps),
      ...(input.taker ? { taker: input.taker } : {}),
    });
    const { status, body } = await this.#repeating('GET', `/swap/v2/order?${query.toString()}`, undefined, TIMEOUT_MS);
    if (status !== 200) throw refusal(body);
    const reply = parse(orderReply, body);
    if (input.taker && !reply.transaction) throw new AppError(shortfall(reply.errorCode ?? 0));
    return {
      requestId: reply.requestId,
      inAmount: reply.inAmount,
      outAmount: reply.outAmount,
      impactPercent: Math.abs(reply.priceImpact ?? 0),
      feeBps: reply.feeBps ?? 0,
      networkFeeLamports: (reply.signatureFeeLamports ?? 0n) + (reply.prioritizationFeeLamports ?? 0n),
      rentLamports: reply.rentFeeLamports ?? 0n,
      wire: reply.transaction ? Buffer.from(reply.transaction, 'base64') : null,
      lastValidBlockHeight: reply.lastValidBlockHeight ?? null,
      expiresAtMs: reply.expireAt ? reply.expireAt * 1000 : null,
    };
  }

  async execute(input: { requestId: string; wire: Uint8Array; lastValidBlockHeight: bigint }): Promise<ExecuteResult> {
    const { status, body } = await this.#fetch(
      'POST',
      '/swap/v2/execute',
      {
        requestId: input.requestId,
        signedTransaction: base64(input.wire),
        lastValidBlockHeight: input.lastValidBlockHeight.toString(),
      },
      TIMEOUT_MS,
    );
    if (status !== 200) throw unavailable(status);
    return result(parse(executeReply, body));
  }

  async openRound(input: RoundInput): Promise<RoundQuote> {
    const { status, body } = await this.#repeating('POST', '/swap/v2/round', input, ROUND_TIMEOUT_MS);
    if (status !== 200) throw refusal(body);
    const reply = parse(roundReply, body);
    return {
      roundId: reply.roundId,
      lastValidBlockHeight: reply.lastValidBlockHeight,
      scaledBps: reply.scaledBps,
      participants: new Map(
        reply.participants.map(({ id, inAmount, outAmount, transaction }) => [
          id,
          { inAmount, outAmount, wire: transaction === '' ? null : Buffer.from(transaction, 'base64') },
        ]),
      ),
    };
  }

  async executeRound(roundId: string, transactions: { id: string; wire: Uint8Array }[]) {
    const body = {
      roundId,
      transactions: transactions.map(({ id, wire }) => ({ id, signedTransaction: base64(wire) })),
    };
    const reply = await this.#fetch('POST', '/swap/v2/round/execute', body, ROUND_TIMEOUT_MS);
    if (reply.status !== 200) throw unavailable(reply.status);
    return new Map(parse(roundExecuteReply, reply.body).lists.map((row) => [row.id, result(row)]));
  }

  async releaseRound(roundId: string): Promise<void> {
    await this.#fetch('POST', '/swap/v2/round/release', { roundId }, TIMEOUT_MS);
  }

  /** Quotes have no effect, so they may be asked for again when the venue is busy or did not answer. */
  async #repeating(method: string, path: string, body: unknown, timeoutMs: number) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const reply = await this.#fetch(method, path, body, timeoutMs);
        if (attempt >= QUOTE_TRIES || (reply.status !== 429 && reply.status < 500)) return reply;
      } catch (error) {
        if (attempt >= QUOTE_TRIES) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS * attempt));
    }
  }

  async #fetch(method: string, path: string, body: unknown, timeoutMs: number) {
    try {
      const response = await fetch(this.#base + path, {
        method,
        headers: this.#headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body, bigintAsText) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
    } catch (cause) {
      throw new AppError('UNAVAILABLE', undefined, { cause });
    }
  }
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

function base64(wire: Uint8Array): string {
  return Buffer.from(wire.buffer, wire.byteOffset, wire.byteLength).toString('base64');
}

function result(row: z.output<typeof executeReply>): ExecuteResult {
  return { status: row.status, code: row.code, error: row.error ?? null };
}

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new AppError('UNAVAILABLE', undefined, { cause: parsed.error });
  return parsed.data;
}

function unavailable(status: number): AppError {
  return new AppError('UNAVAILABLE', undefined, { cause: new Error(`the venue answered HTTP ${status}`) });
}

function shortfall(errorCode: number): ErrorName & ('INSUFFICIENT_BALANCE' | 'NO_ROUTE') {
  return errorCode === 1 || errorCode === 2 || errorCode === 3 ? 'INSUFFICIENT_BALANCE' : 'NO_ROUTE';
}

function refusal(body: unknown): AppError {
  const { errorCode, error } = (body ?? {}) as { errorCode?: unknown; error?: unknown };
  const cause = new Error(`the venue refused: ${String(errorCode)} ${String(error)}`);
  if (errorCode === 'POOL_BUSY' || errorCode === 'VENUE_BUSY') return new AppError('UNAVAILABLE', undefined, { cause });
  if (errorCode === 'AMOUNT_TOO_SMALL') return new AppError('AMOUNT_TOO_SMALL', { minimum: '0.001' }, { cause });
  return new AppError('NO_ROUTE', undefined, { cause });
}
