import { baseUnits } from '@hunter/domain/numbers/base-units';
import { parseDecimal } from '@hunter/domain/numbers/decimal';
import { lamports } from '@hunter/domain/numbers/lamports';
import { unitsIn, unitsOut, type Pool } from '@hunter/domain/market/swap-maths';
import { WRAPPED_SOL_MINT } from '@hunter/solana/program-ids';
import { z } from 'zod';
import type { Address } from '@hunter/solana/address';
import { systemClock } from '../platform/clock.ts';
import type { ExecuteResult } from './execute-result.ts';
import {
  executeReply,
  executeResult,
  mint,
  orderReply,
  priceReply,
  raw,
  TAKER_SHORTFALLS,
  tokenReply,
} from './swap-v2.ts';
import type {
  ExecuteInput,
  IndexedVenue,
  PoolAccounts,
  PricePoint,
  QuoteInput,
  TokenLink,
  VenueQuote,
  VenueToken,
} from './venue.ts';
import { VenueError } from './venue-error.ts';
import { VenueHttp, type VenueHttpOptions } from './venue-http.ts';

const SEARCH_MINTS_MAX = 100;
const BACKGROUND = { priority: 'background' } as const;

// What the local venue adds to Jupiter's shapes.
const venueReply = z.object({ address: z.string() });
const sol = raw.transform(lamports);
const tokens = raw.transform(baseUnits);
const poolsReply = z.array(
  z.object({
    id: mint,
    pool: z.object({ solReserve: sol, tokenReserve: tokens, virtualSol: sol, virtualTokens: tokens }),
  }),
);
const poolAccountsReply = z.array(
  z.object({
    id: mint,
    pool: z.object({ address: z.string(), vault: z.string(), virtualSol: raw, virtualTokens: raw, rentReserve: raw }),
  }),
);
const historyReply = z.record(z.string(), z.array(z.object({ time: z.number(), usdPrice: z.number() })));

/** The venue of the localnet: Jupiter's swap API v2, its pools told, co-signed by the pool. */
export class LocalVenue implements IndexedVenue {
  /** Two signatures, the wallet's and the pool's, at the network's base fee. */
  readonly profile = { feeBps: 50, feeReserveLamports: lamports(10_000n) };
  readonly #http: VenueHttp;

  constructor(options: VenueHttpOptions) {
    this.#http = new VenueHttp(options);
  }

  async quote(input: QuoteInput): Promise<VenueQuote> {
    const query = new URLSearchParams({
      inputMint: input.side === 'buy' ? WRAPPED_SOL_MINT : input.mint,
      outputMint: input.side === 'buy' ? input.mint : WRAPPED_SOL_MINT,
      amount: input.amount.toString(),
      slippageBps: String(input.slippageBps),
      ...(input.taker ? { taker: input.taker } : {}),
      ...(input.memo === undefined ? {} : { memo: input.memo }),
    });
    const urgent = input.urgent === true || (input.side === 'sell' && input.taker !== undefined);
    const priority = input.background === true ? 'background' : urgent ? 'execution' : 'quote';
    const reply = await this.#http.read(`/swap/v2/order?${query.toString()}`, orderReply, { priority });
    if (input.taker && !reply.transaction) {
      const code = TAKER_SHORTFALLS.has(reply.errorCode ?? 0) ? 'INSUFFICIENT_BALANCE' : 'NO_ROUTE';
      throw new VenueError(
        code,
        `the venue built no transaction for ${input.taker}: ${reply.errorCode ?? 'no reason'}`,
      );
    }
    return {
      requestId: reply.requestId,
      inAmount: unitsIn(input.side, reply.inAmount),
      outAmount: unitsOut(input.side, reply.outAmount),
      impactPercent: Math.abs(reply.priceImpact ?? 0),
      feeBps: reply.feeBps ?? 0,
      networkFeeLamports: lamports((reply.signatureFeeLamports ?? 0n) + (reply.prioritizationFeeLamports ?? 0n)),
      rentLamports: lamports(reply.rentFeeLamports ?? 0n),
      wire: reply.transaction ? Buffer.from(reply.transaction, 'base64') : null,
      lastValidBlockHeight: reply.lastValidBlockHeight ?? null,
      poolCertificate: reply.poolCertificate ?? null,
      expiresAtMs: reply.expireAt ? reply.expireAt * 1000 : null,
    };
  }

  async execute(input: ExecuteInput): Promise<ExecuteResult> {
    const body = {
      requestId: input.requestId,
      signedTransaction: Buffer.from(input.wire).toString('base64'),
      lastValidBlockHeight: input.lastValidBlockHeight,
    };
    const reply = await this.#http.act('/swap/v2/execute', body, executeReply, { priority: 'execution' });
    return executeResult(reply);
  }

