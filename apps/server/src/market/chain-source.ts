import type { Address } from '@hunter/solana/address';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { RpcTransportError } from '@hunter/solana/rpc-error';
import type { ChainTransaction, SignatureRow } from '@hunter/solana/rpc-replies';
import type { RpcSubscriptions } from '@hunter/solana/rpc-subscriptions';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { Loop } from '../platform/loop.ts';
import { passedOver, readTransactions, type PassedOver, type ReadTransactions } from '../platform/read-transactions.ts';
import type { IndexedVenue } from '../venue/venue.ts';
import { decodeSwap, touchedPools, type PoolState } from './decode-swap.ts';
import type { MarketSink, MarketSource, MarketTrade } from './market-source.ts';
import type { SolUsd } from './sol-usd.ts';

// Follows the venue's reference key on chain. A notice of the subscription only wakes the reader up; what is read is
// always "everything since the stored cursor", by paging signatures back to it. So a lost notice, a dropped socket and
// a restart are all the same case, and nothing is read twice or left out.
// Signatures are listed at `confirmed`: a confirmed slot is complete, so a transaction's place among the venue's own
// in its slot is the same whenever it is read, and gives the trades one order.

const SOURCE = 'chain';
const PAGE_SIZE = 1_000;
/** Transactions asked for at once; fewer after an answer that did not come, since strangers can make theirs large. */
const READ_SIZE = 250;
/** Stored at once. */
const BATCH_SIZE = 1_000;
const PLACES_PER_SLOT = 65_536n;
const IDLE_MS = 2_000;
const RETRY_MS = { first: 1_000, max: 5_000 };
/** Everything since is read once more with each try. */
const MISSING_RETRY_MS = { first: 1_000, max: 60_000 };

/** `atMs` is when the transaction was made; versions before it did not store that. */
const cursorSchema = z.object({
  signature: z.string(),
  slot: z.string(),
  place: z.number().int(),
  atMs: z.number().int().optional(),
});
type Cursor = { signature: string; slot: bigint; place: number; atMs?: number | undefined };

/** It may not be passed over: what it moved would be missing for ever. */
class NotShown extends Error {
  readonly signature: string;
  readonly pauseMs: number;

  constructor(signature: string, pauseMs: number) {
    super(`the node lists ${signature} and does not show it`);
    this.signature = signature;
    this.pauseMs = pauseMs;
  }
}

function printCursor(cursor: Cursor | null): unknown {
  return cursor && { ...cursor, slot: cursor.slot.toString() };
}

type SwapsVenue = Pick<IndexedVenue, 'referenceAddress' | 'liveliestTokens' | 'tokens'>;

/** Says which tokens it has, and which account it takes for their pool. */
type KnowingSink = MarketSink & {
  tokens: {
    isPoolOf(mint: Address, address: string): boolean;
    ofPool(pool: string): { mint: Address } | undefined;
  };
};

export class ChainSource implements MarketSource {
  readonly #rpc: RpcClient;
  readonly #subscriptions: RpcSubscriptions;
  readonly #venue: SwapsVenue;
  readonly #sink: KnowingSink;
  readonly #solUsd: SolUsd;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #loop: Loop;
  #readSize = READ_SIZE;
  #address: Address | null = null;
  #cursor: Cursor | null = null;
  #completeAtMs: number | null = null;
  #notShown: NotShown | null = null;
  #unsubscribe: (() => void)[] = [];

