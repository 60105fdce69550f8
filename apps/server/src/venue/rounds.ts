// Rounds: many takers at one price, each with a transaction of its own. Only the local venue has them.

import type { Side } from '@hunter/domain/swap-maths';
import { z } from 'zod';
import { executeReply, executeResult, raw } from './swap-v2.ts';
import type { ExecuteResult } from './execute-result.ts';
import type { VenueHttp } from './venue-http.ts';

export type RoundInput = {
  mint: string;
  side: Side;
  slippageBps: number;
  lead: { taker: string; amount: bigint };
  participants: { id: string; taker: string; amount: bigint }[];
};

export type RoundQuote = {
  roundId: string;
  lastValidBlockHeight: bigint;
  scaledBps: number;
  poolCertificate: string | null;
  /** By the caller's ids; the lead's is `lead`. `wire` is null for an amount too small to trade. */
  participants: Map<string, { inAmount: bigint; outAmount: bigint; wire: Uint8Array | null }>;
};

export interface VenueRounds {
  open(input: RoundInput): Promise<RoundQuote>;
  execute(roundId: string, transactions: { id: string; wire: Uint8Array }[]): Promise<Map<string, ExecuteResult>>;
  release(roundId: string): Promise<void>;
}

const TIMEOUT_MS = 30_000;

const roundReply = z.object({
  roundId: z.string().min(1).max(200),
  lastValidBlockHeight: raw,
  scaledBps: z.number(),
  poolCertificate: z.string().max(200).nullish(),
  participants: z.array(z.object({ id: z.string(), inAmount: raw, outAmount: raw, transaction: z.string() })),
});
const roundExecuteReply = z.object({ lists: z.array(executeReply.extend({ id: z.string() })) });

export class HttpRounds implements VenueRounds {
  readonly #http: VenueHttp;

  constructor(http: VenueHttp) {
    this.#http = http;
  }

  async open(input: RoundInput): Promise<RoundQuote> {
    const request = { priority: 'execution', timeoutMs: TIMEOUT_MS } as const;
    const reply = await this.#http.ask('/swap/v2/round', input, roundReply, request);
    return {
      roundId: reply.roundId,
      lastValidBlockHeight: reply.lastValidBlockHeight,
      scaledBps: reply.scaledBps,
      poolCertificate: reply.poolCertificate ?? null,
      participants: new Map(
        reply.participants.map(({ id, inAmount, outAmount, transaction }) => [
          id,
          { inAmount, outAmount, wire: transaction === '' ? null : Buffer.from(transaction, 'base64') },
        ]),
      ),
    };
  }

  async execute(roundId: string, transactions: { id: string; wire: Uint8Array }[]) {
    const rows = transactions.map(({ id, wire }) => ({ id, signedTransaction: Buffer.from(wire).toString('base64') }));
    const body = { roundId, transactions: rows };
    const request = { priority: 'execution', timeoutMs: TIMEOUT_MS } as const;
    const reply = await this.#http.act('/swap/v2/round/execute', body, roundExecuteReply, request);
    return new Map(reply.lists.map((row) => [row.id, executeResult(row)]));
  }

  async release(roundId: string): Promise<void> {
    await this.#http.act('/swap/v2/round/release', { roundId }, z.unknown(), { priority: 'quote' });
  }
}