  async pools(mints: readonly Address[]): Promise<Map<Address, Pool>> {
    const feeBps = BigInt(this.profile.feeBps);
    const rows = await this.#search(mints, poolsReply);
    return new Map(rows.map(({ id, pool }) => [id, { ...pool, feeBps }]));
  }

  async poolAccounts(mints: readonly Address[]): Promise<PoolAccounts[]> {
    const rows = await this.#search(mints, poolAccountsReply);
    return rows.map(({ id, pool: { address, vault, virtualSol, virtualTokens, rentReserve } }) => ({
      mint: id,
      address,
      vault,
      virtualLamports: virtualSol,
      virtualTokens,
      rentLamports: rentReserve,
    }));
  }

  async tokens(mints: readonly Address[]): Promise<VenueToken[]> {
    const rows = await this.#search(mints, z.array(tokenReply));
    return rows.map(asToken);
  }

  async liveliestTokens(): Promise<VenueToken[]> {
    const lists = await Promise.all(
      ['/tokens/v2/toptraded/24h?limit=100', '/tokens/v2/recent'].map((path) =>
        this.#http.read(path, z.array(tokenReply), BACKGROUND),
      ),
    );
    return lists.flat().map(asToken);
  }

  async solUsdMicro(): Promise<bigint> {
    const reply = await this.#http.read(`/price/v3?ids=${WRAPPED_SOL_MINT}`, priceReply, BACKGROUND);
    const price = reply[WRAPPED_SOL_MINT];
    if (!price) throw new VenueError('INVALID_REPLY', 'the venue has no price for SOL');
    return toMicro(price.usdPrice);
  }

  async solUsdHistory(fromSeconds: number, toSeconds: number, intervalSeconds: number): Promise<PricePoint[]> {
    const query = `ids=${WRAPPED_SOL_MINT}&from=${fromSeconds}&to=${toSeconds}&interval=${intervalSeconds}`;
    const reply = await this.#http.read(`/price/v3/history?${query}`, historyReply, BACKGROUND);
    return (reply[WRAPPED_SOL_MINT] ?? []).map(({ time, usdPrice }) => ({
      atMs: time * 1000,
      usdMicro: toMicro(usdPrice),
    }));
  }

  async referenceAddress(): Promise<string> {
    return (await this.#http.read('/swap/v2/venue', venueReply, BACKGROUND)).address;
  }

  /** The search finds by name, too, where no mint fits; only what was asked for counts. */
  async #search<Row extends { id: Address }>(mints: readonly Address[], schema: z.ZodType<Row[]>): Promise<Row[]> {
    const found: Row[] = [];
    for (let start = 0; start < mints.length; start += SEARCH_MINTS_MAX) {
      const asked = mints.slice(start, start + SEARCH_MINTS_MAX);
      const query = encodeURIComponent(asked.join(','));
      const rows = await this.#http.read(`/tokens/v2/search?query=${query}`, schema, BACKGROUND);
      found.push(...rows.filter(({ id }) => asked.includes(id)));
    }
    return found;
  }
}

/** Reference prices arrive as JSON numbers; the millionth of a dollar is finer than they are. */
function toMicro(price: number): bigint {
  return parseDecimal(price.toFixed(6), 6);
}

function asToken(view: z.output<typeof tokenReply>): VenueToken {
  const createdAt = view.firstPool?.createdAt ?? view.createdAt;
  return {
    mint: view.id,
    name: view.name,
    symbol: view.symbol,
    decimals: view.decimals,
    tokenProgram: view.tokenProgram,
    logoUrl: view.icon ?? null,
    creator: view.dev ?? null,
    pool: view.firstPool?.id ?? null,
    supply: BigInt(Math.round(view.totalSupply ?? 0)) * 10n ** BigInt(view.decimals),
    createdAtMs: createdAt ? Date.parse(createdAt) : systemClock.nowMs(),
    curveLamports: view.curve?.graduatesAt ?? null,
    curvePool: view.curve?.address ?? null,
    graduatedAtMs: view.graduatedAt ? Date.parse(view.graduatedAt) : null,
    links: linksOf(view),
  };
}

function linksOf({ website, twitter, telegram }: z.output<typeof tokenReply>): TokenLink[] | null {
  const links = [
    { kind: 'website' as const, url: website },
    { kind: 'x' as const, url: twitter },
    { kind: 'telegram' as const, url: telegram },
  ].flatMap(({ kind, url }) => (url ? [{ kind, url }] : []));
  return links.length === 0 ? null : links;
}