  constructor(deps: {
    rpc: RpcClient;
    subscriptions: RpcSubscriptions;
    venue: SwapsVenue;
    sink: KnowingSink;
    solUsd: SolUsd;
    clock: Clock;
    log: Log;
  }) {
    this.#rpc = deps.rpc;
    this.#subscriptions = deps.subscriptions;
    this.#venue = deps.venue;
    this.#sink = deps.sink;
    this.#solUsd = deps.solUsd;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#loop = new Loop({
      name: 'market indexer',
      work: (stopping) => this.#pass(stopping),
      everyMs: IDLE_MS,
      retryMs: (error) => (error instanceof NotShown ? { first: error.pauseMs, max: error.pauseMs } : RETRY_MS),
      clock: deps.clock,
      log: deps.log,
    });
  }

  /** From then on it is known how old the store is. */
  async prepare(): Promise<void> {
    await this.#loadCursor();
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    await this.#loop.stop();
  }

  /** Whoever starts again knows from what is stored how old it is, also where the chain does not answer yet. */
  lagMs(): number | null {
    const knownMs = this.#completeAtMs ?? this.#cursor?.atMs ?? null;
    return knownMs === null ? null : this.#clock.nowMs() - knownMs;
  }

  /** Whether this process has read everything once. */
  get isCaughtUp(): boolean {
    return this.#completeAtMs !== null;
  }

  async #pass(stopping: AbortSignal): Promise<void> {
    if (this.#address === null) await this.#connect();
    const startedMs = this.#clock.nowMs();
    await this.#catchUp(stopping);
    this.#completeAtMs = startedMs;
  }

  async #connect(): Promise<void> {
    const address = (await this.#venue.referenceAddress()) as Address;
    await this.#solUsd.start();
    await this.#sink.storeTokens(await this.#venue.liveliestTokens());
    this.#unsubscribe.push(
      this.#subscriptions.logs({ mentions: [address] }, 'confirmed', () => this.#loop.wake()),
      this.#subscriptions.onReconnect(() => this.#loop.wake()),
    );
    this.#address = address;
  }

  async #loadCursor(): Promise<void> {
    const stored = cursorSchema.safeParse(await this.#sink.loadCursor(SOURCE));
    this.#cursor = stored.success ? { ...stored.data, slot: BigInt(stored.data.slot) } : null;
  }

  async #catchUp(stopping: AbortSignal): Promise<void> {
    // Always from what the store says: a crash of the database may have taken back what it had acknowledged.
    await this.#loadCursor();
    const rows = await this.#signaturesSinceCursor(stopping);
    for (let start = 0; start < rows.length && !stopping.aborted; start += BATCH_SIZE) {
      await this.#storeBatch(rows.slice(start, start + BATCH_SIZE));
    }
  }

  /** Oldest first. */
  async #signaturesSinceCursor(stopping: AbortSignal): Promise<SignatureRow[]> {
    const newestFirst: SignatureRow[] = [];
    let before: string | undefined;
    while (!stopping.aborted) {
      const page = await this.#rpc.getSignaturesForAddress(this.#address!, {
        ...(before === undefined ? {} : { before }),
        ...(this.#cursor === null ? {} : { until: this.#cursor.signature }),
        limit: PAGE_SIZE,
        commitment: 'confirmed',
      });
      for (const row of page) newestFirst.push(row);
      if (page.length < PAGE_SIZE) break;
      before = page.at(-1)!.signature;
    }
    return newestFirst.reverse();
  }

  async #storeBatch(rows: readonly SignatureRow[]): Promise<void> {
    const { transactions, unreadable } = await this.#read(rows.map((row) => row.signature));
    const missing = rows.findIndex(({ signature }, index) => !transactions[index] && !unreadable.has(signature));
    if (missing !== -1) {
      // The cursor may not pass what will be shown a moment later; what is before it need not wait.
      if (missing > 0) await this.#store(rows.slice(0, missing), transactions, unreadable);
      const { signature } = rows[missing]!;
      const { first, max } = MISSING_RETRY_MS;
      const pauseMs = this.#notShown?.signature === signature ? Math.min(max, this.#notShown.pauseMs * 2) : first;
      this.#notShown = new NotShown(signature, pauseMs);
      throw this.#notShown;
    }
    await this.#store(rows, transactions, unreadable);
  }

  async #store(
    rows: readonly SignatureRow[],
    transactions: ReadTransactions['transactions'],
    unreadable: ReadTransactions['unreadable'],
  ): Promise<void> {
    let cursor = this.#cursor;
    const trades: (MarketTrade & { pool: string })[] = [];
    const unsure = new Set<Address>();
    const noSwaps: { transaction: ChainTransaction; seq: bigint }[] = [];
    for (const [index, row] of rows.entries()) {
      const transaction = transactions[index] ?? null;
      const place: number = cursor !== null && cursor.slot === row.slot ? cursor.place + 1 : 0;
      const atMs = (transaction?.blockTime ?? row.blockTime ?? Math.floor(this.#clock.nowMs() / 1000)) * 1000;
      cursor = { signature: row.signature, slot: row.slot, place, atMs };
      if (transaction === null) continue;
      const seq = row.slot * PLACES_PER_SLOT + BigInt(place);
      const swap = decodeSwap(transaction);
      if (!swap) {
        noSwaps.push({ transaction, seq });
        // With its liquidity a token may have moved to another pool.
        for (const { mint } of this.#touchedPools(transaction)) unsure.add(mint);
        continue;
      }
      // Also where the pool is another one: the token may have left its launch curve.
      if (!this.#sink.tokens.isPoolOf(swap.mint, swap.pool)) unsure.add(swap.mint);
      trades.push({
        ...swap,
        seq,
        atMs,
        signature: row.signature,
        solUsdMicro: await this.#solUsd.at(atMs),
      });
    }
    // Before the cursor: what is not stored here, for whatever reason, is asked for again together with the batch.
    if (unsure.size > 0) await this.#sink.storeTokens(await this.#venue.tokens([...unsure]));
    // Anybody can name the venue in a swap between two wallets, at any price; only with a pool of the venue is it a trade.
    const atVenue = trades.filter(({ mint, pool }) => this.#sink.tokens.isPoolOf(mint, pool));
    const solUsdMicro = this.#solUsd.now()?.usdMicro ?? null;
    const pools = noSwaps.flatMap(({ transaction, seq }) =>
      this.#touchedPools(transaction).map((state) => ({ ...state, seq, solUsdMicro })),
    );
    await this.#sink.storeTrades(atVenue, SOURCE, printCursor(cursor), printCursor(this.#cursor), pools);
    this.#cursor = cursor;
    for (const { signature } of rows.filter((row) => unreadable.has(row.signature))) {
      this.#log.warn(
        { signature, err: unreadable.get(signature) },
        'a transaction of the market cannot be read and is passed over',
      );
      passedOver.publish({ reader: 'market' } satisfies PassedOver);
    }
  }

  #touchedPools(transaction: ChainTransaction): (PoolState & { mint: Address })[] {
    const { tokens } = this.#sink;
    const states = touchedPools(transaction, (pool) => tokens.ofPool(pool)?.mint);
    return states.map((state) => ({ ...state, mint: tokens.ofPool(state.pool)!.mint }));
  }

  async #read(signatures: readonly string[]): Promise<ReadTransactions> {
    const parts: ReadTransactions[] = [];
    let at = 0;
    while (at < signatures.length) {
      const asked = signatures.slice(at, at + this.#readSize);
      try {
        parts.push(await readTransactions(this.#rpc, asked));
      } catch (error) {
        if (error instanceof RpcTransportError) this.#readSize = Math.max(1, this.#readSize >> 1);
        throw error;
      }
      at += asked.length;
    }
    this.#readSize = Math.min(READ_SIZE, this.#readSize * 2);
    return {
      transactions: parts.flatMap(({ transactions }) => transactions),
      unreadable: new Map(parts.flatMap(({ unreadable }) => [...unreadable])),
    };
  }
}
