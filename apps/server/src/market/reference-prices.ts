import {
  PRICE_AROUND_MS,
  priceAround,
  referencePrice,
  referenceToBuy,
  type KnownSpan,
  type PricePoint,
} from '@hunter/domain/market/reference-price';
import { BOUGHT_LATELY_MS } from '@hunter/domain/copying/conflict-of-interest';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import type { Ratio } from '@hunter/domain/market/swap-maths';
import type { Address } from '@hunter/solana/address';
import type { Clock } from '../platform/clock.ts';
import type { Sql } from '../platform/postgres.ts';
import { firstSeqSince } from './first-seq-since.ts';
import type { TokenDirectory, TokenRow } from './token-directory.ts';

const HOUR_MS = 3_600_000;
/** Stored prices are SOL per whole token with 18 decimals. */
const PRICE_DECIMALS = 18n;
const LAMPORT_DECIMALS = 9n;

/** What a coin was worth to others at a moment of the past. */
export type PastPrices = { readonly reference: Ratio | null; readonly around: Ratio | null };

type StoredPoint = { atMs: number; priceSol: bigint; wallet: string };

/** What a coin has been worth lately to somebody who did not trade it himself: see the domain's reference-price. */
export class ReferencePrices {
  readonly #sql: Sql;
  readonly #tokens: TokenDirectory;
  readonly #clock: Clock;
  readonly #lagMs: () => number | null;

  constructor(deps: { sql: Sql; tokens: TokenDirectory; clock: Clock; lagMs: () => number | null }) {
    this.#sql = deps.sql;
    this.#tokens = deps.tokens;
    this.#clock = deps.clock;
    this.#lagMs = deps.lagMs;
  }

  /** In lamports per base unit. Trades of the linked wallets do not count; null where too little is known. */
  of(mint: Address, linked: ReadonlySet<string>): Promise<Ratio | null> {
    return this.#now(mint, linked, referencePrice);
  }

  /** What a purchase is measured against: trades of the linked wallets can lower it and never raise it. */
  toBuy(mint: Address, linked: ReadonlySet<string>): Promise<Ratio | null> {
    return this.#now(mint, linked, referenceToBuy);
  }

  async #now(mint: Address, linked: ReadonlySet<string>, decide: typeof referencePrice): Promise<Ratio | null> {
    const token = this.#tokens.get(mint);
    const lagMs = this.#lagMs();
    if (token === undefined || lagMs === null) return null;
    const nowMs = this.#clock.nowMs();
    const points = await this.#load(token, nowMs - HOUR_MS, nowMs, linked);
    return decide(points, knownSpan(token, nowMs - lagMs), nowMs);
  }

  /** The reference price at a moment and what others paid around it; null while the minutes after it are not all known. */
  async at(mint: Address, linked: ReadonlySet<string>, atMs: number): Promise<PastPrices | null> {
    const lagMs = this.#lagMs();
    const untilMs = atMs + PRICE_AROUND_MS;
    const nowMs = this.#clock.nowMs();
    if (lagMs === null || nowMs - lagMs < untilMs) return null;
    const token = this.#tokens.get(mint);
    if (token === undefined) return { reference: null, around: null };
    const points = await this.#load(token, atMs - HOUR_MS, untilMs, linked);
    const known = knownSpan(token, nowMs - lagMs);
    return { reference: referencePrice(points, known, atMs), around: priceAround(points, known, atMs) };
  }

  /** SOL that these wallets paid within the last hour for what they have not sold again within it. */
  async boughtLately(mint: Address, wallets: ReadonlySet<string>): Promise<Lamports> {
    const token = this.#tokens.get(mint);
    if (token === undefined || wallets.size === 0) return lamports(0n);
    const since = new Date(this.#clock.nowMs() - BOUGHT_LATELY_MS);
    const [row] = await this.#sql.query<{ lamports: bigint }>(
      `select coalesce(trunc(paid * greatest(bought - sold, 0) / nullif(bought, 0)), 0)::numeric(40, 0) as lamports from (
         select sum(x.lamports) filter (where x.is_buy) as paid, sum(x.base_units) filter (where x.is_buy) as bought,
           coalesce(sum(x.base_units) filter (where not x.is_buy), 0) as sold
         from trade x join trader r on r.id = x.trader_id
         where x.token_id = $1 and x.at > $2 and r.address = any($3::text[])
           and x.seq >= ${firstSeqSince('$1', '$2')}) sums`,
      [token.id, since, [...wallets]],
    );
    return lamports(row!.lamports);
  }

  /** The trades of the window in their order, behind the last one before it and the last before it that is nobody's of the linked. */
  async #load(token: TokenRow, fromMs: number, untilMs: number, linked: ReadonlySet<string>): Promise<PricePoint[]> {
    const rows = await this.#sql.query<StoredPoint>(
      `with bound as (
         select ${firstSeqSince('$1', '$2')} as seq
       ), before as (
         (select x.seq, x.at, x.price_sol, r.address from trade x join trader r on r.id = x.trader_id
          where x.token_id = $1 and x.seq < (select seq from bound) and r.address <> all($3::text[])
          order by x.seq desc limit 1)
         union
         (select x.seq, x.at, x.price_sol, r.address from trade x join trader r on r.id = x.trader_id
          where x.token_id = $1 and x.seq < (select seq from bound)
          order by x.seq desc limit 1)
       ), inside as (
         select x.seq, x.at, x.price_sol, r.address from trade x join trader r on r.id = x.trader_id
         where x.token_id = $1 and x.seq >= (select seq from bound) and x.at <= $4
       )
       select (extract(epoch from at) * 1000)::float8 as "atMs", price_sol as "priceSol", address as wallet
       from (select * from before union all select * from inside) points order by seq`,
      [token.id, new Date(fromMs), [...linked], new Date(untilMs)],
    );
    const denominator = 10n ** (PRICE_DECIMALS - LAMPORT_DECIMALS + BigInt(token.decimals));
    return rows.map(({ atMs, priceSol, wallet }) => {
      return { atMs, price: { numerator: priceSol, denominator }, isLinked: linked.has(wallet) };
    });
  }
}

function knownSpan(token: TokenRow, untilMs: number): KnownSpan {
  return { fromMs: token.createdAt.getTime(), untilMs };
}
